//===- MovementChains.cpp - reshapes and transposes in a row --------------===//
//
// What a chain of movement does is one index map, and is done in the fewest steps that do the same. These rewrites ask
// nothing of the readers of the last value, which stays what it is; values between that others read stay, too.
//
//===----------------------------------------------------------------------===//

#include "MovementSteps.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/MovementChains.h"

using namespace mlir;
using namespace forge;

using Digit = IndexMap::Digit;
using Digits = IndexMap::Digits;

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

namespace {
/// Reshapes and transposes, the last one first.
struct Chain {
  /// Those that end with `last`. With `onlyReader` each but the last is read by the next one alone.
  Chain(Operation *last, bool onlyReader) {
    constexpr size_t kMost = 16;
    for (Operation *op = last; (isReshape(op) || isa_and_nonnull<TransposeOp>(op)) && ops.size() < kMost &&
                               (op == last || !onlyReader || op->hasOneUse());
         op = op->getOperand(0).getDefiningOp())
      ops.push_back(op);
  }

  Value source() const { return ops.back()->getOperand(0); }
  bool mixes() const { return llvm::any_of(ops, llvm::IsaPred<TransposeOp>) && llvm::any_of(ops, isReshape); }
  // Those that nothing reads any more when nothing reads the last one.
  ArrayRef<Operation *> ownOps() const {
    return ArrayRef(ops).take_until([&](Operation *op) { return op != ops.front() && !op->hasOneUse(); });
  }
  // Neighbouring transposes are one.
  size_t kernels() const {
    size_t count = 0;
    ArrayRef<Operation *> own = ownOps();
    for (auto [index, op] : llvm::enumerate(own))
      count += index == 0 || !isa<TransposeOp>(op) || !isa<TransposeOp>(own[index - 1]);
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
  SmallVector<Operation *> ops;
};

/// A chain of reshapes and transposes in fewer calls, which are no more kernels, or as one reshape where a transpose
/// moves no element past another. Without `mixed` reshapes and transposes stay apart, and what comes of both is
/// transposes alone: the order of channels is found by those.
template <typename OpTy>
struct JoinMoves : OpRewritePattern<OpTy> {
  JoinMoves(MLIRContext *context, bool mixed) : OpRewritePattern<OpTy>(context), mixed(mixed) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    // The chain that gains most, the shorter one of two that gain as much.
    std::optional<std::pair<Chain, Steps>> best;
    Gain most{0, 0};
    for (Chain chain(op, /*onlyReader=*/false); !chain.ops.empty(); chain.ops.pop_back()) {
      std::optional<IndexMap> map = IndexMap::of(chain.ops);
      std::optional<Steps> steps = map ? stepsOf(*map, shapeOf(chain.source())) : std::nullopt;
      std::optional<Gain> gain = steps ? gainOf(*steps, chain) : std::nullopt;
      if (!gain || (best && (*gain < most || *gain == Gain{0, 0})))
        continue;
      best = std::pair(chain, *steps);
      most = *gain;
    }
    return best ? replace(op, best->first, best->second, rewriter) : failure();
  }

private:
  using Gain = std::pair<int64_t, int64_t>; ///< calls, and such that are transposes

  // What is gained by `steps` in the place of a chain; none where they are not better.
  std::optional<Gain> gainOf(const Steps &steps, const Chain &chain) const {
    if (chain.mixes() && ((!mixed && steps.reshapes() > 0) || !chain.hasRankFor(steps)))
      return std::nullopt;
    ArrayRef<Operation *> own = chain.ownOps();
    int64_t transposes = llvm::count_if(own, llvm::IsaPred<TransposeOp>);
    Gain gain{static_cast<int64_t>(own.size()) - static_cast<int64_t>(steps.calls()),
              transposes - static_cast<int64_t>(steps.swaps.size())};
    // A reshape of something earlier is as good: what is between may be read by nothing else later.
    bool isEarlier = gain == Gain{0, 0} && steps.swaps.empty() && chain.ops.size() > 1;
    bool splits = chain.mixes() && steps.kernels() == chain.kernels() && chain.splitsHeads();
    bool isBetter = (gain > Gain{0, 0} || isEarlier) && steps.kernels() <= chain.kernels() && !splits;
    return isBetter ? std::optional(gain) : std::nullopt;
  }

  static LogicalResult replace(OpTy op, const Chain &chain, const Steps &steps, PatternRewriter &rewriter) {
    Value source = chain.source();
    // Reshapes between may have no other reader: then the source is what is left of them.
    for (Operation *between : llvm::reverse(ArrayRef(chain.ops).drop_front())) {
      if (!isReshape(between))
        break;
      takeTrace(source, between->getResult(0));
    }
    if (steps.calls() == 0)
      return replaceWith(rewriter, op, source);
    rewriter.replaceOp(op, steps.build(rewriter, source, op.getLoc()));
    return success();
  }

  bool mixed;
};

/// All users of `op` are slices of one index of an axis, and remove that axis of size 1. Its position is therefore
/// free, and it is kept joined to the axis that it was split from, or that follows it, so that fewer axes are permuted.
///
///     [B, S, 3 H D] -> [B, S, 3, H, D] -> [3, B, H, S, D], of which items are [1, B, H, S, D]
///     [B, S, 3 H D] -> [B, S, 3 H, D] -> [B, 3 H, S, D], of which slices are [B, H, S, D]
template <typename OpTy>
struct SlicesOfMoves : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = axisOfItems(op);
    Chain chain(op, /*onlyReader=*/true);
    std::optional<IndexMap> map =
        axis && llvm::any_of(chain.ops, llvm::IsaPred<TransposeOp>) ? IndexMap::of(chain.ops) : std::nullopt;
    auto axes = map ? map->axes() : std::nullopt;
    if (!axes || (*axes)[*axis].size() != 1)
      return failure();
    // The axis that begins with the next digit of the source.
    Digit items = (*axes)[*axis].front();
    auto *next = llvm::find_if(
        *axes, [&](ArrayRef<Digit> each) { return !each.empty() && each[0].size * each[0].stride == items.stride; });
    if (next == axes->end())
      return failure();
    // The value with those axes as one, of which each item is a slice.
    int64_t at = next - axes->begin(), size = op.getType().getDimSize(at);
    Shape shape(op.getType().getShape());
    SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(shape.size())));
    order.erase(order.begin() + *axis);
    order.insert(llvm::find(order, at), *axis);
    bool isMap = map->permute(order);
    shape[at] *= shape[*axis];
    shape.erase(shape.begin() + *axis);
    at -= at > *axis ? 1 : 0;
    std::optional<Steps> steps = isMap && map->reshape(shape) ? stepsOf(*map, shapeOf(chain.source())) : std::nullopt;
    if (!steps || steps->calls() > chain.ops.size() || steps->kernels() > chain.kernels() || !chain.hasRankFor(*steps))
      return failure();
    Value whole = steps->build(rewriter, chain.source(), withoutTrace(op.getLoc()));
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

/// What is repeated along an axis that is there for that alone: repeats of an axis of the source, or of its items each
/// by itself, do the same.
struct RepeatOfAxis : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto repeat = op.getOperandA().getDefiningOp<RepeatOp>();
    Operation *apart = repeat ? repeat.getOperandA().getDefiningOp() : nullptr;
    std::optional<IndexMap> map =
        isReshape(apart) && repeat->hasOneUse() ? IndexMap::of({op, repeat, apart}) : std::nullopt;
    if (!map)
      return failure();
    Value source = apart->getOperand(0);
    int64_t rank = tensorType(source).getRank();
    int64_t count = op.getType().getNumElements() / tensorType(source).getNumElements();
    auto isRepeat = [&](int64_t axis, bool wholes) {
      IndexMap same(shapeOf(source));
      return same.repeat(axis, count, wholes) && same == *map;
    };
    for (int64_t axis = 0; axis < rank && count > 1; ++axis) {
      SmallVector<int64_t> repeats(rank, 1);
      repeats[axis] = count;
      if (isRepeat(axis, /*wholes=*/false))
        rewriter.replaceOpWithNewOp<RepeatInterleaveOp>(op, op.getType(), source, count, axis - rank);
      else if (isRepeat(axis, /*wholes=*/true))
        rewriter.replaceOpWithNewOp<RepeatOp>(op, op.getType(), source, repeats);
      else
        continue;
      return success();
    }
    return failure();
  }
};
} // namespace

template <>
void forge::populateMovesOf<ReshapeOp>(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<JoinMoves<ReshapeOp>>({"reshapes-joined"}, context, /*mixed=*/false);
  patterns.addWithLabel<SlicesOfMoves<ReshapeOp>>({"items-sliced"}, context);
  patterns.addWithLabel<RepeatOfAxis>({"items-repeated"}, context);
}

template <>
void forge::populateMovesOf<TransposeOp>(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<JoinMoves<TransposeOp>>({"transposes-joined"}, context, /*mixed=*/false);
  patterns.addWithLabel<SlicesOfMoves<TransposeOp>>({"items-sliced"}, context);
}

void forge::populateMovementChains(RewritePatternSet &patterns) {
  patterns.addWithLabel<JoinMoves<ReshapeOp>, JoinMoves<TransposeOp>>({"moves-joined"}, patterns.getContext(),
                                                                      /*mixed=*/true);
}
