//===- MovementChains.cpp - reshapes and transposes in a row --------------===//
//
// A chain of reshapes and transposes takes the axes of a tensor apart into digits, as of a number, and puts the digits
// together in another order. What it does is known from the two orders, and can be done in fewer steps.
//
//===----------------------------------------------------------------------===//

#include "MovementSteps.h"

#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

AxisSwap forge::swapOf(TransposeOp op) {
  int64_t rank = op.getType().getRank();
  return {fromFront(op.getDim0(), rank), fromFront(op.getDim1(), rank)};
}

int64_t forge::transposedAxis(TransposeOp op, int64_t axis) {
  auto [dim0, dim1] = swapOf(op);
  return axis == dim0 ? dim1 : axis == dim1 ? dim0 : axis;
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
