//===- MovementSteps.cpp - index maps as reshapes and transposes ----------===//

#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/IterDomain/TensorDomain.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

using Digit = IndexMap::Digit;
using Digits = IndexMap::Digits;

int64_t forge::elementsInTiles(ArrayRef<Move> kernels) {
  int64_t count = 0;
  auto add = [&](ArrayRef<int64_t> shape) {
    int64_t elements = 1;
    for (auto [axis, size] : llvm::enumerate(shape))
      elements *= axis + 2 < shape.size() ? size : llvm::alignTo(size, itd::Tile().height);
    count += elements;
  };
  for (const auto &[from, to] : kernels) {
    add(from);
    add(to);
  }
  return count;
}

SmallVector<Move> Steps::kernels() const {
  SmallVector<Move> moves;
  if (from != apart)
    moves.push_back({from, apart});
  if (!swaps.empty())
    moves.push_back({apart, swapped()});
  if (swapped() != to)
    moves.push_back({swapped(), to});
  return moves;
}

Value Steps::build(OpBuilder &builder, Value source, Location loc) const {
  RankedTensorType type = tensorType(source);
  Location between = withoutTrace(loc);
  if (from != apart)
    source = ReshapeOp::create(builder, between, type.clone(apart), source, apart);
  for (AxisSwap swap : swaps) {
    Shape shape(shapeOf(source));
    std::swap(shape[swap.first], shape[swap.second]);
    auto rank = static_cast<int64_t>(shape.size());
    source = TransposeOp::create(builder, between, type.clone(shape), source, swap.first - rank, swap.second - rank);
  }
  if (swapped() != to)
    source = ReshapeOp::create(builder, between, type.clone(to), source, to);
  if (calls() > 0)
    source.getDefiningOp()->setLoc(loc);
  return source;
}

// The swaps of the permutation `order`, where axis i of the result is axis order[i] of the source. A cycle of n axes
// takes n - 1 swaps.
static SmallVector<AxisSwap> swapsFor(SmallVector<int64_t> order) {
  SmallVector<AxisSwap> swaps;
  for (int64_t i = 0; i < static_cast<int64_t>(order.size()); ++i)
    while (order[i] != i) {
      swaps.push_back({i, order[i]});
      std::swap(order[i], order[order[i]]);
    }
  std::reverse(swaps.begin(), swaps.end());
  return swaps;
}

// The steps that reshape the source to the sizes of `before`, swap these axes to the order `after`, and reshape to
// `to`. `before` and `after` have the same axes, which are given with their strides in the source, because several may
// have one size. Axes of size 1 have no stride; they keep their positions if possible.
static Steps stepsBetween(ArrayRef<Digit> before, ArrayRef<Digit> after, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Steps steps{Shape(from), {}, Shape(to), {}};
  for (Digit axis : before)
    steps.apart.push_back(axis.size);
  SmallVector<int64_t> order, moved; // the permutation; the axes of size 1 that do not keep their positions
  for (auto [position, axis] : llvm::enumerate(before))
    if (axis.size == 1 && after[position].size != 1)
      moved.push_back(position);
  for (auto [position, axis] : llvm::enumerate(after)) {
    if (axis.size != 1)
      order.push_back(llvm::find(before, axis) - before.begin());
    else if (before[position].size == 1)
      order.push_back(position);
    else
      order.push_back(moved.pop_back_val());
  }
  steps.swaps = swapsFor(order);
  return steps;
}

// `digits` with axes of size 1 inserted where `like` has them; none if the numbers of other axes differ.
static std::optional<Digits> withOnesOf(ArrayRef<int64_t> like, ArrayRef<Digit> digits) {
  Digits made;
  for (int64_t size : like) {
    if (size == 1)
      made.push_back({1, 0});
    else if (digits.empty())
      return std::nullopt;
    else
      made.push_back(std::exchange(digits, digits.drop_front()).front());
  }
  return digits.empty() ? std::optional(made) : std::nullopt;
}

// `digits` in the order that they have in the source.
static Digits bySource(ArrayRef<Digit> digits) {
  Digits sorted(digits);
  llvm::sort(sorted, [](Digit a, Digit b) { return a.stride > b.stride; });
  return sorted;
}

// The digit of each axis whose size is not 1; none if an axis has several digits.
static std::optional<Digits> digitOfEachAxis(const IndexMap &map) {
  Digits made;
  auto axes = map.axes();
  if (!axes || llvm::any_of(*axes, [](ArrayRef<Digit> axis) { return axis.size() > 1; }))
    return std::nullopt;
  for (ArrayRef<Digit> axis : *axes)
    made.append(axis.begin(), axis.end());
  return made;
}

// The digits of the value, but a trailing axis that remains the trailing axis is not merged with others, because norms
// and products work along it.
static Digits fewestDigits(const IndexMap &map, ArrayRef<int64_t> from) {
  Digits digits(map.getDigits());
  int64_t last = from.empty() ? 1 : from.back();
  if (map.shape().empty() || map.shape().back() != last || last == 1)
    return digits;
  if (Digit inner = digits.back(); inner.stride == 1 && inner.size > last && inner.size % last == 0) {
    digits.back() = {inner.size / last, last};
    digits.push_back({last, 1});
  }
  return digits;
}

// The axes of the source, with their strides in the source, in the order that they have in the value, to which
// `inverse` maps the source. None if the elements of an axis are not evenly spaced in the value.
static std::optional<Digits> axesOfSource(const IndexMap &inverse) {
  std::optional<Digits> inValue = digitOfEachAxis(inverse);
  if (!inValue)
    return std::nullopt;
  SmallVector<std::pair<int64_t, Digit>> made; // each axis after its stride in the value
  int64_t stride = IndexMap::elementsOf(inverse.shape());
  for (Digit axis : *inValue)
    made.push_back({axis.stride, {axis.size, stride /= axis.size}});
  llvm::sort(made, [](const auto &a, const auto &b) { return a.first > b.first; });
  return llvm::to_vector_of<Digit>(llvm::make_second_range(made));
}

std::optional<Steps> forge::stepsOf(const IndexMap &map, ArrayRef<int64_t> from) {
  ArrayRef<int64_t> to = map.shape();
  std::optional<IndexMap> inverse = map.inverse(from);
  if (!inverse)
    return std::nullopt;
  Digits fewest = fewestDigits(map, from);
  Steps best = stepsBetween(bySource(fewest), fewest, from, to);
  auto consider = [&](const std::optional<Digits> &before, const std::optional<Digits> &after) {
    if (!before || !after || before->size() != after->size())
      return;
    Steps steps = stepsBetween(*before, *after, from, to);
    if (steps.cost() < best.cost())
      best = steps;
  };
  // Swaps of the axes of the result; of the axes of the source; and of all axes if both have the same ones, so that
  // no reshape is needed.
  std::optional<Digits> ofResult = digitOfEachAxis(map), ofSource = axesOfSource(*inverse);
  if (ofResult)
    consider(withOnesOf(to, bySource(*ofResult)), withOnesOf(to, *ofResult));
  if (ofSource)
    consider(withOnesOf(from, bySource(*ofSource)), withOnesOf(from, *ofSource));
  if (ofResult && ofSource)
    consider(withOnesOf(from, bySource(*ofResult)), withOnesOf(to, *ofResult));
  return best;
}

std::optional<Steps> forge::stepsOfBlocks(const IndexMap &map, ArrayRef<int64_t> from, ArrayRef<int64_t> block) {
  Digits digits(map.getDigits());
  int64_t stride = IndexMap::elementsOf(block);
  if (digits.size() < 3 || !(digits.back() == Digit{stride, 1}) || !map.inverse(from))
    return std::nullopt;
  digits.pop_back();
  for (int64_t size : block)
    digits.push_back({size, stride /= size});
  Digits before = bySource(digits);
  // If the axes are those of the value but for axes of size 1, these are kept, so that no reshape has to insert them.
  ArrayRef<int64_t> to = map.shape();
  if (std::optional<Digits> kept = withOnesOf(to, digits);
      kept && llvm::equal(*kept, to, [](Digit axis, int64_t size) { return axis.size == size; }))
    return stepsBetween(*withOnesOf(to, before), *kept, from, to);
  return stepsBetween(before, digits, from, to);
}

MoveChain MoveChain::endingWith(Operation *last, bool areReadOnce) {
  constexpr size_t kMostOps = 16; // Bounds the time of searches for the best part of a chain.
  MoveChain chain;
  for (Operation *op = last; (isReshape(op) || isa_and_nonnull<TransposeOp>(op)) && chain.ops.size() < kMostOps &&
                             (op == last || !areReadOnce || op->hasOneUse());
       op = op->getOperand(0).getDefiningOp())
    chain.ops.push_back(op);
  return chain;
}

ArrayRef<Operation *> MoveChain::deadOps() const {
  return ArrayRef(ops).take_until([&](Operation *op) { return op != ops.front() && !op->hasOneUse(); });
}

bool MoveChain::hasRankFor(const Steps &steps) const {
  auto rank = static_cast<int64_t>(steps.apart.size());
  return rank <= tensorType(source()).getRank() ||
         llvm::any_of(ops, [&](Operation *op) { return rank <= tensorType(op->getResult(0)).getRank(); });
}

void MoveChain::moveTracesToSource() const {
  for (Operation *op : llvm::reverse(ArrayRef(ops).drop_front())) {
    if (!isReshape(op))
      return;
    takeTrace(source(), op->getResult(0));
  }
}
