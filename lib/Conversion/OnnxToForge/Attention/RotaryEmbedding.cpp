//===- RotaryEmbedding.cpp - ONNX RotaryEmbedding -------------------------===//

#include "Attention.h"

#include "../Indexing/Indexing.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

using namespace mlir;
using namespace forge;

// Expands angles of pairs to the two elements of each pair.
static Value ofElements(ForgeBuilder &b, Value angles, bool interleaved, bool isSine) {
  if (!angles)
    return {};
  int64_t last = rankOf(angles) - 1, pairs = shapeOf(angles)[last];
  SmallVector<int64_t> own(2 * pairs);
  for (auto [i, pair] : llvm::enumerate(own))
    pair = interleaved ? static_cast<int64_t>(i) / 2 : static_cast<int64_t>(i) % pairs;
  Value table = b.take(angles, last, own);
  if (!isSine || !table)
    return table;
  // Sines of the first element of each pair are negated.
  auto signs = llvm::map_to_vector(llvm::seq<int64_t>(0, 2 * pairs), [&](int64_t i) {
    bool isFirst = interleaved ? i % 2 == 0 : i < pairs;
    return isFirst ? -1.0f : 1.0f;
  });
  return b.create<MultiplyOp>(table, b.cast(b.floats(2 * pairs, signs), elementOf(table)));
}

// A constant table is cast to f32 at compile time; of any other table, only the selected rows are cast.
Value forge::rotaryAngles(ForgeBuilder &b, Value table, bool interleaved, bool isSine,
                          llvm::function_ref<Value(Value)> lookup) {
  return table && isWeight(table) ? lookup(ofElements(b, table, interleaved, isSine))
                                  : ofElements(b, lookup(table), interleaved, isSine);
}

Value forge::rotateHeads(ForgeBuilder &b, Value x, Value cosine, Value sine, bool interleaved) {
  if (!x || !cosine || !sine)
    return {};
  int64_t size = shapeOf(x)[3], rotated = shapeOf(cosine)[2], pairs = rotated / 2;
  SmallVector<int64_t> angles = withAxis(shapeOf(cosine), 1);
  SmallVector<int64_t> other(rotated);
  for (auto [i, partner] : llvm::enumerate(other))
    partner = interleaved ? static_cast<int64_t>(i ^ 1) : (static_cast<int64_t>(i) + pairs) % rotated;
  Value part = b.slice(x, 3, 0, rotated), rest = b.slice(x, 3, rotated, size);
  Value result = b.create<AddOp>(b.create<MultiplyOp>(part, b.reshape(cosine, angles)),
                                 b.create<MultiplyOp>(b.take(part, 3, other), b.reshape(sine, angles)));
  return rotated == size ? result : b.concatenate({result, rest}, 3);
}

// RotaryEmbedding (since 23): rotates pairs of elements of each head by the angle of their position. The operand is
// (batch, heads, sequence, size) or (batch, sequence, heads * size).
Values forge::convertRotaryEmbedding(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), cosine = n.input(1), sine = n.input(2), positions = n.optionalInput(3);
  bool interleaved = n.flagAttr("interleaved", false);
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0), heads = n.intAttr("num_heads", 0);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank == 3)
    x = splitHeads(n, b, x, heads);
  else if (rank != 4)
    n.refuse(Code::RankWrong, "the operand must have rank 3 or 4");
  if (n.failed() || !x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t batch = shape[0], sequence = shape[2], size = shape[3];
  if (rotated == 0)
    rotated = size;
  if (rotated < 2 || rotated > size || rotated % 2 != 0)
    return n.refuse(Code::AttributeValue, "attribute 'rotary_embedding_dim' must be even and inside the head");
  auto angles = [&](Value cache, bool isSine) -> Value {
    bool isWide = rankOf(cache) > 0 && 2 * shapeOf(cache).back() == rotated;
    auto lookup = [&](Value table) { return positions && rankOf(table) == 2 ? takeRows(b, table, positions) : table; };
    Value found = isWide ? rotaryAngles(b, cache, interleaved, isSine, lookup) : Value();
    if (!found || shapeOf(found) != ArrayRef<int64_t>{batch, sequence, rotated})
      return n.refuse(Code::ShapeMismatch, "the caches do not fit the operand and its positions");
    return found;
  };
  cosine = angles(cosine, /*isSine=*/false);
  sine = angles(sine, /*isSine=*/true);
  if (n.failed())
    return {};
  Value result = rotateHeads(b, x, cosine, sine, interleaved);
  return {rank == 3 ? joinHeads(b, result) : result};
}
