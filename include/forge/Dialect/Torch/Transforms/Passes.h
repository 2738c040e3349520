//===- Passes.h - passes on imported ONNX nodes -----------------*- C++ -*-===//

#ifndef FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"

} // namespace forge

#endif // FORGE_DIALECT_TORCH_TRANSFORMS_PASSES_H
