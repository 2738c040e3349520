//===- RotaryEmbedding.cpp - RotaryEmbedding ------------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// Rows of a cos or sin table: at `positions`, or from a scalar position on. Returns (batch or 1, sequence, size).
static Value rowsAt(ForgeBuilder &b, Value cache, Value positions, int64_t sequence) {
  if (rankOf(positions) == 2)
    return takeRows(b, cache, positions);
  Value first = b.reshape(b.cast(positions, b.getI64Type()), {1, 1});
  return takeRows(b, cache, b.create<AddOp>(first, b.iota(sequence, 1, 2, b.getI64Type())));
}

// RotaryEmbedding: rotates pairs of elements of each head by the angle of their position. The operand is (batch,
// sequence, heads * size) or (batch, heads, sequence, size).
Values forge::microsoft::convertRotaryEmbedding(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), positions = n.input(1), cosine = n.input(2), sine = n.input(3);
  bool interleaved = n.flagAttr("interleaved", false);
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0), heads = n.intAttr("num_heads", 0);
  if (n.flagAttr("is_packed_batching", false))
    n.refuse(Code::AttributeUnsupported, "packed batches (attribute 'is_packed_batching') are not supported");
  if (n.floatAttr("scale", 1) != 1)
    n.refuse(Code::AttributeUnsupported, "attribute 'scale' must be 1: onnxruntime does not apply another one");
  if (rotated != 0 && heads < 1)
    n.refuse(Code::AttributeMismatch, "attribute 'rotary_embedding_dim' needs 'num_heads'");
  if (n.failed() || !requireFloats(n, {x, cosine, sine}) || !n.requireIntegers(positions, "the positions"))
    return {};
  int64_t rank = rankOf(x);
  ArrayRef<int64_t> cache = shapeOf(cosine);
  if ((rank != 3 && rank != 4) || cache.size() != 2 || cache[1] < 1 || cache != shapeOf(sine))
    return n.refuse(Code::RankWrong,
                    "expected an operand of rank 3 or 4 and two caches of one shape (positions, pairs), but got " +
                        shapeText(shapeOf(x)) + ", " + shapeText(cache) + " and " + shapeText(shapeOf(sine)));
  // Without num_heads the whole of each head is rotated.
  if (rank == 3)
    x = splitHeads(n, b, x, heads > 0 ? heads : shapeOf(x)[2] / (2 * cache[1]));
  if (n.failed() || !x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (rotated == 0)
    rotated = shape[3];
  if (rotated != 2 * cache[1] || rotated > shape[3])
    return n.refuse(Code::ShapeMismatch, "expected caches with half as many values as the " + Twine(rotated) +
                                             " rotated ones of a head of " + Twine(shape[3]) + ", but got " +
                                             Twine(cache[1]));
  ArrayRef<int64_t> given = shapeOf(positions);
  if (given != ArrayRef<int64_t>{1} && given != ArrayRef<int64_t>{shape[0], shape[2]})
    return n.refuse(Code::ShapeMismatch, "expected positions of shape (1) or " + shapeText({shape[0], shape[2]}) +
                                             ", but got " + shapeText(given));
  auto lookup = [&](Value table) { return rowsAt(b, table, positions, shape[2]); };
  cosine = rotaryAngles(b, cosine, interleaved, /*isSine=*/false, lookup);
  sine = rotaryAngles(b, sine, interleaved, /*isSine=*/true, lookup);
  Value result = rotateHeads(b, x, cosine, sine, interleaved);
  return {rank == 3 ? joinHeads(b, result) : result};
}
