//===- TopK.cpp - ONNX TopK without a sort --------------------------------===//

#include "Reduction.h"

using namespace mlir;
using namespace forge;

// Comparing all pairs takes size^2 elements per row; up to this many it is cheaper than a round for every k.
static constexpr int64_t kMaxPairs = 1 << 22;
// Each round is nine ops.
static constexpr int64_t kMaxRounds = 64;

namespace {
struct TopK {
  Value values, indices;
};
} // namespace

// The k largest along the last axis, ties by lower index. The rank of an element is the number of elements before it,
// so that the element of rank r is result r; exact for infinities, and for the lowest integers.
static TopK topByRank(ForgeBuilder &b, Expr x, int64_t k) {
  SmallVector<int64_t> shape(shapeOf(x)), row(shape), column(shape);
  int64_t rank = shape.size(), size = shape.back();
  row.insert(row.end() - 1, 1); // [..., 1, size]
  column.push_back(1);          // [..., size, 1]
  Expr mine(b, b.reshape(x, column)), other(b, b.reshape(x, row));
  Expr earlier = iota(b, size, rank, rank + 1) < iota(b, size, rank - 1, rank + 1);
  Expr before = eitherOf(other > mine, bothOf(other == mine, earlier));
  Type number = b.getBuilder().getI32Type();
  Expr position(b, b.create<ReduceSumOp>(Value(before.cast(number)), int64_t(-1), /*keep_dim=*/false));
  // [..., k, size]: element i is result r. The sum of integers may be wider on the host, hence the cast.
  Expr chosen = Expr(b, b.reshape(position.cast(number), row)) == iota(b, k, rank - 1, rank + 1);
  auto pick = [&](Expr source, double lowest) {
    return b.create<ReduceMaxOp>(Value(select(chosen, source, lowest)), int64_t(-1), /*keep_dim=*/false);
  };
  return {pick(other, lowestValue(x.elementType())), pick(iota(b, size, rank, rank + 1), -1)};
}

// One maximum per round, among the elements not taken yet.
static TopK topByRounds(ForgeBuilder &b, Expr x, int64_t k) {
  int64_t rank = tensorType(x).getRank(), size = shapeOf(x).back();
  Expr positions = iota(b, size, rank - 1, rank);
  Type number = b.getBuilder().getI32Type();
  Expr left(b, b.splat(tensorType(x).clone(b.getBuilder().getI1Type()), 1));
  SmallVector<Value> values, indices;
  for (int64_t round = 0; round < k; ++round) {
    Expr masked = select(left, x, lowestValue(x.elementType()));
    Expr largest(b, b.create<ReduceMaxOp>(Value(masked), int64_t(-1), /*keep_dim=*/true));
    Expr index = argMax(bothOf(left, x == largest).cast(number), rank - 1);
    values.push_back(largest);
    indices.push_back(index);
    left = bothOf(left, positions != index);
  }
  return {b.concatenate(values, rank - 1), b.concatenate(indices, rank - 1)};
}

// TopK (since 1, 10, 11, 24): k is an attribute, then an input. A sorted result is one of the orders `sorted` = 0
// allows.
Values forge::convertTopK(OnnxNode &n, ForgeBuilder &b) {
  Value input = n.input(0);
  int64_t axis = n.intAttr("axis", -1), k = 0;
  if (n.since() < 10) {
    k = n.intAttr("k");
  } else {
    SmallVector<int64_t> values = n.constantInts(1, "k");
    if (!n.failed() && values.size() != 1)
      n.refuse(Code::ElementCount, "k (input 1) must have one element, but has " + Twine(values.size()));
    k = values.size() == 1 ? values.front() : 0;
  }
  bool largest = n.since() < 11 || n.flagAttr("largest", true);
  if (n.since() >= 11)
    (void)n.flagAttr("sorted", true);
  if (n.failed())
    return {};
  int64_t rank = tensorType(input).getRank();
  axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(input));
  int64_t size = shape[axis];
  if (k < 0 || k > size) {
    n.refuse(Code::OutOfRange, "k = " + Twine(k) + " is outside an axis of size " + Twine(size));
    return {};
  }
  Type element = tensorType(input).getElementType(), index = b.getBuilder().getI64Type();
  shape[axis] = k;
  if (ShapedType::getNumElements(shape) == 0)
    return {b.splat(RankedTensorType::get(shape, element), 0), b.splat(RankedTensorType::get(shape, index), 0)};
  int64_t outer = tensorType(input).getNumElements() / size;
  bool byRank = size <= kMaxPairs && outer * size <= kMaxPairs / size;
  if (!byRank && k > kMaxRounds) {
    n.refuse(Code::TooMuchToUnroll,
             "the " + Twine(k) + " largest of " + Twine(size) + " take more steps than the device path allows");
    return {};
  }
  // The axis goes last.
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(perm[axis], perm[rank - 1]);
  Expr x = comparable({b, b.transpose(input, perm)});
  if (!largest)
    x = orderReversed(x);
  if (!x)
    return {};
  TopK top = byRank ? topByRank(b, x, k) : topByRounds(b, x, k);
  Expr values(b, top.values);
  if (!largest)
    values = orderReversed(values);
  return {b.transpose(values.cast(element), perm), b.transpose(b.cast(top.indices, index), perm)};
}
