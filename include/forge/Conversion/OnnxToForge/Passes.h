//===- Passes.h - from ONNX nodes to the forge dialect ----------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

/// --forge-normalize-import stores tensors of at most this many bytes as dense elements. forge-mlir's importer has the
/// same limit.
inline constexpr int64_t kInlineBytes = 1024;
/// The limit for booleans and signed integers of 32 and 64 bits, whose elements converters may need.
inline constexpr int64_t kKnownBytes = 1 << 20;
/// The limit for splats, such as all-zero biases and all-one scales, which need no call.
inline constexpr int64_t kUniformBytes = 1 << 16;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Conversion/OnnxToForge/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
