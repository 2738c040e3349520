//===- Attention.h - the attention converters -------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// (batch, sequence, heads * size) as (batch, heads, sequence, size). Refused when the heads do not divide.
mlir::Value splitHeads(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t heads);
/// The inverse of splitHeads.
mlir::Value joinHeads(ForgeBuilder &builder, mlir::Value x);
/// Each head (axis 1) `count` times in a row.
mlir::Value repeatHeads(ForgeBuilder &builder, mlir::Value x, int64_t count);
/// Integers `begin`, `begin` + 1 ... along `axis` of `rank` dims, as i64.
mlir::Value countAlong(ForgeBuilder &builder, int64_t begin, int64_t size, int64_t axis, int64_t rank);

void registerScaledDotProductOps(OnnxRegistry &registry);
void registerLinearAttentionOps(OnnxRegistry &registry);
void registerPositionOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
