//===- Passes.h - from ONNX nodes to the forge dialect ----------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

/// Tensors of at most this many bytes are dense elements after --forge-normalize-import; forge-mlir's importer has the
/// same limit.
inline constexpr int64_t kInlineBytes = 1024;
/// The same for booleans and signed integers of 32 and 64 bits, whose values converters may need.
inline constexpr int64_t kKnownBytes = 1 << 20;
/// The same for tensors whose elements are all equal, such as biases of zeros and scales of ones, which need no call.
inline constexpr int64_t kUniformBytes = 1 << 16;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Conversion/OnnxToForge/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
