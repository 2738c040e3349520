//===- Attention.h - the attention converters -------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H

#include "../Norm/Norm.h"

#include <cmath>
#include <limits>

namespace forge {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// (batch, sequence, heads * size) to (batch, heads, sequence, size). Refused unless `heads` divides the last axis.
mlir::Value splitHeads(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t heads);
/// The inverse of splitHeads.
mlir::Value joinHeads(ForgeBuilder &builder, mlir::Value x);
/// Repeats each head (axis 1) `count` times in a row.
mlir::Value repeatHeads(ForgeBuilder &builder, mlir::Value x, int64_t count);
/// Whether the shapes of Q, K and V (batch, heads, sequence, size) agree; the heads of keys must divide those of
/// queries, and no axis may be empty.
bool headsFit(mlir::Value q, mlir::Value k, mlir::Value v);

//===----------------------------------------------------------------------===//
// Scores: (batch, heads, queries, keys)
//===----------------------------------------------------------------------===//

/// scale * Q K' for a scale that is not negative.
mlir::Value scaledScores(ForgeBuilder &builder, mlir::Value q, mlir::Value k, double scale);
/// cap * tanh(scores / cap), or `scores` for a cap of 0.
mlir::Value softcapped(ForgeBuilder &builder, mlir::Value scores, double cap);
/// Zeroes the rows of softmax(scores + bias) in which the bias is -inf for all keys, so that the softmax is NaN.
mlir::Value zeroFullyMaskedRows(ForgeBuilder &builder, mlir::Value weights, mlir::Value bias);

/// The keys that the query at position i attends to: [i - left, i + right], not after i if causal,
/// and below `end`.
struct AttentionWindow {
  bool causal = false;
  int64_t left = -1, right = -1; ///< -1 for none.
  int64_t end = std::numeric_limits<int64_t>::max();
};

/// 0 where `allowed` is true, `hidden` elsewhere.
mlir::Value biasWhere(ForgeBuilder &builder, mlir::Value allowed, mlir::Type element, double hidden = -kInfinity);
/// An additive bias for scores of type `scores`: 0 for keys in the window of query i at position i + offset, `hidden`
/// for the others. A constant of shape (queries, keys).
mlir::Value positionBias(OnnxNode &node, ForgeBuilder &builder, const AttentionWindow &window,
                         mlir::RankedTensorType scores, int64_t offset, double hidden = -kInfinity);
/// The same for `positions` (batch, 1, queries, 1) that are computed at run time; keys from `lengths` (batch, 1, 1, 1)
/// on are hidden too. `isWithin`: each position is below the length of its row.
mlir::Value lengthBias(ForgeBuilder &builder, const AttentionWindow &window, mlir::RankedTensorType scores,
                       mlir::Value lengths, mlir::Value positions, bool isWithin);
/// x + y; if one is null, the other.
mlir::Value sumOfBiases(ForgeBuilder &builder, mlir::Value x, mlir::Value y);

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The cosines or sines of a rotary embedding for each of 2 * pairs elements. `lookup` selects rows of `table`, which
/// has one angle per pair, (..., pairs). The elements of a pair are adjacent if `interleaved`, otherwise in different
/// halves; the sines of first elements are negated. Null if `lookup` returns null.
mlir::Value rotaryAngles(ForgeBuilder &builder, mlir::Value table, bool interleaved, bool isSine,
                         llvm::function_ref<mlir::Value(mlir::Value)> lookup);
/// Rotates the leading elements of each head of `x` (batch, heads, sequence, size), given the results of
/// `rotaryAngles`, (batch or 1, sequence, elements).
mlir::Value rotateHeads(ForgeBuilder &builder, mlir::Value x, mlir::Value cosine, mlir::Value sine, bool interleaved);

// Converters that have files of their own.
ConverterFunction convertLinearAttention, convertRotaryEmbedding, convertFlexAttention, convertCausalConvWithState;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ATTENTION_ATTENTION_H
