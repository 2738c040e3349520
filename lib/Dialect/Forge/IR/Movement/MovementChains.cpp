//===- MovementChains.cpp - chains of reshapes and transposes -------------===//
//
// A chain of movement ops is replaced by the fewest ops with the same index map. The last value does not change, and
// values in between that have other users are kept for them, so that there are no conditions on users.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/Movement/MovementChains.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"

using namespace mlir;
using namespace forge;

using Digit = IndexMap::Digit;
using Digits = IndexMap::Digits;

// Whether the chain has reshapes and transposes.
static bool mixes(const MoveChain &chain) {
  return llvm::any_of(chain.ops, llvm::IsaPred<TransposeOp>) && llvm::any_of(chain.ops, isReshape);
}

// The kernels of the ops that become dead. Consecutive transposes are one kernel, and so are consecutive reshapes,
// which are merged whether or not the whole chain is rewritten.
static SmallVector<Move> kernelsOf(const MoveChain &chain) {
  SmallVector<Move> moves;
  Operation *next = nullptr;
  for (Operation *op : chain.deadOps()) {
    Shape from(shapeOf(op->getOperand(0)));
    if (next && isa<TransposeOp>(next) == isa<TransposeOp>(op))
      moves.back().first = from;
    else
      moves.push_back({from, Shape(shapeOf(op->getResult(0)))});
    next = op;
  }
  return moves;
}

// Whether the chain starts by splitting heads, from [B, S, N] to [B, S, H, D]. Later passes match that reshape, which
// may still be several: from [B, S, N] to [B, S, H, 1, D] and to [B, S, H, D].
static bool splitsHeads(const MoveChain &chain) {
  auto leading = llvm::reverse(chain.ops);
  auto moved = llvm::find_if_not(leading, isReshape);
  if (moved == leading.begin())
    return false;
  ArrayRef<int64_t> columns = shapeOf(chain.source()), heads = shapeOf((*std::prev(moved))->getResult(0));
  return columns.size() == 3 && heads.size() == 4 && columns.drop_back() == heads.drop_back(2);
}

namespace {
/// Rewrites a chain of reshapes and transposes to fewer calls, without more kernels, and without moving more tiles if
/// it has both kinds; or to one reshape if its transposes do not change the order of elements. Without `mixed`, a chain
/// of both kinds is rewritten to transposes only, because --forge-channels-last finds the order of channels by these.
template <typename OpTy>
struct JoinMoves : OpRewritePattern<OpTy> {
  JoinMoves(MLIRContext *context, bool mixed) : OpRewritePattern<OpTy>(context), mixed(mixed) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    // The chain with the largest gain; of two with the same gain, the shorter one. If no chain saves a call or a
    // transpose, the longest one, whose source is the earliest value (isEarlier).
    std::optional<std::pair<MoveChain, Steps>> best;
    Gain most{0, 0};
    for (MoveChain chain = MoveChain::endingWith(op); !chain.ops.empty(); chain.ops.pop_back()) {
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
  using Gain = std::pair<int64_t, int64_t>; ///< the saved calls, and the saved transposes

  // The gain of replacing the chain by `steps`; none if that is not better.
  std::optional<Gain> gainOf(const Steps &steps, const MoveChain &chain) const {
    SmallVector<Move> before = kernelsOf(chain), after = steps.kernels();
    if (mixes(chain) && ((!mixed && steps.reshapes() > 0) || !chain.hasRankFor(steps) ||
                         elementsInTiles(after) > elementsInTiles(before)))
      return std::nullopt;
    ArrayRef<Operation *> dead = chain.deadOps();
    int64_t transposes = llvm::count_if(dead, llvm::IsaPred<TransposeOp>);
    Gain gain{static_cast<int64_t>(dead.size()) - static_cast<int64_t>(steps.calls()),
              transposes - static_cast<int64_t>(steps.swaps.size())};
    // A reshape of an earlier value is better even without a gain: values in between may become dead later.
    bool isEarlier = gain == Gain{0, 0} && steps.swaps.empty() && chain.ops.size() > 1;
    // The reshape that splits heads is kept, unless a kernel is saved.
    bool keepsSplit = mixes(chain) && after.size() == before.size() && splitsHeads(chain);
    bool isBetter = (gain > Gain{0, 0} || isEarlier) && after.size() <= before.size() && !keepsSplit;
    return isBetter ? std::optional(gain) : std::nullopt;
  }

  static LogicalResult replace(OpTy op, const MoveChain &chain, const Steps &steps, PatternRewriter &rewriter) {
    chain.moveTracesToSource();
    if (steps.calls() == 0)
      return replaceWith(rewriter, op, chain.source());
    rewriter.replaceOp(op, steps.build(rewriter, chain.source(), op.getLoc()));
    return success();
  }

  bool mixed;
};

/// If all users of `op` are slices of size 1 of an axis, and reshapes then remove that axis, its position does not
/// matter. It is merged with the axis that follows it in the source, so that fewer axes are permuted:
///
///     [B, S, 3 H D] -> [B, S, 3, H, D] -> [3, B, H, S, D], of which slices are [1, B, H, S, D]
///     [B, S, 3 H D] -> [B, S, 3 H, D] -> [B, 3 H, S, D], of which slices are [B, H, S, D]
template <typename OpTy>
struct SlicesOfMoves : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = slicedAxis(op);
    MoveChain chain = MoveChain::endingWith(op, /*areReadOnce=*/true);
    std::optional<IndexMap> map =
        axis && llvm::any_of(chain.ops, llvm::IsaPred<TransposeOp>) ? IndexMap::of(chain.ops) : std::nullopt;
    auto axes = map ? map->axes() : std::nullopt;
    if (!axes || (*axes)[*axis].size() != 1)
      return failure();
    // The axis that follows the sliced axis in the source.
    Digit sliced = (*axes)[*axis].front();
    auto *next = llvm::find_if(
        *axes, [&](ArrayRef<Digit> each) { return !each.empty() && each[0].size * each[0].stride == sliced.stride; });
    if (next == axes->end())
      return failure();
    // The value with the sliced axis moved before that axis, and merged with it.
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
    if (!steps || steps->calls() > chain.ops.size() || steps->kernels().size() > kernelsOf(chain).size() ||
        !chain.hasRankFor(*steps))
      return failure();
    Value whole = steps->build(rewriter, chain.source(), withoutTrace(op.getLoc()));
    for (Operation *user : llvm::to_vector(op->getUsers())) {
      auto slice = cast<IndexOp>(user);
      int64_t begin = slice.getStart() * size;
      rewriter.setInsertionPoint(slice);
      Value part = IndexOp::create(rewriter, withoutTrace(slice.getLoc()), whole, at - int64_t(shape.size()), begin,
                                   begin + size, int64_t(1));
      rewriter.replaceOp(
          slice, ReshapeOp::create(rewriter, slice.getLoc(), slice.getType(), part, slice.getType().getShape()));
    }
    return success();
  }

private:
  // The axis of which all users of `op` are slices of size 1, whose users are reshapes; none if there is no such axis.
  static std::optional<int64_t> slicedAxis(OpTy op) {
    std::optional<int64_t> axis;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<IndexOp>(user);
      if (!slice || slice.getStop() != slice.getStart() + 1 || !llvm::all_of(slice->getUsers(), isReshape))
        return std::nullopt;
      int64_t dim = fromFront(slice.getDim(), op.getType().getRank());
      if (axis && *axis != dim)
        return std::nullopt;
      axis = dim;
    }
    return axis;
  }
};

/// Removes an axis that was inserted only to be repeated: repeating an axis of the source has the same result.
///
///     [2, 4] -> [2, 1, 4], repeated to [2, 3, 4] -> [6, 4], which repeats each element of axis 0 three times
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

void forge::populateReshapeChains(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<JoinMoves<ReshapeOp>>({"reshapes-joined"}, context, /*mixed=*/false);
  patterns.addWithLabel<SlicesOfMoves<ReshapeOp>>({"items-sliced"}, context);
  patterns.addWithLabel<RepeatOfAxis>({"items-repeated"}, context);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.addWithLabel<JoinMoves<TransposeOp>>({"transposes-joined"}, context, /*mixed=*/false);
  patterns.addWithLabel<SlicesOfMoves<TransposeOp>>({"items-sliced"}, context);
}

void forge::populateMovementChains(RewritePatternSet &patterns) {
  patterns.addWithLabel<JoinMoves<ReshapeOp>, JoinMoves<TransposeOp>>({"moves-joined"}, patterns.getContext(),
                                                                      /*mixed=*/true);
}
