//===- Passes.h - passes on the forge dialect -------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/Pass/Pass.h"

namespace forge {

// The file of a pass defines GEN_PASS_DEF_<PASS> before it includes this header, and thereby gets its base class.
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"

/// On a slice: its itd::SliceClass by name, written by --forge-classify-slices.
inline constexpr llvm::StringLiteral kSliceClassAttr = "forge.slice_class";

/// The rules of --forge-verify-emittable on one function; reports everything it finds.
mlir::LogicalResult verifyEmittable(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_H
