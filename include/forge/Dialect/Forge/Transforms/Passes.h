//===- Passes.h - passes on the forge dialect -------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"

/// The rules of --forge-verify-emittable on one function; reports everything it finds.
mlir::LogicalResult verifyEmittable(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H
