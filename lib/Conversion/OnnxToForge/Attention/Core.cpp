//===- Core.cpp - helpers of the attention converters ---------------------===//

#include "Attention.h"

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

using namespace mlir;
using namespace forge;

// The largest mask that is computed at compile time, in elements.
static constexpr int64_t kMostMaskElements = 1 << 22;

Value forge::splitHeads(OnnxNode &n, ForgeBuilder &b, Value x, int64_t heads) {
  if (!x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0)
    return n.refuse(Code::DoesNotDivide, "an operand does not split into " + Twine(heads) + " heads");
  return b.transpose(b.reshape(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

Value forge::joinHeads(ForgeBuilder &b, Value x) {
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  return b.reshape(b.transpose(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

Value forge::repeatHeads(ForgeBuilder &b, Value x, int64_t count) {
  if (!x || count == 1)
    return x;
  SmallVector<int64_t> shape(shapeOf(x)), open = withAxis(shape, 2);
  return b.reshape(b.expand(b.reshape(x, open), withSize(open, 2, count)), withSize(shape, 1, shape[1] * count));
}

bool forge::headsFit(Value queries, Value keys, Value values) {
  ArrayRef<int64_t> q = shapeOf(queries), k = shapeOf(keys), v = shapeOf(values);
  return k[1] >= 1 && q[1] % k[1] == 0 && k[1] == v[1] && k[2] == v[2] && k[3] == q[3] && k[0] == q[0] &&
         v[0] == q[0] && !llvm::is_contained(q, 0) && !llvm::is_contained(k, 0) && !llvm::is_contained(v, 0);
}

Value forge::scaledScores(ForgeBuilder &b, Value q, Value k, double scale) {
  // The keys may be a whole cache: scaling the queries avoids a copy of it.
  if (q && elementOf(q).isF32()) {
    Value scaled = b.create<MultiplyOp>(q, b.scalarLike(q, scale));
    return b.matmul(scaled, b.transpose(k, {0, 1, 3, 2}));
  }
  // Each operand is multiplied by the root of the scale, which keeps the scores of narrow types in range.
  Value root = b.scalarLike(q, std::sqrt(scale));
  return b.matmul(b.create<MultiplyOp>(q, root), b.create<MultiplyOp>(b.transpose(k, {0, 1, 3, 2}), root));
}

Value forge::softcapped(ForgeBuilder &b, Value scores, double cap) {
  if (!scores || cap == 0)
    return scores;
  Value limit = b.scalarLike(scores, cap);
  return b.create<MultiplyOp>(b.create<TanhOp>(b.create<DivideOp>(scores, limit)), limit);
}

Value forge::zeroFullyMaskedRows(ForgeBuilder &b, Value weights, Value bias) {
  if (!weights || !bias)
    return weights;
  int64_t rank = rankOf(bias);
  Value highest = rank == 0 ? bias : b.reduce<ReduceMaxOp>(bias, {rank - 1}, /*keepDims=*/true);
  Value hidden = b.compare<EqualOp>(highest, b.scalarLike(highest, -kInfinity));
  if (DenseElementsAttr known = knownValue(hidden);
      known && llvm::all_of(intValues(known), [](int64_t row) { return row == 0; }))
    return weights;
  return b.create<WhereOp>(hidden, b.scalarLike(weights, 0), weights);
}

Value forge::biasWhere(ForgeBuilder &b, Value allowed, Type element, double hidden) {
  auto scalar = RankedTensorType::get({}, element);
  return b.create<WhereOp>(allowed, b.splat(scalar, 0), b.splat(scalar, hidden));
}

Value forge::positionBias(OnnxNode &n, ForgeBuilder &b, const AttentionWindow &window, RankedTensorType scores,
                          int64_t offset, double hidden) {
  int64_t queries = scores.getDimSize(2), keys = scores.getDimSize(3);
  if (queries > kMostMaskElements / std::max<int64_t>(keys, 1))
    return n.refuse(Code::TooManyElements, "the causal mask has too many elements");
  return b.tabulate({queries, keys}, scores.getElementType(), [&](ArrayRef<int64_t> at) {
    int64_t key = at[1], ahead = key - (at[0] + offset);
    bool seen = key < window.end && !(window.causal && ahead > 0) && !(window.right >= 0 && ahead > window.right) &&
                !(window.left >= 0 && -ahead > window.left);
    return seen ? 0 : hidden;
  });
}

Value forge::lengthBias(ForgeBuilder &b, const AttentionWindow &window, RankedTensorType scores, Value lengths,
                        Value positions, bool isWithin) {
  Type element = scores.getElementType();
  Value key = b.iota(scores.getDimSize(3), 3, 4, b.getI64Type());
  Value bias;
  auto restrict = [&](Value allowed) { bias = sumOfBiases(b, bias, biasWhere(b, allowed, element)); };
  auto shifted = [&](int64_t by) { return b.create<AddOp>(positions, b.scalarLike(positions, by)); };
  if (!window.causal || !isWithin)
    restrict(b.compare<LessOp>(key, lengths));
  if (window.causal)
    restrict(b.compare<LessEqualOp>(key, positions));
  if (window.right >= 0)
    restrict(b.compare<LessEqualOp>(key, shifted(window.right)));
  if (window.left >= 0)
    restrict(b.compare<GreaterEqualOp>(key, shifted(-window.left)));
  return bias;
}

Value forge::sumOfBiases(ForgeBuilder &b, Value x, Value y) { return x && y ? b.create<AddOp>(x, y) : x ? x : y; }
