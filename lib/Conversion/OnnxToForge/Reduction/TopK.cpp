//===- TopK.cpp - ONNX TopK by comparisons --------------------------------===//

#include "Reduction.h"

#include <limits>

using namespace mlir;
using namespace forge;

// Comparing all pairs takes size^2 elements per row. Up to this limit it is cheaper than k rounds.
static constexpr int64_t kMaxPairs = 1 << 22;
// The same for pairs within groups, if rounds would take more ops.
static constexpr int64_t kMaxPairsOfGroups = 1 << 24;
// The most rounds, each of which is nine ops; and the most of them that are cheaper than groups, whose pairs take more
// memory.
static constexpr int64_t kMaxRounds = 64, kFewRounds = 8;

namespace {
struct Top {
  Value values, indices;
};

/// The sort key of elements along the trailing axis: a number and, for equal numbers, a position; lower ones come
/// first. NaN is larger than infinity, as in ONNX's reference (numpy); it is the smallest if `x` is negated
/// (`reversed`). onnxruntime's order depends on the positions of NaNs.
struct Order {
  Expr number, position;

  Order(ForgeBuilder &b, Expr x, bool reversed)
      : number(x), position(iota(b, shapeOf(x).back(), rankOf(x) - 1, rankOf(x))) {
    if (!x.isFloat())
      return;
    double sign = reversed ? -1 : 1;
    Expr isNaN = x != x;
    number = select(isNaN, sign * std::numeric_limits<double>::infinity(), x);
    // Puts NaN before or after all infinities, which have the same number.
    Expr ofNaN = position - sign * static_cast<double>(shapeOf(x).back());
    position = select(isNaN, ofNaN, position);
  }
};

} // namespace

// A number that no element of `x` is below. Only constants can be beyond 32 bits.
static double lowerBound(Expr x) {
  if (x.isFloat())
    return -std::numeric_limits<double>::infinity();
  DenseElementsAttr known = knownValue(x);
  bool isWide = known && llvm::any_of(intValues(known), [](int64_t value) { return value < INT32_MIN; });
  return static_cast<double>(isWide ? INT64_MIN : INT32_MIN);
}

// The k largest elements along the trailing axis, ties by lower index. The rank of an element is the number of elements
// that precede it in the order, and the element of rank r is result r. Exact for infinities and the lowest integers.
// `indices` has the index of each element; by default, it is the position.
static Top topByRank(ForgeBuilder &b, Expr x, int64_t k, bool reversed, OptionalOperand indices = {}) {
  SmallVector<int64_t> shape(shapeOf(x)), row(shape), column(shape);
  int64_t rank = shape.size(), size = shape.back();
  row.insert(row.end() - 1, 1); // [..., 1, size]
  column.push_back(1);          // [..., size, 1]
  Order order(b, x, reversed);
  auto inRow = [&](Expr value) { return Expr(b, b.reshape(value, row)); };
  auto inColumn = [&](Expr value) { return Expr(b, b.reshape(value, column)); };
  Expr earlier = x.isFloat() ? inRow(order.position) < inColumn(order.position)
                             : iota(b, size, rank, rank + 1) < iota(b, size, rank - 1, rank + 1);
  Expr mine = inColumn(order.number), other = inRow(order.number);
  Expr before = eitherOf(other > mine, bothOf(other == mine, earlier));
  Type number = b.getI32Type();
  Expr position(b, b.create<ReduceSumOp>(Value(before.cast(number)), int64_t(-1), /*keep_dim=*/false));
  // [..., k, size]: true for the element i that is result r. The host may widen the sum of integers, hence the cast.
  Expr chosen = inRow(position.cast(number)) == iota(b, k, rank - 1, rank + 1);
  auto pick = [&](Expr source, double lowest) {
    return b.create<ReduceMaxOp>(Value(select(chosen, source, lowest)), int64_t(-1), /*keep_dim=*/false);
  };
  Value values = pick(inRow(x), lowerBound(x));
  return {values, pick(indices.value ? inRow({b, indices}) : iota(b, size, rank, rank + 1), 0)};
}

// The k largest elements of each group of at least 2k elements and the elements after the last group, of which the same
// are taken, until all pairs of the rest can be compared. The elements of a group are in its order, and the groups in
// that of the axis, so that of equal elements the one with the lower index comes first throughout.
static Top topByGroups(ForgeBuilder &b, Expr x, int64_t k, bool reversed) {
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t size = shape.back(), rows = numElements(x) / size;
  Value values = b.reshape(x, {rows, size}), indices = b.expand(iota(b, size, 1, 2), {rows, size});
  while (rows * size > kMaxPairsOfGroups / size) {
    int64_t group = kMaxPairsOfGroups / (rows * size), groups = size / group, grouped = groups * group;
    auto inGroups = [&](Value value) { return b.reshape(b.slice(value, 1, 0, grouped), {rows, groups, group}); };
    Top top = topByRank(b, {b, inGroups(values)}, k, reversed, {inGroups(indices)});
    auto withRest = [&](Value taken, Value all) {
      taken = b.reshape(taken, {rows, groups * k});
      return grouped == size ? taken : b.concatenate({taken, b.slice(all, 1, grouped, size)}, 1);
    };
    values = withRest(top.values, values);
    indices = withRest(top.indices, indices);
    size += groups * k - grouped;
    if (!values || !indices)
      return {};
  }
  Top top = topByRank(b, {b, values}, k, reversed, {indices});
  shape.back() = k;
  return {b.reshape(top.values, shape), b.reshape(top.indices, shape)};
}

// Finds one maximum per round, among the elements that are left.
static Top topByRounds(ForgeBuilder &b, Expr x, int64_t k, bool reversed) {
  int64_t rank = rankOf(x), size = shapeOf(x).back();
  Order order(b, x, reversed);
  Expr positions = iota(b, size, rank - 1, rank);
  Type number = b.getI32Type();
  Expr left(b, b.splat(tensorType(x).clone(b.getI1Type()), 1));
  SmallVector<Value> values, indices;
  auto greatest = [&](Expr of) { return Expr(b, b.create<ReduceMaxOp>(Value(of), int64_t(-1), /*keep_dim=*/true)); };
  for (int64_t round = 0; round < k; ++round) {
    Expr largest = greatest(select(left, order.number, lowerBound(x)));
    Expr candidates = bothOf(left, order.number == largest).cast(number);
    // The one with the lowest position key, which need not be the first.
    Expr index =
        argMax(x.isFloat() ? candidates * (2.0 * static_cast<double>(size) - order.position) : candidates, rank - 1);
    Expr taken = positions == index;
    values.push_back(x.isFloat() ? greatest(select(taken, x, lowerBound(x))) : largest);
    indices.push_back(index);
    left = bothOf(left, positions != index);
  }
  return {b.concatenate(values, rank - 1), b.concatenate(indices, rank - 1)};
}

// ONNX requires the operand k to be one integer in a tensor of rank 1. onnxruntime refuses a scalar, too.
static int64_t readK(OnnxNode &n) {
  SmallVector<int64_t> k = n.constantInts(1, "k");
  if (n.failed())
    return 0;
  if (RankedTensorType type = tensorType(n.input(1)); type.getRank() != 1 || k.size() != 1) {
    n.refuse(Code::ElementCount, "k (input 1) must have rank 1 and one element, but has rank " + Twine(type.getRank()) +
                                     " and " + Twine(k.size()) + " elements");
    return 0;
  }
  return k.front();
}

// TopK (since 1, 10, 11, 24). A sorted result is one of the orders `sorted` = 0 allows.
Values forge::convertTopK(OnnxNode &n, ForgeBuilder &b) {
  Value input = n.input(0);
  int64_t k = n.since() < 10 ? n.intAttr("k") : readK(n);
  bool largest = n.since() < 11 || n.flagAttr("largest", true);
  if (n.since() >= 11)
    (void)n.flagAttr("sorted", true);
  int64_t axis = n.axisAttr(input, -1);
  if (n.failed())
    return {};
  int64_t size = shapeOf(input)[axis], last = rankOf(input) - 1;
  if (k < 0 || k > size)
    return n.refuse(Code::OutOfRange, "k = " + Twine(k) + " is outside an axis of size " + Twine(size));
  Type element = elementOf(input), index = b.getI64Type();
  SmallVector<int64_t> shape = withSize(shapeOf(input), axis, k);
  if (ShapedType::getNumElements(shape) == 0)
    return {b.splat(RankedTensorType::get(shape, element), 0), b.splat(RankedTensorType::get(shape, index), 0)};
  bool byRank = numElements(input) <= kMaxPairs / size;
  bool byGroups = k > kFewRounds && numElements(input) <= kMaxPairsOfGroups / (2 * k);
  if (!byRank && !byGroups && k > kMaxRounds)
    return n.refuse(Code::TooMuchToUnroll, "of " + Twine(numElements(input) / size) + " x " + Twine(size) +
                                               " elements, the device can take " +
                                               Twine(std::max(kMaxRounds, kMaxPairsOfGroups / 2 / numElements(input))) +
                                               " per row at most, but k is " + Twine(k));
  Expr x = comparable({b, b.swapAxes(input, axis, last)});
  if (!largest)
    x = orderReversed(x);
  if (!x)
    return {};
  Top top = byRank     ? topByRank(b, x, k, !largest)
            : byGroups ? topByGroups(b, x, k, !largest)
                       : topByRounds(b, x, k, !largest);
  Expr values(b, top.values);
  if (!largest)
    values = orderReversed(values);
  return {b.swapAxes(values.cast(element), axis, last), b.swapAxes(b.cast(top.indices, index), axis, last)};
}
