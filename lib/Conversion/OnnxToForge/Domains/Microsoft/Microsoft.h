//===- Microsoft.h - converters of onnxruntime's own ops --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

/// Records a reason unless all non-null values are floats of at most 32 bits. Returns whether the node has not failed.
bool requireFloats(OnnxNode &node, llvm::ArrayRef<mlir::Value> values);

/// A shape as "(1, 2)", for diagnostics.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

namespace microsoft {
/// Unpacks bytes [rows, bytes] to [rows, bytes * 8 / bits] integers as f32, low bits first. `bits` is 2, 4 or 8.
mlir::Value unpackRows(ForgeBuilder &builder, mlir::Value packed, int64_t bits);

/// The outputs of a norm over the trailing axis, in f32. `simplified`: an RMS norm, without mean and beta.
struct NormOutputs {
  mlir::Value result, mean, inverseRoot;
};
NormOutputs layerNorm(ForgeBuilder &builder, mlir::Value x, mlir::Value gamma, mlir::Value beta, double epsilon,
                      bool simplified);
/// Refuses gamma and beta (may be null) unless they have one value per element of the trailing axis of `x`. Returns
/// whether they do.
bool checkGammaAndBeta(OnnxNode &node, mlir::Value x, mlir::Value gamma, mlir::Value beta);

// Converters that have files of their own.
ConverterFunction convertAttention, convertMultiHeadAttention, convertGroupQueryAttention, convertRotaryEmbedding;
ConverterFunction convertFusedConv, convertFusedGemm, convertFusedMatMul, convertMatMulNBits, convertNhwcMaxPool;
ConverterFunction convertGatherBlockQuantized, convertGroupNorm, convertSkipGroupNorm, convertEmbedLayerNormalization;
ConverterFunction convertSkipLayerNormalization, convertSkipSimplifiedLayerNormalization;

// Registration of the QLinear ops.
void registerQLinearOps(OnnxRegistry &registry);
} // namespace microsoft

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
