//===- FoldWeights.cpp - scales and biases into weights -------------------===//

#include "Arithmetic/FastMath.h"
#include "Fusion/Rounding.h"
#include "Fusion/Scaling.h"
#include "Fusion/Slices/Heads.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/MovementChains.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEFOLDWEIGHTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// What a weight is before it is moved: the same elements in another order.
static Value withoutMoves(Value weight) {
  while (weight.getDefiningOp() && isa<ReshapeOp, TransposeOp>(weight.getDefiningOp()))
    weight = weight.getDefiningOp()->getOperand(0);
  return weight;
}

namespace {
/// value * scale, or value / scale, with the scale in weights that `value` is made of.
template <typename OpTy>
struct ScaleIntoWeights : OpRewritePattern<OpTy> {
  ScaleIntoWeights(MLIRContext *context, FastMath allowed)
      : OpRewritePattern<OpTy>(context), joinsOnes(allowed.reassociate), takesReciprocals(allowed.reciprocal) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    constexpr bool kDivides = std::is_same_v<OpTy, DivideOp>;
    Value value = op.getOperandA(), scale = op.getOperandB();
    if (!isFloat32(op))
      return failure();
    bool isOfWeight = isWeight(value);
    if (!kDivides && isOfWeight) {
      std::swap(value, scale);
      isOfWeight = isWeight(value);
    }
    if (isOfWeight || value.getType() != op.getType() || !mayBeStoredOtherwise(scale))
      return failure();
    if (!isSafe(scale))
      return failure();
    if ((!joinsOnes && isQuantised(op)) || !Scaling(rewriter, scale, joinsOnes).canScale(value))
      return failure();
    Location loc = withoutTrace(op.getLoc());
    // Before a reshape, weights and biases may have fewer axes than a scale of shape [1, 1, 1, 1] behind it.
    if (isOne(scale) && tensorType(scale).getRank() > 1)
      scale = reshaped(rewriter, loc, scale, {1});
    if (kDivides) {
      auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
      Value one = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(1.0f), scalar.getElementType());
      scale = DivideOp::create(rewriter, loc, scale.getType(), one, scale);
    }
    rewriter.replaceOp(op, Scaling(rewriter, scale, joinsOnes).apply(value, op.getLoc()));
    return success();
  }

private:
  // Whether weights times the scale, or times its inverse, are numbers of ordinary size: a sum of products with an
  // infinite one is NaN where a sum times it is infinite. Weights whose elements are not known are finite, but may be
  // 0.
  bool isSafe(Value scale) const {
    if (auto scalar = scale.getDefiningOp<ScalarConstantOp>())
      return isModest(scalar.getConstant());
    DenseElementsAttr elements;
    if (!matchPattern(withoutMoves(scale), m_Constant(&elements)))
      return std::is_same_v<OpTy, MultiplyOp> || takesReciprocals;
    return llvm::all_of(elements.getValues<APFloat>(), [](const APFloat &element) {
      constexpr float kLargest = 1 << 20;
      return std::is_same_v<OpTy, DivideOp> ? isModest(element) : std::abs(element.convertToFloat()) <= kLargest;
    });
  }

  bool joinsOnes, takesReciprocals;
};

/// transpose(y) * scale, with an element for each column of the product y, is transpose(y * scale).
struct ScaleBeforeTranspose : OpRewritePattern<MultiplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    for (auto [x, scale] : bothWays(op)) {
      SmallVector<TransposeOp> turns;
      Value source = x;
      for (auto turn = source.getDefiningOp<TransposeOp>(); turn && turn->hasOneUse();
           turn = source.getDefiningOp<TransposeOp>()) {
        turns.push_back(turn);
        source = turn.getOperandA();
      }
      if (turns.empty() || !isFloat32(op) || x.getType() != op.getType() || !isProjected(source) ||
          !mayBeStoredOtherwise(scale))
        continue;
      int64_t rank = op.getType().getRank(), axis = rank - 1, columns = shapeOf(source).back();
      for (TransposeOp turn : llvm::reverse(turns))
        axis = transposedAxis(turn, axis);
      if (!isPerChannel(scale, axis, rank, columns) || isOne(scale))
        continue;
      Location loc = withoutTrace(op.getLoc());
      Value value = MultiplyOp::create(rewriter, loc, source, reshaped(rewriter, loc, scale, {columns}));
      for (TransposeOp turn : llvm::reverse(turns))
        value = TransposeOp::create(rewriter, loc, value, turn.getDim0(), turn.getDim1());
      value.getDefiningOp()->setLoc(op.getLoc());
      rewriter.replaceOp(op, value);
      return success();
    }
    return failure();
  }

private:
  // Whether `value` is a product with weights, which nothing else reads, or that and a term.
  static bool isProjected(Value value) {
    if (!value.hasOneUse())
      return false;
    if (auto add = value.getDefiningOp<AddOp>())
      return llvm::any_of(bothWays(add), [](auto pair) {
        auto product = pair.first.template getDefiningOp<MatmulOp>();
        return product && product->hasOneUse() && isProjection(product) && isWeight(pair.second);
      });
    auto product = value.getDefiningOp<MatmulOp>();
    return product && isProjection(product);
  }
};

/// A term per channel as the bias of the convolution before it.
template <typename OpTy>
struct TermIntoBias : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    Value value = op.getOperandA(), term = op.getOperandB();
    auto conv = value.getDefiningOp<OpTy>();
    if (!conv) {
      std::swap(value, term);
      conv = value.getDefiningOp<OpTy>();
    }
    if (!conv || !value.hasOneUse() || !isFloat32(op) || !isWeight(term) || value.getType() != op.getType())
      return failure();
    int64_t axis = conv.getChannelLast() ? 3 : 1, channels = op.getType().getDimSize(axis);
    if (!isPerChannel(term, axis, 4, channels) || mayRound(term) || (conv.getBias() && mayRound(conv.getBias())))
      return failure();
    Location loc = withoutTrace(op.getLoc());
    Value bias = reshaped(rewriter, loc, term, {channels});
    if (conv.getBias())
      bias = AddOp::create(rewriter, loc, bias.getType(), reshaped(rewriter, loc, conv.getBias(), {channels}), bias);
    auto copy = cast<OpTy>(rewriter.clone(*conv));
    copy->setLoc(op.getLoc());
    copy.getBiasMutable().assign(bias);
    rewriter.replaceOp(op, copy);
    return success();
  }
};

/// Two terms as one. Terms of one element stay, as do those that may round x on purpose.
struct TermIntoTerm : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    // Before it is asked what is a weight, which takes longer.
    auto mayBeInner = [&](Value value) { return value.getDefiningOp<AddOp>() && value.getType() == op.getType(); };
    if (llvm::none_of(op->getOperands(), mayBeInner))
      return failure();
    auto [value, second] = withTerm(op);
    auto inner = value ? value.getDefiningOp<AddOp>() : AddOp();
    if (!inner || !value.hasOneUse())
      return failure();
    auto [x, first] = withTerm(inner);
    if (!x || !isLike(first, second) || mayRound(first) || mayRound(second))
      return failure();
    Value term = AddOp::create(rewriter, withoutTrace(op.getLoc()), first, second);
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), x, term);
    return success();
  }

private:
  // x and the term of x + term; nulls where it has none.
  static std::pair<Value, Value> withTerm(AddOp op) {
    if (isFloat32(op))
      for (auto [x, term] : bothWays(op))
        if (x.getType() == op.getType() && !isOne(term) && mayBeStoredOtherwise(term) && !isWeight(x))
          return {x, term};
    return {};
  }
};

/// Two integers that are added, as positions and the offset of their table: sums of integers wrap, in any order.
struct NumberIntoNumber : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    auto [value, second] = withNumber(op);
    auto inner = value ? value.getDefiningOp<AddOp>() : AddOp();
    if (!inner || !value.hasOneUse())
      return failure();
    auto [x, first] = withNumber(inner);
    if (!x)
      return failure();
    int64_t sum = *first + *second;
    if (!llvm::isInt<32>(sum))
      return failure();
    auto type = RankedTensorType::get({1}, op.getType().getElementType());
    Attribute element = rewriter.getIntegerAttr(type.getElementType(), sum);
    Value number = ConstantOp::create(rewriter, withoutTrace(op.getLoc()), DenseElementsAttr::get(type, element));
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), x, number);
    return success();
  }

private:
  // x and the number of x + number; null where it has none.
  static std::pair<Value, std::optional<int64_t>> withNumber(AddOp op) {
    APInt number;
    for (auto [x, term] : bothWays(op)) {
      if (x.getType() != op.getType() || !op.getType().getElementType().isSignlessInteger())
        continue;
      if (auto scalar = term.getDefiningOp<ScalarConstantOp>())
        return {x, static_cast<int64_t>(scalar.getConstant().convertToFloat())};
      if (matchPattern(term, m_ConstantInt(&number)) && llvm::is_contained({32u, 64u}, number.getBitWidth()))
        return {x, number.getSExtValue()};
    }
    return {};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Weights that change nothing
//===----------------------------------------------------------------------===//

// Whether x + weight is x. -0 + 0 is 0: the sum is as good as x only where the sign of a zero does not show.
static bool addsNothing(Value weight, bool signShows) {
  if (auto scalar = weight.getDefiningOp<ScalarConstantOp>())
    return scalar.getConstant().isZero() && (!signShows || scalar.getConstant().isNegative());
  return matchPattern(weight, signShows ? m_NegZeroFloat() : m_AnyZeroFloat()) || matchPattern(weight, m_Zero());
}

// x of x + 0 and x * 1, per element; null for what is neither.
static Value neutralOperand(Operation *op, const ZeroSigns &signs) {
  Value result = op->getResult(0);
  for (auto [x, weight] : bothWays(op))
    if (x.getType() == result.getType() && (isa<AddOp>(op) ? addsNothing(withoutMoves(weight), signs.show(result))
                                                           : matchPattern(withoutMoves(weight), m_OneFloat())))
      return x;
  return {};
}

// Drops weights of zeros and ones, which networks have that were not trained or have no use for them. Before any fold,
// for those would make other weights of them.
static void dropNeutralWeights(func::FuncOp func, ReportingPass &pass) {
  ZeroSigns signs(func.front(), /*outputsShow=*/!partitionKind(func).empty());
  auto mayDrop = [&](Operation *op) { return pass.mayRewrite(op, "neutral-weights-dropped"); };
  for (Operation &op : llvm::make_early_inc_range(func.front())) {
    if (isa<AddOp, MultiplyOp>(op)) {
      if (Value x = neutralOperand(&op, signs); x && mayDrop(&op)) {
        op.replaceAllUsesWith(ValueRange(x));
        op.erase();
      }
      continue;
    }
    llvm::TypeSwitch<Operation *>(&op).Case<MatmulOp, Conv2dOp, Conv2dTransposeOp>([&](auto product) {
      if (!product.getBias() || !matchPattern(withoutMoves(product.getBias()), m_AnyZeroFloat()) ||
          signs.show(product.getResult()) || !mayDrop(&op))
        return;
      product.getBiasMutable().clear();
    });
  }
}

//===----------------------------------------------------------------------===//
// Scales of what a product reads
//===----------------------------------------------------------------------===//

// The scalar that `value`, which is no weight and which nothing else reads, is multiplied by.
static std::pair<Value, ScalarConstantOp> scaled(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (!multiply || !value.hasOneUse())
    return {};
  for (auto [x, scale] : bothWays(multiply))
    if (auto scalar = scale.getDefiningOp<ScalarConstantOp>();
        scalar && isModest(scalar.getConstant()) && x.getType() == value.getType() && !isWeight(x))
      return {x, scalar};
  return {};
}

namespace {
/// (s * a) b is s * (a b), and the same for b.
struct ScaleAfterProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto [left, leftScale] = scaled(op.getOperandA());
    auto [right, rightScale] = scaled(op.getOperandB());
    if ((!left && !right) || op.getBias() || !isFloat32(op))
      return failure();
    float factor = 1;
    for (ScalarConstantOp scale : {leftScale, rightScale})
      if (scale)
        factor *= scale.getConstant().convertToFloat();
    Location loc = withoutTrace(op.getLoc());
    Value product = MatmulOp::create(rewriter, loc, op.getType(), left ? left : op.getOperandA(),
                                     right ? right : op.getOperandB(), Value());
    auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
    Value scale = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(factor), scalar.getElementType());
    rewriter.replaceOp(op, MultiplyOp::create(rewriter, op.getLoc(), op.getType(), product, scale));
    return success();
  }
};

/// (s * x) w is x (s * w), for weights w.
template <typename OpTy>
struct ScaleIntoOwnWeights : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto [x, scale] = scaled(op->getOperand(0));
    Value weights = op->getOperand(1);
    if (!x || !isFloat32(op) || !mayBeStoredOtherwise(weights))
      return failure();
    Value scaledWeights = product(rewriter, withoutTrace(op.getLoc()), weights, scale);
    rewriter.modifyOpInPlace(op, [&, x = x] {
      op->setOperand(0, x);
      op->setOperand(1, scaledWeights);
    });
    return success();
  }
};

/// A column times a row, both weights, as the angles of rotary embeddings: a product per element, which is computed
/// when the weights are written.
struct ColumnTimesRow : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value column = op.getOperandA(), row = op.getOperandB();
    if (op.getBias() || std::min(tensorType(column).getRank(), tensorType(row).getRank()) < 2 ||
        shapeOf(column).back() != 1 || !isWeight(column) || !isWeight(row))
      return failure();
    rewriter.replaceOpWithNewOp<MultiplyOp>(op, op.getType(), column, row);
    return success();
  }
};

struct ForgeFoldWeightsPass : forge::impl::ForgeFoldWeightsPassBase<ForgeFoldWeightsPass>, ReportingPass {
  using ForgeFoldWeightsPassBase::ForgeFoldWeightsPassBase;

  void runOnOperation() override {
    if (isHostFunction(getOperation()))
      return;
    dropNeutralWeights(getOperation(), *this);
    FailureOr<FastMath> allowed = FastMath::parse(getOperation().getLoc(), fastMath);
    if (failed(allowed))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    RewritePatternSet folds(context), moves(context);
    folds.addWithLabel<ScaleIntoWeights<MultiplyOp>, ScaleIntoWeights<DivideOp>>({"scales-folded"}, context, *allowed);
    folds.addWithLabel<ScaleBeforeTranspose>({"scales-before-transposes"}, context);
    if (allowed->reassociate)
      folds.addWithLabel<ScaleIntoOwnWeights<Conv2dOp>, ScaleIntoOwnWeights<Conv2dTransposeOp>,
                         ScaleIntoOwnWeights<MatmulOp>>({"scales-folded"}, context);
    folds.addWithLabel<TermIntoBias<Conv2dOp>, TermIntoBias<Conv2dTransposeOp>>({"biases-folded"}, context);
    folds.addWithLabel<TermIntoTerm, NumberIntoNumber>({"terms-joined"}, context);
    folds.addWithLabel<ColumnTimesRow>({"weights-multiplied"}, context);
    populateHeadColumns(folds);
    populateNormsIntoProducts(folds);
    populateAffineIntoConvolutions(folds);
    populateSumsOfConvolutions(folds);
    populateFactorsThroughEmbeddings(folds);
    populateGatedScales(folds);
    populateKnownMasks(folds);
    moves.addWithLabel<ScaleAfterProduct>({"scales-moved"}, context);
    FrozenRewritePatternSet weights(std::move(folds));
    int64_t moved = counted("scales-moved");
    if (failed(rewriteGreedily(*this, getOperation(), weights)))
      return signalPassFailure();
    if (getOperation().getOps<MatmulOp>().empty())
      return;
    if (failed(rewriteGreedily(*this, getOperation(), std::move(moves))))
      return signalPassFailure();
    // Of two scales that have become one, the other operand's weights may take it.
    if (counted("scales-moved") != moved && failed(rewriteGreedily(*this, getOperation(), weights)))
      signalPassFailure();
  }
};
} // namespace
