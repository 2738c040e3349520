//===- MovementSteps.cpp - reorderings of a tensor in few steps -----------===//

#include "MovementSteps.h"

#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

bool Digits::reshape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> left;
  for (ArrayRef<int64_t> axis : llvm::reverse(axes))
    left.append(axis.rbegin(), axis.rend());
  SmallVector<SmallVector<int64_t>> made;
  for (int64_t size : shape) {
    made.emplace_back();
    while (size != 1) {
      int64_t digit = left.pop_back_val(), own = sizes[digit];
      if (own > size && own % size == 0) {
        // Its outer part belongs to this axis.
        int64_t rest = sizes.size();
        sizes[digit] = size;
        sizes.push_back(own / size);
        source.insert(llvm::find(source, digit) + 1, rest);
        left.push_back(rest);
        own = size;
      }
      if (size % own != 0)
        return false;
      made.back().push_back(digit);
      size /= own;
    }
  }
  axes = std::move(made);
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value Steps::build(PatternRewriter &rewriter, Value source, Location loc) const {
  RankedTensorType type = tensorType(source);
  Location between = withoutTrace(loc);
  if (from != apart)
    source = ReshapeOp::create(rewriter, between, type.clone(apart), source, apart);
  for (AxisSwap swap : swaps) {
    Shape shape(shapeOf(source));
    std::swap(shape[swap.first], shape[swap.second]);
    auto rank = static_cast<int64_t>(shape.size());
    source = TransposeOp::create(rewriter, between, type.clone(shape), source, swap.first - rank, swap.second - rank);
  }
  if (turned() != to)
    source = ReshapeOp::create(rewriter, between, type.clone(to), source, to);
  if (Operation *last = source.getDefiningOp(); last && calls() > 0)
    last->setLoc(loc);
  return source;
}

// Digits that move together: the place of the first in the source, and how many.
using Part = std::pair<int64_t, int64_t>;

// Runs of digits that are neighbours, in order, in the source and in the value: the places of their first digits in the
// value, and at the end the number of digits. A last axis that stays the last stays an axis: norms and products are
// over it.
static SmallVector<int64_t> runsOf(const Digits &digits, ArrayRef<int64_t> order, int64_t last) {
  SmallVector<int64_t> begins;
  auto count = static_cast<int64_t>(order.size()), kept = static_cast<int64_t>(digits.axes.back().size());
  bool keepsLast = digits.sizeOf(digits.axes.back()) == last && kept > 0 && order[count - kept] == count - kept;
  for (int64_t i = 0; i < count; ++i)
    if (i == 0 || order[i] != order[i - 1] + 1 || (keepsLast && i == count - kept))
      begins.push_back(i);
  begins.push_back(count);
  return begins;
}

// Swaps of whole parts, which are in the order of the result. The tensor has an axis for each, and `ones` axes of size
// 1 at these places of the result.
static Steps stepsFor(const Digits &digits, ArrayRef<Part> parts, ArrayRef<int64_t> ones, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to) {
  auto rank = static_cast<int64_t>(parts.size() + ones.size());
  SmallVector<int64_t> places =
      llvm::filter_to_vector(llvm::seq<int64_t>(rank), [&](int64_t place) { return !llvm::is_contained(ones, place); });
  SmallVector<Part> sorted(parts);
  llvm::sort(sorted);
  Steps steps{Shape(from), Shape(rank, 1), Shape(to), {}};
  SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(rank)));
  for (auto [index, place] : llvm::enumerate(places)) {
    for (int64_t digit = sorted[index].first; digit < sorted[index].first + sorted[index].second; ++digit)
      steps.apart[place] *= digits.sizeAt(digit);
    order[place] = places[llvm::find(sorted, parts[index]) - sorted.begin()];
  }
  steps.swaps = swapsFor(order);
  return steps;
}

Steps forge::bestSteps(const Digits &digits, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> order = digits.order();
  SmallVector<int64_t> runs = runsOf(digits, order, from.back());
  SmallVector<Part> parts;
  for (size_t run = 0; run + 1 < runs.size(); ++run)
    parts.push_back({order[runs[run]], runs[run + 1] - runs[run]});
  Steps best = stepsFor(digits, parts, {}, from, to);
  auto onesOf = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> ones;
    for (auto [place, size] : llvm::enumerate(shape))
      if (size == 1)
        ones.push_back(place);
    return ones;
  };
  auto consider = [&](ArrayRef<Part> parts, ArrayRef<int64_t> shape) {
    Steps steps = stepsFor(digits, parts, onesOf(shape), from, to);
    if (std::pair(steps.calls(), steps.kernels()) < std::pair(best.calls(), best.kernels()))
      best = steps;
  };
  // Each axis of the result is one part of the source.
  SmallVector<Part> ofResult;
  size_t next = 0;
  bool isWhole = true;
  for (ArrayRef<int64_t> axis : digits.axes) {
    if (axis.empty())
      continue;
    for (size_t i = 1; i < axis.size(); ++i)
      isWhole &= order[next + i] == order[next + i - 1] + 1;
    ofResult.push_back({order[next], axis.size()});
    next += axis.size();
  }
  if (isWhole)
    consider(ofResult, to);
  // Each axis of the source is one part of the result.
  SmallVector<Part> ofSource;
  int64_t place = 0;
  SmallVector<int64_t> begins;
  for (int64_t size : from) {
    if (size == 1)
      continue;
    int64_t begin = place;
    for (int64_t own = 1; own < size; ++place)
      own *= digits.sizeAt(place);
    begins.push_back(begin);
  }
  begins.push_back(place);
  isWhole = true;
  for (size_t at = 0; at < order.size() && isWhole;) {
    const int64_t *begin = llvm::find(begins, order[at]);
    isWhole = begin != begins.end();
    for (int64_t digit = order[at]; isWhole && digit < *(begin + 1); ++digit, ++at)
      isWhole = at < order.size() && order[at] == digit;
    if (isWhole)
      ofSource.push_back({*begin, *(begin + 1) - *begin});
  }
  if (isWhole)
    consider(ofSource, from);
  return best;
}
