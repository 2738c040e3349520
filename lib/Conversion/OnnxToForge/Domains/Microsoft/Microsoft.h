//===- Microsoft.h - converters of onnxruntime's own ops --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

#include "../../Attention/Attention.h"
#include "../../Indexing/Indexing.h"
#include "../../Quantization/Quantization.h"

namespace forge {

constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

/// Records a reason unless all non-null values are floats of at most 32 bits. Returns whether the node has not failed.
bool requireFloats(OnnxNode &node, llvm::ArrayRef<mlir::Value> values);

/// A shape as "(1, 2)", for diagnostics.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

namespace microsoft {
/// Unpacks bytes [rows, bytes] to [rows, bytes * 8 / bits] integers as f32, low bits first. `bits` is 2, 4 or 8.
mlir::Value unpackRows(ForgeBuilder &builder, mlir::Value packed, int64_t bits);

/// A norm over the trailing axis, in f32; beta may be null. `simplified`: an RMS norm. Refused unless gamma and beta
/// have one value per element of this axis.
Normalised layerNorm(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value gamma, mlir::Value beta,
                     double epsilon, bool simplified);

/// The operands of an attention that is computed in f32, as onnxruntime's kernels for narrow types accumulate in it.
struct AttentionOperands {
  mlir::Value q, k, v; ///< (batch, heads, sequence, size)
  mlir::Value pastKey, pastValue, mask, bias;
  int64_t heads = 0;
  double scale = 0;       ///< 0 for the default, 1 / sqrt(head size)
  double filter = -10000; ///< the bias of masked keys
  bool unidirectional = false;
};
/// Reads the attributes that Attention and MultiHeadAttention share.
void readOptions(OnnxNode &node, AttentionOperands &in);
/// Returns (batch, queries, heads * size), and the keys and values including the past ones.
Values attended(OnnxNode &node, ForgeBuilder &builder, AttentionOperands in);

/// Refuses past keys or values unless they have the shape of `fresh` (batch, heads, sequence, size), but for the
/// length of the sequence. Returns whether they do.
bool checkPast(OnnxNode &node, mlir::Value past, mlir::Value fresh);
/// The operand `bias` of scores, (1 or batch, 1 or heads, queries, `keys`), in their type. Null and refused if it has
/// another shape.
mlir::Value givenBias(OnnxNode &node, ForgeBuilder &builder, mlir::Value bias, mlir::RankedTensorType scores,
                      int64_t keys);

// Converters that have files of their own.
ConverterFunction convertAttention, convertMultiHeadAttention, convertGroupQueryAttention, convertRotaryEmbedding;
ConverterFunction convertFusedConv, convertFusedGemm, convertFusedMatMul, convertMatMulNBits, convertNhwcMaxPool;
ConverterFunction convertGatherBlockQuantized, convertGroupNorm, convertEmbedLayerNormalization;
ConverterFunction convertSkipLayerNormalization;

// Registration of the QLinear ops.
void registerQLinearOps(OnnxRegistry &registry);
} // namespace microsoft

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
