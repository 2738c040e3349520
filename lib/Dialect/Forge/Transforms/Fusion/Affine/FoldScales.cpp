//===- FoldScales.cpp - folds scales into weights -------------------------===//
//
// A scale of a value that is linear in weights is applied to these weights instead. A scale of a value whose users are
// all projections is applied to the rows of their weights.
//
//     (%x W) * s      ->  %x (W * s)          ScaleIntoProducers
//     (%x * s) W      ->  %x (s as a column * W)   ScaleIntoUsers
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
/// Folds the factor of value * factor, or value / factor, into the weights that produce `value`.
///
/// All users of a value between these weights and `op` have to be linear in it and lead to `op` only (AffineRegion).
/// Factors before a quantiser remain, unless `reassociate` is allowed, because the quantiser could round another way.
/// Factors that are not known to be positive remain if the sign of a zero shows, because sums of zeros keep no sign.
template <typename OpTy>
struct ScaleIntoProducers : OpRewritePattern<OpTy> {
  static constexpr bool kDivides = std::is_same_v<OpTy, DivideOp>;

  ScaleIntoProducers(MLIRContext *context, const ZeroSigns &signs, FastMath allowed)
      : OpRewritePattern<OpTy>(context, /*benefit=*/2), signs(signs), mergesScalars(allowed.reassociate),
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
        !isOrdinary(factor, kDivides, takesReciprocals) || (!mergesScalars && isQuantised(op)) ||
        (signs.show(op) && !isPositive(factor)))
      return failure();
    std::optional<int64_t> axis = Items::axisOf(factor, value);
    if (!hasOneElement(factor) && !axis)
      return failure();
    // Whether the factor may be merged with `weight`, a factor of a multiplication on the way.
    auto mayMergeWith = [&](OpOperand &weight) {
      // Scalars may be the scales of quantisers, which must not be merged with other factors.
      bool hasSameShape = hasOneElement(factor)
                              ? mergesScalars
                              : isLike(weight.get(), factor) || (mergesScalars && hasOneElement(weight.get()));
      // If the other operand is a projection, both factors are folded into its weights instead.
      Value other = weight.getOwner()->getOperand(1 - weight.getOperandNumber());
      return hasSameShape && mayBeStoredOtherwise(weight.get()) && !WeightProduct::ofReadOnce(other);
    };
    AffineRegion region(/*perItem=*/axis.has_value());
    if (!region.collectSources(*reader, axis ? Items::of(value, *axis) : Items::all(value), mayMergeWith))
      return failure();
    scaleWeights(rewriter, region, kDivides ? inverseOf(factor, op, rewriter) : factor);
    dropTraces(rewriter, region);
    rewriter.modifyOpInPlace(value.getDefiningOp(), [&] { value.getDefiningOp()->setLoc(op.getLoc()); });
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  // 1 / factor: a constant, or a division of weights.
  static Value inverseOf(Value factor, OpTy op, PatternRewriter &rewriter) {
    Location loc = withoutTrace(op.getLoc());
    if (auto number = factor.getDefiningOp<ScalarConstantOp>())
      return numberLike(rewriter, loc, number, 1 / number.getConstant().convertToFloat());
    auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
    Value one = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(1.0f), scalar.getElementType());
    // The quotient of a constant of shape [1] and a factor of rank 0 has shape [1].
    RankedTensorType type = tensorType(factor);
    return DivideOp::create(rewriter, loc, type.getRank() == 0 ? scalar : type, one, factor);
  }

  const ZeroSigns &signs;
  bool mergesScalars, takesReciprocals;
};

/// Folds a per-channel factor of a transposed convolution with groups, such as that of a batch norm, into its weights
/// [in, out / groups, kH, kW]. AffineRegion cannot express this, because an output channel corresponds to a group of
/// rows and a column, and not to items of one axis. The convolution may have no other user.
struct ScaleIntoGroupedConvolution : OpRewritePattern<MultiplyOp> {
  ScaleIntoGroupedConvolution(MLIRContext *context, const ZeroSigns &signs) : OpRewritePattern(context), signs(signs) {}

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    auto [value, factor] = perChannelOperands(op);
    auto conv = value ? value.getDefiningOp<Conv2dTransposeOp>() : Conv2dTransposeOp();
    std::optional<WeightProduct> product = conv ? WeightProduct::ofReadOnce(value) : std::nullopt;
    if (!product || product->groups == 1 || product->axis != 1 || !product->mayReplaceBias() ||
        !mayBeScaled(conv.getWeights()) || !mayBeStoredOtherwise(factor) || !isOrdinary(factor) || isQuantised(op) ||
        (signs.show(op) && !isPositive(factor)))
      return failure();
    Value weights = conv.getWeights();
    SmallVector<int64_t> shape(shapeOf(weights)), byGroup(shape), factorShape;
    int64_t groups = product->groups, columns = shape[1];
    byGroup[0] /= groups;
    byGroup.insert(byGroup.begin(), groups);
    factorShape = {groups, 1, columns, 1, 1};
    makeAvailable(factor, conv);
    rewriter.setInsertionPoint(conv);
    Location loc = withoutTrace(conv.getLoc());
    Value scaled = multiplied(rewriter, loc, reshaped(rewriter, loc, weights, byGroup),
                              reshaped(rewriter, loc, factor, factorShape));
    Value bias = conv.getBias();
    if (bias)
      bias = multiplied(rewriter, loc, bias, reshaped(rewriter, loc, factor, {groups * columns}));
    rewriter.modifyOpInPlace(conv, [&] {
      conv.getWeightsMutable().assign(reshaped(rewriter, loc, scaled, shape));
      if (bias)
        conv.getBiasMutable().assign(bias);
      conv->setLoc(op.getLoc());
    });
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  const ZeroSigns &signs;
};

/// Folds a scalar factor s of a product of two activations, such as queries and keys after norms and rotary embeddings,
/// into weights in which the operands are linear:
///
///     (%q transpose(%k)) * s  ->  (%q * sqrt(s)) transpose(%k * sqrt(s))
///
/// Both operands are scaled by the square root of the factor, so that
/// weights that both depend on, such as the tables of a rotary embedding, remain equal and are stored once.
///
/// As for ScaleIntoProducers, values between the weights and an operand may have no other users. Therefore the pattern
/// does not match if both operands depend on one such value.
template <typename OpTy>
struct ScaleIntoProductOperands : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto product = op.getOperandA().template getDefiningOp<MatmulOp>();
    auto factor = op.getOperandB().template getDefiningOp<ScalarConstantOp>();
    if (!product || !factor || product.getBias() || !product->hasOneUse() || !isFloat32(op) ||
        !isOrdinaryFactor(factor.getConstant()) || factor.getConstant().isNegative() ||
        product.getType() != op.getType() || isQuantised(op))
      return failure();
    auto mayScale = [](OpOperand &weight) { return !hasOneElement(weight.get()) && isWeight(weight.get()); };
    SmallVector<AffineRegion, 2> regions(2, AffineRegion(/*perItem=*/false));
    for (auto [index, region] : llvm::enumerate(regions))
      if (OpOperand &operand = product->getOpOperand(index);
          !region.collectSources(operand, Items::all(operand.get()), mayScale))
        return failure();
    double scale = factor.getConstant().convertToDouble();
    if (std::is_same_v<OpTy, DivideOp>)
      scale = 1 / scale;
    Value root = numberLike(rewriter, withoutTrace(op.getLoc()), factor, static_cast<float>(std::sqrt(scale)));
    scaleWeights(rewriter, regions, root);
    for (const AffineRegion &region : regions)
      dropTraces(rewriter, region);
    rewriter.modifyOpInPlace(product, [&] { product->setLoc(op.getLoc()); });
    rewriter.replaceOp(op, product.getResult());
    return success();
  }
};

/// Folds the factor of x * factor, which has one element per item of an axis, into the rows of the weights of all
/// users, which have to be projections, maybe after movement and multiplications.
///
/// Convolutions may be padded, because a scale does not change the zeros of the padding. Scalar factors are folded with
/// `reassociate` only.
struct ScaleIntoUsers : OpRewritePattern<MultiplyOp> {
  ScaleIntoUsers(MLIRContext *context, const ZeroSigns &signs, FastMath allowed)
      : OpRewritePattern(context), signs(signs), mergesScalars(allowed.reassociate) {}

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    if (!isFloat32(op))
      return failure();
    for (auto [x, factor] : inEitherOrder(op)) {
      std::optional<int64_t> axis = Items::axisOf(factor, op);
      if (x.getType() != op.getType() || !(axis || (mergesScalars && hasOneElement(factor))) || !isWeight(factor) ||
          isWeight(x) || !isOrdinary(factor) || (signs.show(op) && !isPositive(factor)))
        continue;
      // Left to ScaleIntoProducers, which folds the factor into the columns of the producing projection.
      if (WeightProduct::ofReadOnce(x))
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
  const ZeroSigns &signs;
  bool mergesScalars;
};

/// Rewrites x * f(c * x) for the result x of a projection, as in QuickGELU and hard swish, to y * f(y) with y = c * x.
/// ScaleIntoProducers then folds c into the weights of that projection. The result is c times what it was: all users
/// have to be projections, whose weights are divided by c. x may have no other users.
struct ScaleOfGate : OpRewritePattern<MultiplyOp> {
  ScaleOfGate(MLIRContext *context, const ZeroSigns &signs) : OpRewritePattern(context), signs(signs) {}

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    for (auto [x, gate] : inEitherOrder(op)) {
      auto [scaled, factor] = scaledBeforeGate(x, op);
      std::optional<WeightProduct> product = scaled ? WeightProduct::of(x) : std::nullopt;
      if (!product || x.getType() != op.getType() || !isFloat32(op) || !product->mayReplaceBias() ||
          (factor < 0 && signs.show(op)))
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
      // y holds the ONNX values that x holds, scaled. x itself has no other user any more.
      rewriter.modifyOpInPlace(scaled.getDefiningOp(), [&, x = x, y = scaled, factor = factor] {
        for (TracedName traced : tracedValues(x.getLoc()))
          traceValue(cast<OpResult>(y), {traced.name, traced.shape, traced.scale * factor});
      });
      return success();
    }
    return failure();
  }

private:
  const ZeroSigns &signs;

  // c * x and c, if `x` has exactly two users: `gated`, and a multiplication or division by a scalar constant.
  static std::pair<Value, float> scaledBeforeGate(Value x, MultiplyOp gated) {
    if (!x.getDefiningOp() || !x.hasNUses(2))
      return {};
    for (Operation *user : x.getUsers()) {
      if (user == gated || !isa<MultiplyOp, DivideOp>(user) || user->getResult(0).getType() != x.getType())
        continue;
      bool divides = isa<DivideOp>(user), isFirst = user->getOperand(0) == x;
      auto scalar = user->getOperand(isFirst ? 1 : 0).getDefiningOp<ScalarConstantOp>();
      if (!scalar || !isOrdinaryFactor(scalar.getConstant()) || (divides && !isFirst) || !user->isBeforeInBlock(gated))
        continue;
      float number = scalar.getConstant().convertToFloat();
      return {user->getResult(0), divides ? 1 / number : number};
    }
    return {};
  }
};

/// Rewrites (s * a) b to s * (a b), and the same for b: scalars that cannot be folded into weights are applied once.
struct SinkScaleBelowMatmul : OpRewritePattern<MatmulOp> {
  SinkScaleBelowMatmul(MLIRContext *context, const ZeroSigns &signs) : OpRewritePattern(context), signs(signs) {}

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto [left, leftScale] = scaled(op.getOperandA());
    auto [right, rightScale] = scaled(op.getOperandB());
    if ((!left && !right) || op.getBias() || !isFloat32(op))
      return failure();
    float factor = 1;
    for (ScalarConstantOp scale : {leftScale, rightScale})
      if (scale)
        factor *= scale.getConstant().convertToFloat();
    if (factor < 0 && signs.show(op))
      return failure();
    Location loc = withoutTrace(op.getLoc());
    Value product = MatmulOp::create(rewriter, loc, op.getType(), left ? left : op.getOperandA(),
                                     right ? right : op.getOperandB(), Value());
    auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
    Value scale = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(factor), scalar.getElementType());
    rewriter.replaceOp(op, MultiplyOp::create(rewriter, op.getLoc(), op.getType(), product, scale));
    return success();
  }

private:
  const ZeroSigns &signs;

  // The operands x and s of `value` = x * s with a scalar s, if `value` has one user and x is no weight.
  static std::pair<Value, ScalarConstantOp> scaled(Value value) {
    auto multiply = value.getDefiningOp<MultiplyOp>();
    if (!multiply || !value.hasOneUse())
      return {};
    for (auto [x, scale] : inEitherOrder(multiply))
      if (auto scalar = scale.getDefiningOp<ScalarConstantOp>();
          scalar && isOrdinaryFactor(scalar.getConstant()) && x.getType() == value.getType() && !isWeight(x))
        return {x, scalar};
    return {};
  }
};
} // namespace

void forge::populateScaleFolding(RewritePatternSet &patterns, FastMath allowed, const ZeroSigns &signs) {
  MLIRContext *context = patterns.getContext();
  // The numeric class of a rewrite depends on its label. What only `reassociate` allows has labels of its own.
  FastMath usual = allowed, more = allowed;
  usual.reassociate = false;
  more.reassociate = true;
  patterns.addWithLabel<ScaleIntoProducers<MultiplyOp>, ScaleIntoProducers<DivideOp>>({"scales-folded"}, context, signs,
                                                                                      usual);
  patterns.addWithLabel<ScaleIntoProducers<MultiplyOp>, ScaleIntoProducers<DivideOp>>({"quantised-scales-folded"},
                                                                                      context, signs, more);
  patterns.addWithLabel<ScaleIntoGroupedConvolution>({"scales-folded"}, context, signs);
  patterns.addWithLabel<ScaleIntoProductOperands<MultiplyOp>, ScaleIntoProductOperands<DivideOp>>({"scales-folded"},
                                                                                                  context);
  patterns.addWithLabel<ScaleOfGate>({"scales-folded"}, context, signs);
  patterns.addWithLabel<ScaleIntoUsers>({"scales-of-operands-folded"}, context, signs, usual);
  patterns.addWithLabel<ScaleIntoUsers>({"own-scales-folded"}, context, signs, more);
}

void forge::populateScaleSinking(RewritePatternSet &patterns, const ZeroSigns &signs) {
  patterns.addWithLabel<SinkScaleBelowMatmul>({"scales-moved"}, patterns.getContext(), signs);
}
