//===- MovementChains.cpp - reshapes and transposes in a row --------------===//
//
// A chain of reshapes and transposes takes the axes of a tensor apart into digits, as of a number, and puts the digits
// together in another order. What it does is known from the two orders, and can be done in fewer steps.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/MovementChains.h"

#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

AxisSwap forge::swapOf(TransposeOp op) {
  int64_t rank = op.getType().getRank();
  return {fromFront(op.getDim0(), rank), fromFront(op.getDim1(), rank)};
}

SmallVector<AxisSwap> forge::swapsFor(SmallVector<int64_t> order) {
  SmallVector<AxisSwap> swaps;
  for (int64_t i = 0; i < static_cast<int64_t>(order.size()); ++i)
    while (order[i] != i) {
      swaps.push_back({i, order[i]});
      std::swap(order[i], order[order[i]]);
    }
  std::reverse(swaps.begin(), swaps.end());
  return swaps;
}

bool forge::isReshape(Operation *op) { return isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp>(op); }

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

namespace {
using Shape = SmallVector<int64_t>;

/// A value as digits of another one, its source. Axes of size 1 have none.
class Digits {
public:
  /// The source itself; its sizes are positive.
  explicit Digits(ArrayRef<int64_t> shape) {
    for (int64_t size : shape) {
      axes.emplace_back();
      if (size == 1)
        continue;
      axes.back().push_back(sizes.size());
      source.push_back(sizes.size());
      sizes.push_back(size);
    }
  }

  void transpose(AxisSwap swap) { std::swap(axes[swap.first], axes[swap.second]); }
  /// False where an axis is no product of digits, or of parts of them.
  bool reshape(ArrayRef<int64_t> shape);

  /// The place of each digit in the source, in the order of the value.
  SmallVector<int64_t> order() const {
    SmallVector<int64_t> places;
    for (ArrayRef<int64_t> axis : axes)
      for (int64_t digit : axis)
        places.push_back(llvm::find(source, digit) - source.begin());
    return places;
  }

  /// The digit behind another one in the source.
  std::optional<int64_t> after(int64_t digit) const {
    const int64_t *next = llvm::find(source, digit) + 1;
    return next == source.end() ? std::nullopt : std::optional(*next);
  }

  int64_t sizeOf(ArrayRef<int64_t> axis) const {
    int64_t size = 1;
    for (int64_t digit : axis)
      size *= sizes[digit];
    return size;
  }
  int64_t sizeAt(int64_t place) const { return sizes[source[place]]; }

  SmallVector<SmallVector<int64_t>> axes; ///< digits of each axis of the value

private:
  SmallVector<int64_t> sizes;  ///< of each digit
  SmallVector<int64_t> source; ///< digits in the order of the source
};
} // namespace

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

namespace {
/// A reshape, swaps of axes, a reshape, as far as they are needed.
struct Steps {
  Shape from, apart, to;
  SmallVector<AxisSwap> swaps;

  Shape turned() const {
    Shape shape = apart;
    for (AxisSwap swap : swaps)
      std::swap(shape[swap.first], shape[swap.second]);
    return shape;
  }
  size_t kernels() const { return (from != apart) + !swaps.empty() + (turned() != to); }
  size_t calls() const { return kernels() + swaps.size() - !swaps.empty(); }

  Value build(PatternRewriter &rewriter, Value source, Location loc) const;
};
} // namespace

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

// Swaps of whole parts: `parts` are sets of digits, by their first and number of places in the source, in the order of
// the result. The tensor has an axis for each, and `ones` axes of size 1 at these places of the result.
static Steps stepsFor(const Digits &digits, ArrayRef<AxisSwap> parts, ArrayRef<int64_t> ones, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to) {
  auto rank = static_cast<int64_t>(parts.size() + ones.size());
  SmallVector<int64_t> places =
      llvm::filter_to_vector(llvm::seq<int64_t>(rank), [&](int64_t place) { return !llvm::is_contained(ones, place); });
  SmallVector<AxisSwap> sorted(parts);
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

// The fewest of the steps that make the digits from the source: on the axes of the source, on those of the result, or
// on as few as there can be.
static Steps bestSteps(const Digits &digits, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> order = digits.order();
  SmallVector<int64_t> runs = runsOf(digits, order, from.back());
  SmallVector<AxisSwap> parts;
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
  auto consider = [&](ArrayRef<AxisSwap> parts, ArrayRef<int64_t> shape) {
    Steps steps = stepsFor(digits, parts, onesOf(shape), from, to);
    if (std::pair(steps.calls(), steps.kernels()) < std::pair(best.calls(), best.kernels()))
      best = steps;
  };
  // Each axis of the result is one part of the source.
  SmallVector<AxisSwap> ofResult;
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
  SmallVector<AxisSwap> ofSource;
  next = 0;
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

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

namespace {
/// Reshapes and transposes, the last one first, each of which but the last only the next one reads.
struct Chain {
  explicit Chain(Operation *last) {
    constexpr size_t kMost = 16;
    for (Operation *op = last;
         (isReshape(op) || isa_and_nonnull<TransposeOp>(op)) && ops.size() < kMost && (op == last || op->hasOneUse());
         op = op->getOperand(0).getDefiningOp())
      ops.push_back(op);
  }

  Value source() const { return ops.back()->getOperand(0); }
  size_t kernels() const {
    size_t count = 0;
    for (auto [index, op] : llvm::enumerate(ops))
      count += index == 0 || !isa<TransposeOp>(op) || !isa<TransposeOp>(ops[index - 1]);
    return count;
  }
  // The device limits ranks.
  bool hasRankFor(const Steps &steps) const {
    auto rank = static_cast<int64_t>(steps.apart.size());
    return rank <= tensorType(source()).getRank() ||
           llvm::any_of(ops, [&](Operation *op) { return rank <= tensorType(op->getResult(0)).getRank(); });
  }
  // Whether [B, S, N] becomes [B, S, H, D] first: --forge-kernel-forms joins heads.
  bool splitsHeads() const {
    ArrayRef<int64_t> columns = shapeOf(source()), heads = shapeOf(ops.back()->getResult(0));
    return isReshape(ops.back()) && columns.size() == 3 && heads.size() == 4 &&
           columns.drop_back() == heads.drop_back(2);
  }
  std::optional<Digits> digits() const {
    RankedTensorType from = tensorType(source()), to = tensorType(ops.front()->getResult(0));
    if (from.getNumElements() == 0 || from.getRank() == 0 || to.getRank() == 0)
      return std::nullopt;
    Digits digits(shapeOf(source()));
    for (Operation *op : llvm::reverse(ops))
      if (auto transpose = dyn_cast<TransposeOp>(op))
        digits.transpose(swapOf(transpose));
      else if (!digits.reshape(shapeOf(op->getResult(0))))
        return std::nullopt;
    return digits;
  }

  SmallVector<Operation *> ops;
};

/// A chain of reshapes and transposes in fewer calls, which are no more kernels.
template <typename OpTy>
struct JoinMoves : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Chain chain(op);
    bool mixes = llvm::any_of(chain.ops, llvm::IsaPred<TransposeOp>) && llvm::any_of(chain.ops, isReshape);
    std::optional<Digits> digits = mixes ? chain.digits() : std::nullopt;
    if (!digits)
      return failure();
    Steps steps = bestSteps(*digits, shapeOf(chain.source()), op.getType().getShape());
    if (steps.calls() >= chain.ops.size() || steps.kernels() > chain.kernels() || !chain.hasRankFor(steps) ||
        (steps.kernels() == chain.kernels() && chain.splitsHeads()))
      return failure();
    Value value = steps.build(rewriter, chain.source(), op.getLoc());
    if (steps.calls() == 0)
      takeTrace(value, op);
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// What `op` gives is read by slices of one item each of an axis, which then has size 1 and goes: the axis may stand
/// anywhere. In front of the one that it was split from, or that came behind it, it is no axis of its own.
///
///     [B, S, 3 H D] -> [B, S, 3, H, D] -> [3, B, H, S, D], of which items are [1, B, H, S, D]
///     [B, S, 3 H D] -> [B, S, 3 H, D] -> [B, 3 H, S, D], of which slices are [B, H, S, D]
template <typename OpTy>
struct SlicesOfMoves : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = axisOfItems(op);
    Chain chain(op);
    std::optional<Digits> digits =
        axis && llvm::any_of(chain.ops, llvm::IsaPred<TransposeOp>) ? chain.digits() : std::nullopt;
    if (!digits || digits->axes[*axis].size() != 1)
      return failure();
    // The axis that begins with the next digit of the source.
    int64_t digit = digits->axes[*axis].front();
    std::optional<int64_t> next = digits->after(digit);
    auto *behind =
        llvm::find_if(digits->axes, [&](ArrayRef<int64_t> each) { return !each.empty() && each[0] == next; });
    if (!next || behind == digits->axes.end())
      return failure();
    Shape shape(op.getType().getShape());
    int64_t at = behind - digits->axes.begin(), size = shape[at];
    behind->insert(behind->begin(), digit);
    shape[at] *= shape[*axis];
    digits->axes.erase(digits->axes.begin() + *axis);
    shape.erase(shape.begin() + *axis);
    at -= at > *axis ? 1 : 0;
    Steps steps = bestSteps(*digits, shapeOf(chain.source()), shape);
    if (steps.calls() > chain.ops.size() || steps.kernels() > chain.kernels() || !chain.hasRankFor(steps))
      return failure();
    Value whole = steps.build(rewriter, chain.source(), withoutTrace(op.getLoc()));
    for (Operation *user : llvm::to_vector(op->getUsers())) {
      auto item = cast<IndexOp>(user);
      int64_t begin = item.getStart() * size;
      rewriter.setInsertionPoint(item);
      Value part = IndexOp::create(rewriter, withoutTrace(item.getLoc()), whole, at - int64_t(shape.size()), begin,
                                   begin + size, int64_t(1));
      rewriter.replaceOp(item,
                         ReshapeOp::create(rewriter, item.getLoc(), item.getType(), part, item.getType().getShape()));
    }
    return success();
  }

private:
  static std::optional<int64_t> axisOfItems(OpTy op) {
    std::optional<int64_t> axis;
    for (Operation *user : op->getUsers()) {
      auto item = dyn_cast<IndexOp>(user);
      if (!item || item.getStop() != item.getStart() + 1 || !llvm::all_of(item->getUsers(), isReshape))
        return std::nullopt;
      int64_t own = fromFront(item.getDim(), op.getType().getRank());
      if (axis && *axis != own)
        return std::nullopt;
      axis = own;
    }
    return axis;
  }
};
} // namespace

template <typename OpTy>
void forge::populateSlicesOfMoves(RewritePatternSet &patterns) {
  patterns.addWithLabel<SlicesOfMoves<OpTy>>({"items-sliced"}, patterns.getContext());
}

template void forge::populateSlicesOfMoves<ReshapeOp>(RewritePatternSet &);
template void forge::populateSlicesOfMoves<TransposeOp>(RewritePatternSet &);

void forge::populateMovementChains(RewritePatternSet &patterns) {
  patterns.addWithLabel<JoinMoves<ReshapeOp>, JoinMoves<TransposeOp>>({"moves-joined"}, patterns.getContext());
}
