//===- FactorsIntoWeights.cpp - factors as part of weights ----------------===//
//
// s * v, where v is linear in products with weights, has s in those. A factor of what products with weights alone read
// is one of the rows of these weights.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
/// value * factor, or value / factor, with the factor in the weights that `value` is made of.
///
/// All that reads a value on the way must be linear in it and end at `op`; AffineRegion sees to that. A quantiser that
/// reads the result would round another number: factors of one element stay in front of one.
template <typename OpTy>
struct FactorIntoSources : OpRewritePattern<OpTy> {
  static constexpr bool kDivides = std::is_same_v<OpTy, DivideOp>;

  FactorIntoSources(MLIRContext *context, FastMath allowed)
      : OpRewritePattern<OpTy>(context, /*benefit=*/2), joinsOnes(allowed.reassociate),
        takesReciprocals(allowed.reciprocal) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    OpOperand *reader = &op->getOpOperand(0);
    Value factor = op.getOperandB();
    if (!isFloat32(op))
      return failure();
    if (!kDivides && isWeight(reader->get())) {
      factor = reader->get();
      reader = &op->getOpOperand(1);
    }
    Value value = reader->get();
    if (isWeight(value) || value.getType() != op.getType() || !mayBeStoredOtherwise(factor) ||
        !isOrdinary(factor, kDivides, takesReciprocals) || (!joinsOnes && isQuantised(op)))
      return failure();
    std::optional<int64_t> axis = Items::axisOf(factor, value);
    if (!isOne(factor) && !axis)
      return failure();
    auto takes = [&](OpOperand &weight) {
      // Factors of one element are those of quantisers, whose results are exact because nothing else is rounded.
      bool alike = isOne(factor) ? joinsOnes : isLike(weight.get(), factor) || (joinsOnes && isOne(weight.get()));
      // A product with weights takes both factors, one after the other.
      Value other = weight.getOwner()->getOperand(1 - weight.getOperandNumber());
      return alike && mayBeStoredOtherwise(weight.get()) && !(other.hasOneUse() && WeightProduct::of(other));
    };
    AffineRegion region(/*perItem=*/axis.has_value());
    if (!region.collectSources(*reader, axis ? Items::of(value, *axis) : Items::all(value), takes))
      return failure();
    scaleWeights(rewriter, region, kDivides ? inverseOf(factor, op, rewriter) : factor);
    dropTraces(rewriter, region);
    rewriter.modifyOpInPlace(value.getDefiningOp(), [&] { value.getDefiningOp()->setLoc(op.getLoc()); });
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  static Value inverseOf(Value factor, OpTy op, PatternRewriter &rewriter) {
    Location loc = withoutTrace(op.getLoc());
    if (auto number = factor.getDefiningOp<ScalarConstantOp>())
      return numberLike(rewriter, loc, number, 1 / number.getConstant().convertToFloat());
    auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
    Value one = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(1.0f), scalar.getElementType());
    return DivideOp::create(rewriter, loc, factor.getType(), one, factor);
  }

  bool joinsOnes, takesReciprocals;
};

/// A number behind a product of two activations that are linear in tables of weights, as queries and keys with norms
/// and rotary embeddings are: its root goes into the tables of both, which stay the same for both.
///
/// As above, each of the two may be read by the product alone; where both are made of one value, neither is.
template <typename OpTy>
struct RootIntoTables : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto product = op.getOperandA().template getDefiningOp<MatmulOp>();
    auto factor = op.getOperandB().template getDefiningOp<ScalarConstantOp>();
    if (!product || !factor || product.getBias() || !product->hasOneUse() || !isFloat32(op) ||
        !isModest(factor.getConstant()) || factor.getConstant().isNegative() || product.getType() != op.getType() ||
        isQuantised(op))
      return failure();
    auto takes = [](OpOperand &weight) { return !isOne(weight.get()) && isWeight(weight.get()); };
    SmallVector<AffineRegion, 2> regions(2, AffineRegion(/*perItem=*/false));
    for (auto [index, region] : llvm::enumerate(regions))
      if (OpOperand &operand = product->getOpOperand(index);
          !region.collectSources(operand, Items::all(operand.get()), takes))
        return failure();
    double number = factor.getConstant().convertToDouble();
    Value root = numberLike(rewriter, withoutTrace(op.getLoc()), factor,
                            static_cast<float>(std::sqrt(std::is_same_v<OpTy, DivideOp> ? 1 / number : number)));
    scaleWeights(rewriter, regions, root);
    for (const AffineRegion &region : regions)
      dropTraces(rewriter, region);
    rewriter.modifyOpInPlace(product, [&] { product->setLoc(op.getLoc()); });
    rewriter.replaceOp(op, product.getResult());
    return success();
  }
};

/// x * factor, with an element per item of an axis, that products with weights alone read: a factor of their rows. What
/// is between moves, or is multiplied.
///
/// Each reader has the rows of its weights times the factor, whatever window it has: what a window has beside the image
/// is zero with and without a factor. Factors of one element go there with `reassociate`.
struct FactorOfOperand : OpRewritePattern<MultiplyOp> {
  FactorOfOperand(MLIRContext *context, FastMath allowed) : OpRewritePattern(context), joinsOnes(allowed.reassociate) {}

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    if (!isFloat32(op))
      return failure();
    for (auto [x, factor] : bothWays(op)) {
      std::optional<int64_t> axis = Items::axisOf(factor, op);
      if (x.getType() != op.getType() || !(axis || (joinsOnes && isOne(factor))) || !isWeight(factor) || isWeight(x) ||
          !isOrdinary(factor))
        continue;
      // A product with weights has columns of its own for it.
      if (x.hasOneUse() && WeightProduct::of(x))
        continue;
      AffineRegion region(/*perItem=*/axis.has_value());
      auto none = [](OpOperand &) { return false; };
      if (!region.collectReaders(op, axis ? Items::of(op, *axis) : Items::all(op), /*movesOnly=*/false, none) ||
          region.places().empty())
        continue;
      scaleWeights(rewriter, region, factor);
      dropTraces(rewriter, region);
      rewriter.replaceOp(op, x);
      return success();
    }
    return failure();
  }

private:
  bool joinsOnes;
};

/// x * f(c * x) of a product x with weights, as QuickGELU and hard swish compute, is (1 / c) * y * f(y) with y = c * x:
/// y is what is multiplied, where products with weights alone read it. Those are divided by c.
///
/// Nothing but the two products may read x, so that y is all that is left of it.
struct GateOfScaled : OpRewritePattern<MultiplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    for (auto [x, gate] : bothWays(op)) {
      auto [scaled, factor] = onlyScaled(x, op);
      std::optional<WeightProduct> product = scaled ? WeightProduct::of(x) : std::nullopt;
      if (!product || x.getType() != op.getType() || !isFloat32(op) || !product->hasWeightsAsBias())
        continue;
      AffineRegion region(/*perItem=*/false);
      auto none = [](OpOperand &) { return false; };
      if (!region.collectReaders(op, Items::all(op), /*movesOnly=*/false, none) || region.places().empty())
        continue;
      rewriter.setInsertionPoint(op);
      auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
      scaleWeights(rewriter, region,
                   ScalarConstantOp::create(rewriter, withoutTrace(op.getLoc()), scalar, APFloat(1 / factor),
                                            scalar.getElementType()));
      for (Value value : region.changed())
        rewriter.modifyOpInPlace(value.getDefiningOp(),
                                 [&, factor = factor] { scaleTrace(value.getDefiningOp(), factor); });
      rewriter.modifyOpInPlace(op, [&, x = x, y = scaled, factor = factor] {
        scaleTrace(op, factor);
        op->replaceUsesOfWith(x, y);
      });
      rewriter.modifyOpInPlace(scaled.getDefiningOp(), [&, x = x, y = scaled, factor = factor] {
        for (TracedName traced : tracedValues(x.getLoc()))
          traceValue(cast<OpResult>(y), {traced.name, traced.shape, traced.scale * factor});
      });
      return success();
    }
    return failure();
  }

private:
  // `x` times a number, and that number, if nothing else reads `x` but `gated`.
  static std::pair<Value, float> onlyScaled(Value x, MultiplyOp gated) {
    if (!x.getDefiningOp() || !x.hasNUses(2))
      return {};
    for (Operation *user : x.getUsers()) {
      if (user == gated || !isa<MultiplyOp, DivideOp>(user) || user->getResult(0).getType() != x.getType())
        continue;
      bool divides = isa<DivideOp>(user), isFirst = user->getOperand(0) == x;
      auto scalar = user->getOperand(isFirst ? 1 : 0).getDefiningOp<ScalarConstantOp>();
      if (!scalar || !isModest(scalar.getConstant()) || (divides && !isFirst) || !user->isBeforeInBlock(gated))
        continue;
      float number = scalar.getConstant().convertToFloat();
      return {user->getResult(0), divides ? 1 / number : number};
    }
    return {};
  }
};

/// (s * a) b is s * (a b), and the same for b: a number that finds no weights is applied once for both.
struct FactorAfterProduct : OpRewritePattern<MatmulOp> {
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

private:
  // What `value`, which is no weight and which nothing else reads, is times a number.
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
};
} // namespace

void forge::populateFactorsIntoWeights(RewritePatternSet &patterns, FastMath allowed) {
  MLIRContext *context = patterns.getContext();
  // What quantisers rely on is another rewrite, which needs a permission of its own.
  FastMath usual = allowed, more = allowed;
  usual.reassociate = false;
  more.reassociate = true;
  patterns.addWithLabel<FactorIntoSources<MultiplyOp>, FactorIntoSources<DivideOp>>({"scales-folded"}, context, usual);
  patterns.addWithLabel<FactorIntoSources<MultiplyOp>, FactorIntoSources<DivideOp>>({"quantised-scales-folded"},
                                                                                    context, more);
  patterns.addWithLabel<RootIntoTables<MultiplyOp>, RootIntoTables<DivideOp>>({"scales-folded"}, context);
  patterns.addWithLabel<GateOfScaled>({"scales-folded"}, context);
  patterns.addWithLabel<FactorOfOperand>({"scales-of-operands-folded"}, context, usual);
  patterns.addWithLabel<FactorOfOperand>({"own-scales-folded"}, context, more);
}

void forge::populateFactorsAfterProducts(RewritePatternSet &patterns) {
  patterns.addWithLabel<FactorAfterProduct>({"scales-moved"}, patterns.getContext());
}
