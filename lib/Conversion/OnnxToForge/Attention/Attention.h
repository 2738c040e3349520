//===- Attention.h - the attention converters -------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

#include <limits>

namespace forge {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// (batch, sequence, heads * size) as (batch, heads, sequence, size). Refused when the heads do not divide.
mlir::Value splitHeads(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t heads);
/// The inverse of splitHeads.
mlir::Value joinHeads(ForgeBuilder &builder, mlir::Value x);
/// Each head (axis 1) `count` times in a row.
mlir::Value repeatHeads(ForgeBuilder &builder, mlir::Value x, int64_t count);
/// Whether Q, K and V (batch, heads, sequence, size) fit each other, with as many or fewer heads of keys, and none
/// empty.
bool headsFit(mlir::Value q, mlir::Value k, mlir::Value v);
/// The type that attribute 'softmax_precision' names; null without it. Refused unless it is a floating-point type.
mlir::Type softmaxPrecision(OnnxNode &node, ForgeBuilder &builder);

//===----------------------------------------------------------------------===//
// Scores: (batch, heads, queries, keys)
//===----------------------------------------------------------------------===//

/// scale * Q K'; the scale is not negative.
mlir::Value scaledScores(ForgeBuilder &builder, mlir::Value q, mlir::Value k, double scale);
/// Scores pressed into (-cap, cap), unless the cap is 0.
mlir::Value softcapped(ForgeBuilder &builder, mlir::Value scores, double cap);
/// Zeroes the rows of softmax(scores + bias) whose keys are all hidden by minus infinities: they have no value.
mlir::Value zeroFullyMaskedRows(ForgeBuilder &builder, mlir::Value weights, mlir::Value bias);

/// The keys that a query at position i may see: not those after it where causal, beyond i + right, or before i - left;
/// and only the first `end` ones.
struct AttentionWindow {
  bool causal = false;
  int64_t left = -1, right = -1; ///< -1 for none.
  int64_t end = std::numeric_limits<int64_t>::max();
};

/// 0 where a boolean holds, else `hidden`.
mlir::Value biasWhere(ForgeBuilder &builder, mlir::Value allowed, mlir::Type element, double hidden = -kInfinity);
/// The numbers to add to scores of type `scores`: 0 for the keys in the window of query i at position i + offset,
/// `hidden` for the others. A constant of (queries, keys).
mlir::Value positionBias(OnnxNode &node, ForgeBuilder &builder, const AttentionWindow &window,
                         mlir::RankedTensorType scores, int64_t offset, double hidden = -kInfinity);
/// The same with `positions` (batch, 1, queries, 1) that are known at run time only, and the keys from each row of
/// `lengths` (batch, 1, 1, 1) on hidden. `isWithin`: no position is beyond its length.
mlir::Value lengthBias(ForgeBuilder &builder, const AttentionWindow &window, mlir::RankedTensorType scores,
                       mlir::Value lengths, mlir::Value positions, bool isWithin);
/// x + y; where one of them is null, the other.
mlir::Value sumOfBiases(ForgeBuilder &builder, mlir::Value x, mlir::Value y);

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The cosines or sines of a rotary embedding for each of 2 * pairs elements, (..., 2 * pairs): what `lookup` selects
/// from `table`, which has them for the pairs, (..., pairs). The two elements of a pair are neighbours where
/// `interleaved`, else a half apart; the sines of first elements are negative. Null where `lookup` returns null.
mlir::Value rotaryAngles(ForgeBuilder &builder, mlir::Value table, bool interleaved, bool isSine,
                         llvm::function_ref<mlir::Value(mlir::Value)> lookup);
/// Rotates the first elements of each head of `x` (batch, heads, sequence, size) by angles whose cosines and sines are
/// those of `rotaryAngles`, (batch or 1, sequence, elements).
mlir::Value rotateHeads(ForgeBuilder &builder, mlir::Value x, mlir::Value cosine, mlir::Value sine, bool interleaved);

// Converters of other files than the table's.
ConverterFunction convertLinearAttention;
ConverterFunction convertRotaryEmbedding;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
