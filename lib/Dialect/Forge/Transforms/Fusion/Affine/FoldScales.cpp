//===- FoldScales.cpp - folds scales into weights -------------------------===//
//
// A scale is a factor that is a scalar, or has one element for each index of an axis. If the scaled value is linear in
// weights, such as a product with weights (a projection), these weights are scaled instead. If all users of the scaled
// value are projections, the rows of their weights are scaled instead.
//
//     (%x W) * s  ->  %x (W * s)                foldScaleIntoProducers
//     (%x * s) W  ->  %x (s as a column * W)    foldScaleIntoUsers
//
// A scale of an operand that no weight takes is moved to the result of the product, where foldScaleIntoProducers may
// fold it into weights of the other operand:
//
//     (%x * s) %y  ->  (%x %y) * s              sinkScaleBelowMatmul
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// 1 / `factor`, of Float32: a scalar constant if that is one, else a division that is evaluated for the weights file.
static Value inverseOf(Value factor, OpBuilder &b, Location loc) {
  if (auto scalar = factor.getDefiningOp<ScalarConstantOp>())
    return scalarConstant(b, loc, 1 / scalar.getConstant().convertToFloat());
  return DivideOp::create(b, loc, scalarConstant(b, loc, 1), factor);
}

// Whether `weight`, the right or left operand of a multiplication, may be replaced by its product with `factor`:
// - A scalar may be the scale of a quantiser, and its product with another factor is rounded. Therefore scalars are
//   merged only if `reassociates` (--fast-math=reassociate).
// - Factors of several elements, which are rarely scales of quantisers, need the same shape, so that their product is
//   not larger than they are.
static bool mayMergeFactors(OpOperand &weight, Value factor, bool reassociates) {
  bool isEitherScalar = hasOneElement(factor) || hasOneElement(weight.get());
  bool mayMerge = isEitherScalar ? reassociates : haveSameShapeAfterLeadingOnes(weight.get(), factor);
  // If the multiplication scales a projection, both factors are folded into the weights of the projection instead.
  Value scaled = weight.getOwner()->getOperand(1 - weight.getOperandNumber());
  return mayMerge && mayBeStoredOtherwise(weight.get()) && !WeightProduct::ofReadOnce(scaled);
}

// Replaces value * factor, or value / factor, by `value`, and folds the factor into the weights that produce `value`.
// The factor is a weight or constant: a scalar, or one element per index of an axis. All users of values between these
// weights and `op` have to be linear and lead to `op` only (AffineRegion).
//
// These factors remain:
// - factors before a quantiser, which could round to another integer, unless `reassociates` (--fast-math=reassociate)
// - divisors that are no constants, unless `takesReciprocals` (--fast-math=reciprocal)
// - factors that may not be positive, and so may change the sign of a zero (isPositive), if an output depends on that
//   sign (ZeroSigns)
static LogicalResult foldScaleIntoProducers(Operation *op, PatternRewriter &rewriter, const ZeroSigns &signs,
                                            bool reassociates, bool takesReciprocals) {
  Value result = op->getResult(0);
  if (!isFloat32(result))
    return failure();
  // `value` is the dividend, or the operand that is no weight. If neither operand is a weight, mayBeStoredOtherwise()
  // refuses `factor`.
  bool divides = isa<DivideOp>(op), isFirst = divides || !isWeight(op->getOperand(0));
  OpOperand &reader = op->getOpOperand(isFirst ? 0 : 1);
  Value value = reader.get(), factor = op->getOperand(isFirst ? 1 : 0);
  if (isWeight(value) || value.getType() != result.getType() || !mayBeStoredOtherwise(factor))
    return failure();
  bool changesZeros = signs.matter(result) && !isPositive(factor);
  bool changesIntegers = !reassociates && isReadByQuantiser(result);
  if (changesZeros || changesIntegers || !keepsWeightsFinite(factor, divides, takesReciprocals))
    return failure();
  std::optional<int64_t> axis = AxisIndices::axisOf(factor, value);
  if (!hasOneElement(factor) && !axis)
    return failure();
  AffineRegion region(/*perIndex=*/axis.has_value());
  auto takes = [&](OpOperand &weight) { return mayMergeFactors(weight, factor, reassociates); };
  if (!region.collectSources(reader, indicesOf(value, axis), takes) || !staysFiniteIfScaled(region))
    return failure();
  scaleWeights(rewriter, region, divides ? inverseOf(factor, rewriter, withoutTrace(op->getLoc())) : factor);
  dropTraces(rewriter, region);
  replaceOnnxValue(rewriter, op, value);
  return success();
}

// Folds a per-channel factor of a transposed convolution with groups, such as that of a batch norm, into its weights
// [in, out / groups, kH, kW]. An output channel corresponds to the rows of a group and a column of them, which
// AffineRegion cannot express. Split into [groups, in / groups, out / groups, kH, kW], the weights are multiplied by
// the factor as [groups, 1, out / groups, 1, 1]. The convolution, with channels first, may have no other user.
static LogicalResult foldScaleIntoGroupedConvolution(MultiplyOp op, PatternRewriter &rewriter, const ZeroSigns &signs) {
  auto [value, factor] = perChannelOperands(op);
  auto conv = value ? value.getDefiningOp<Conv2dTransposeOp>() : Conv2dTransposeOp();
  std::optional<WeightProduct> product = conv ? WeightProduct::ofReadOnce(value) : std::nullopt;
  if (!product || product->groups == 1 || product->axis != 1 || !product->mayReplaceBias())
    return failure();
  Value weights = conv.getWeights(), bias = conv.getBias();
  bool areWeightsScalable = mayBeScaled(weights) && staysFiniteIfScaled(weights);
  bool isFactorFoldable = mayBeStoredOtherwise(factor) && keepsWeightsFinite(factor);
  bool changesZeros = signs.matter(op) && !isPositive(factor);
  if (!areWeightsScalable || !isFactorFoldable || changesZeros || isReadByQuantiser(op))
    return failure();
  SmallVector<int64_t> shape(shapeOf(weights)), byGroup(shape);
  int64_t groups = product->groups, columns = shape[1];
  byGroup[0] /= groups;
  byGroup.insert(byGroup.begin(), groups);
  makeAvailable(factor, conv);
  rewriter.setInsertionPoint(conv);
  Location loc = withoutTrace(conv.getLoc());
  Value scaled = MultiplyOp::create(rewriter, loc, reshaped(rewriter, loc, weights, byGroup),
                                    reshaped(rewriter, loc, factor, {groups, 1, columns, 1, 1}));
  if (bias)
    bias = MultiplyOp::create(rewriter, loc, bias, reshaped(rewriter, loc, factor, {groups * columns}));
  rewriter.modifyOpInPlace(conv, [&] {
    conv.getWeightsMutable().assign(reshaped(rewriter, loc, scaled, shape));
    if (bias)
      conv.getBiasMutable().assign(bias);
    conv->setLoc(op.getLoc());
  });
  rewriter.replaceOp(op, value);
  return success();
}

// Folds a positive scalar factor s of a product of two activations, such as queries and keys after norms and rotary
// embeddings, into weights in which the operands are linear; s is the right operand of `op`, or 1 / s its divisor:
//
//     (%q transpose(%k)) * s  ->  (%q * sqrt(s)) transpose(%k * sqrt(s))
//
// Both operands are scaled by the square root of the factor, so that weights that both depend on, such as the tables of
// a rotary embedding, remain equal and are stored once.
//
// As for foldScaleIntoProducers, values between the weights and an operand may have no other users. Therefore nothing
// is folded if both operands depend on one such value.
static LogicalResult foldScaleIntoProductOperands(Operation *op, PatternRewriter &rewriter) {
  Value result = op->getResult(0);
  auto product = op->getOperand(0).getDefiningOp<MatmulOp>();
  std::optional<float> factor = ordinaryScalar(op->getOperand(1));
  if (!product || !factor || *factor < 0 || product.getBias() || !product->hasOneUse() || !isFloat32(result) ||
      product.getType() != result.getType() || isReadByQuantiser(result))
    return failure();
  // Scalars may be the scales of quantisers.
  auto mayScale = [](OpOperand &weight) { return !hasOneElement(weight.get()) && isWeight(weight.get()); };
  SmallVector<AffineRegion, 2> regions(2, AffineRegion(/*perIndex=*/false));
  for (auto [index, region] : llvm::enumerate(regions))
    if (OpOperand &operand = product->getOpOperand(index);
        !region.collectSources(operand, AxisIndices::all(operand.get()), mayScale) || !staysFiniteIfScaled(region))
      return failure();
  double scale = isa<DivideOp>(op) ? 1.0 / *factor : *factor;
  Value root = scalarConstant(rewriter, withoutTrace(op->getLoc()), static_cast<float>(std::sqrt(scale)));
  scaleWeights(rewriter, regions, root);
  for (const AffineRegion &region : regions)
    dropTraces(rewriter, region);
  replaceOnnxValue(rewriter, op, product);
  return success();
}

// Replaces x * factor by x, and folds the factor into the rows of the weights of all users. These have to be
// projections, maybe after movement and multiplications. The factor has one element per index of an axis or, with
// `reassociates`, is a scalar, which may be the scale of a quantiser. Convolutions may be padded, because a scale does
// not change the zeros of the padding. As in foldScaleIntoProducers, the factor remains if it may change the sign of a
// zero on which an output depends.
static LogicalResult foldScaleIntoUsers(MultiplyOp op, PatternRewriter &rewriter, const ZeroSigns &signs,
                                        bool reassociates) {
  if (!isFloat32(op))
    return failure();
  for (auto [x, factor] : inEitherOrder(op)) {
    std::optional<int64_t> axis = AxisIndices::axisOf(factor, op);
    bool mayMove = axis || (reassociates && hasOneElement(factor));
    if (!mayMove || x.getType() != op.getType() || !isWeight(factor) || isWeight(x) || !keepsWeightsFinite(factor) ||
        (signs.matter(op) && !isPositive(factor)))
      continue;
    // The factor of a projection is left to foldScaleIntoProducers, which folds it into the columns.
    if (WeightProduct::ofReadOnce(x) || !foldFactorIntoUsers(rewriter, op, axis, factor))
      continue;
    rewriter.replaceOp(op, x);
    return success();
  }
  return failure();
}

// The only user of `x` besides `gated` if that is an op y = x * c or y = x / (1 / c) with a scalar constant, before
// `gated`, which will read y: returns y and c. y may have any users, because it does not change. If there is no such
// op, y is null.
static std::pair<Value, float> scaledBeforeGate(Value x, MultiplyOp gated) {
  if (!x.getDefiningOp() || !x.hasNUses(2))
    return {};
  for (Operation *user : x.getUsers()) {
    if (user == gated || !isa<MultiplyOp, DivideOp>(user) || user->getResult(0).getType() != x.getType())
      continue;
    bool divides = isa<DivideOp>(user), isFirst = user->getOperand(0) == x;
    std::optional<float> scalar = ordinaryScalar(user->getOperand(isFirst ? 1 : 0));
    if (scalar && (isFirst || !divides) && user->isBeforeInBlock(gated))
      return {user->getResult(0), divides ? 1 / *scalar : *scalar};
  }
  return {};
}

// Removes the scale c of the gate f in (x * f(c * x)) V, as in QuickGELU and hard swish, where x is a projection u W:
//
//     y = c * x,  (x * f(y)) V  ->  y = u (c * W),  (y * f(y)) (V / c)
//
// `gated` is the product x * f(y). This rewrite makes it y * f(y), c times what it was, and divides the weights V of
// all its users by c. Then y = c * x is the only user of x, and foldScaleIntoProducers folds c into W. f may be any
// function, because y does not change.
static LogicalResult foldScaleOfGate(MultiplyOp gated, PatternRewriter &rewriter, const ZeroSigns &signs) {
  for (Value x : gated->getOperands()) {
    auto [y, c] = scaledBeforeGate(x, gated);
    std::optional<WeightProduct> product = y ? WeightProduct::of(x) : std::nullopt;
    if (!product || x.getType() != gated.getType() || !isFloat32(gated) || !product->mayReplaceBias() ||
        (c < 0 && signs.matter(gated)))
      continue;
    AffineRegion region(/*perIndex=*/false);
    if (!region.collectReaders(gated, AxisIndices::all(gated)) || region.changedWeights().empty() ||
        !staysFiniteIfScaled(region))
      continue;
    rewriter.setInsertionPoint(gated);
    scaleWeights(rewriter, region, scalarConstant(rewriter, withoutTrace(gated.getLoc()), 1 / c));
    // The gated value and those between it and the weights V are c times the ONNX values now.
    for (Value value : region.changed())
      rewriter.modifyOpInPlace(value.getDefiningOp(), [&, c = c] { scaleTrace(value.getDefiningOp(), c); });
    rewriter.modifyOpInPlace(gated, [&, y = y, c = c] {
      scaleTrace(gated, c);
      gated->replaceUsesOfWith(x, y);
    });
    // Only y reads x now. It is c times the ONNX values of x, whose trace is lost if x gets new weights.
    rewriter.modifyOpInPlace(y.getDefiningOp(), [&, y = y, c = c] {
      for (TracedName traced : tracedValues(x.getLoc()))
        traceValue(cast<OpResult>(y), {traced.name, traced.shape, traced.scale * c});
    });
    return success();
  }
  return failure();
}

// x and s if `value` is x * s with an ordinary scalar s, has one user, and x is no weight; else `value` and 1.
static std::pair<Value, float> withoutScale(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (multiply && value.hasOneUse())
    for (auto [x, scale] : inEitherOrder(multiply))
      if (std::optional<float> scalar = ordinaryScalar(scale); scalar && x.getType() == value.getType() && !isWeight(x))
        return {x, *scalar};
  return {value, 1.0f};
}

// (s a) (t b)  ->  (s t) (a b), where one of s and t may be missing. This is tried after the folds into weights:
// weights of a or b may then take s t, and two scales become one multiplication. Both are ordinary factors, so that s t
// does not overflow, and is not 0. A negative s t changes the sign of zeros (isPositive). The product of two vectors,
// of rank 0, remains: times a scalar constant, of shape [1], it would have rank 1.
LogicalResult forge::sinkScaleBelowMatmul(MatmulOp op, PatternRewriter &rewriter, const ZeroSigns &signs) {
  auto [left, leftScale] = withoutScale(op.getOperandA());
  auto [right, rightScale] = withoutScale(op.getOperandB());
  float factor = leftScale * rightScale;
  bool isScaled = left != op.getOperandA() || right != op.getOperandB();
  if (!isScaled || op.getBias() || !isFloat32(op) || op.getType().getRank() == 0 || (factor < 0 && signs.matter(op)))
    return failure();
  Location loc = withoutTrace(op.getLoc());
  Value product = MatmulOp::create(rewriter, loc, op.getType(), left, right, Value());
  Value scale = scalarConstant(rewriter, loc, factor);
  rewriter.replaceOp(op, MultiplyOp::create(rewriter, op.getLoc(), op.getType(), product, scale));
  return success();
}

void forge::populateScaleFolding(RewritePatternSet &patterns, bool takesReciprocals, const ZeroSigns &signs) {
  auto zeros = std::cref(signs);
  // The label decides whether a rewrite is allowed (PassTable.inc): quantised-scales-folded and
  // scalars-of-operands-folded need --fast-math=reassociate. The functions of these labels are also added with
  // `reassociates` = false, under labels that are always allowed. They are added first, and so are tried first.
  for (auto [label, reassociates] : {std::pair("scales-folded", false), std::pair("quantised-scales-folded", true)})
    addRewrite<MultiplyOp, DivideOp>(patterns, label, foldScaleIntoProducers, zeros, reassociates, takesReciprocals);
  addRewrite<MultiplyOp>(patterns, "scales-folded", foldScaleIntoGroupedConvolution, zeros);
  addRewrite<MultiplyOp, DivideOp>(patterns, "scales-folded", foldScaleIntoProductOperands);
  addRewrite<MultiplyOp>(patterns, "scales-folded", foldScaleOfGate, zeros);
  addRewrite<MultiplyOp>(patterns, "scales-of-operands-folded", foldScaleIntoUsers, zeros, /*reassociates=*/false);
  addRewrite<MultiplyOp>(patterns, "scalars-of-operands-folded", foldScaleIntoUsers, zeros, /*reassociates=*/true);
}
