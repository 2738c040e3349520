//===- FusePatterns.cpp - decomposed functions as single Forge calls ------===//
//
// Replaces compositions of primitive ops by calls of functions: Gelu, LayerNorm, Sigmoid, Clip. Forge has no call for
// SiLU, HardSwish, RMS norm or attention; tt-mlir recognises compositions of these itself. They are only rewritten to
// the composition that it recognises. Functions of floats only are matched, because Monomial and scalarValue do.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEFUSEPATTERNSPASS
#include "Fusion/Rewrites.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// The two operands, in both orders, of the commutative op that computes `value`; none if that is no OpTy.
template <typename OpTy>
static SmallVector<std::pair<Value, Value>, 2> operandsOf(Value value) {
  SmallVector<std::pair<Value, Value>, 2> orders;
  if (auto op = value.getDefiningOp<OpTy>())
    llvm::append_range(orders, inEitherOrder(op));
  return orders;
}

// y where `value` is `x` + y, in either order; null for other values. The same for the matchers below.
static Value addedTo(Value x, Value value) {
  for (auto [a, b] : operandsOf<AddOp>(value))
    if (a == x)
      return b;
  return {};
}

// y where `value` is 1 + y.
static Value addedToOne(Value value) {
  for (auto [a, b] : operandsOf<AddOp>(value))
    if (scalarValue(a) == 1.0)
      return b;
  return {};
}

Value forge::meanOperand(Value value) {
  auto mean = value.getDefiningOp<ReduceAvgOp>();
  bool isMatch = mean && mean.getKeepDim() && mean.getWorkAxis() == mean.getType().getRank() - 1;
  return isMatch ? mean.getOperandA() : Value();
}

// x where `value` is x - mean(x).
static Value centredOperand(Value value) {
  auto difference = value.getDefiningOp<SubtractOp>();
  bool isCentred = difference && meanOperand(difference.getOperandB()) == difference.getOperandA();
  return isCentred ? difference.getOperandA() : Value();
}

namespace {
/// mean(x^2) + epsilon, which is positive.
struct MeanSquare {
  Value x;
  double epsilon;
};
} // namespace

// Matches mean(x^2) + epsilon for an epsilon above 0; the square may be a power or a product.
static std::optional<MeanSquare> matchMeanSquare(Value value) {
  for (auto [mean, addend] : operandsOf<AddOp>(value)) {
    Value square = meanOperand(mean);
    std::optional<double> epsilon = scalarValue(addend);
    Value x = square ? Monomial(square).powerOf(/*expected=*/1, /*power=*/2) : Value();
    if (x && epsilon && *epsilon > 0)
      return MeanSquare{x, *epsilon};
  }
  return std::nullopt;
}

// Whether `value` can be the scale or bias of a forge.layernorm of `type`: a constant or weight of the same element
// type, with one element per index of the trailing axis.
static bool isNormWeight(Value value, RankedTensorType type) {
  RankedTensorType weight = tensorType(value);
  bool hasTrailingAxes = weight.getRank() > 0 && type.getRank() > 0;
  return isa_and_nonnull<ParameterOp, ConstantOp>(value.getDefiningOp()) && hasTrailingAxes &&
         weight.getElementType() == type.getElementType() && weight.getShape().back() == type.getShape().back() &&
         weight.getNumElements() == type.getShape().back();
}

// Whether a user of the product `op` is a larger product. The patterns are tried on that as well: if neither matches,
// only the larger one reports why.
static bool isInLargerProduct(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) { return isa<MultiplyOp, DivideOp>(user); });
}

// Whether `value` is sqrt(2 / pi) * (x + 0.044715 * x^3), or sqrt(2 / pi) * x * (1 + 0.044715 * x^2).
static bool isGeluCubic(Value value, Value x) {
  constexpr double kScale = 0.79788456080286535588, kCubic = 0.044715;
  Monomial product(value);
  SmallVector<Value> factors = product.withPower(1);
  if (!product.hasCoefficient(kScale) || factors.size() != product.size() || factors.empty() || factors.size() > 2)
    return false;
  if (factors.size() == 1) {
    Value cubic = addedTo(x, factors[0]);
    return cubic && Monomial(cubic).powerOf(kCubic, /*power=*/3) == x;
  }
  Value square = factors[0] == x ? addedToOne(factors[1]) : factors[1] == x ? addedToOne(factors[0]) : Value();
  return square && Monomial(square).powerOf(kCubic, /*power=*/2) == x;
}

namespace {
/// The attribute `approximate` of the forge.gelu that computes 0.5 * x * gate; or, if that is similar to a Gelu but
/// none, the reason, which is reported. Both are empty for other values.
struct GeluMatch {
  std::optional<GeluApproximation> approximate;
  StringRef mismatch;

  bool isSimilar() const { return approximate || !mismatch.empty(); }
};
} // namespace

// Matches `gate` as 1 + erf(x / sqrt(2)), or as 1 + tanh of the cubic.
static GeluMatch matchGelu(Value x, Value gate) {
  constexpr double kRootOfHalf = 0.70710678118654752440;
  Value function = addedToOne(gate);
  if (!function)
    return {};
  if (auto erf = function.getDefiningOp<ErfOp>())
    return Monomial(erf.getOperandA()).powerOf(kRootOfHalf, /*power=*/1) == x
               ? GeluMatch{GeluApproximation::None, ""}
               : GeluMatch{std::nullopt, "its erf is not of x / sqrt(2)"};
  if (auto tanh = function.getDefiningOp<TanhOp>())
    return isGeluCubic(tanh.getOperandA(), x)
               ? GeluMatch{GeluApproximation::Tanh, ""}
               : GeluMatch{std::nullopt, "its tanh is not of sqrt(2 / pi) * (x + 0.044715 * x^3)"};
  return {};
}

// 0.5 * x * (1 + erf(x / sqrt(2)))  ->  gelu(x), and the same for the approximation by tanh.
static LogicalResult fuseGelu(Operation *op, PatternRewriter &rewriter) {
  Type type = op->getResult(0).getType();
  Monomial product(op->getResult(0));
  SmallVector<Value> factors = product.withPower(1);
  if (product.size() != 2 || factors.size() != 2)
    return failure();
  // One factor is x, the other one the gate. Both can be similar to a gate, as in a Gelu of x = 1 + erf(w). x is the
  // second factor if that gives a Gelu, or if the second factor is not similar to a gate of the first one.
  Value x = factors[0];
  GeluMatch match = matchGelu(factors[0], factors[1]), swapped = matchGelu(factors[1], factors[0]);
  if (swapped.approximate || !match.isSimilar()) {
    x = factors[1];
    match = swapped;
  }
  if (!match.isSimilar())
    return failure();
  // A larger product may have the factor 0.5. It then matches, or reports why not.
  bool isHalf = product.hasCoefficient(0.5);
  if (!isHalf && isInLargerProduct(op))
    return failure();
  auto [approximate, mismatch] = match;
  if (!isHalf)
    mismatch = "the product has another constant factor than 0.5";
  else if (x.getType() != type)
    mismatch = "x is broadcast";
  if (!mismatch.empty())
    return rewriter.notifyMatchFailure(op, mismatch);
  rewriter.replaceOpWithNewOp<GeluOp>(op, type, x, *approximate);
  return success();
}

// scale * (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon)  ->  layernorm(x, scale, bias -0). There has to be a
// scale, because Forge decomposes the call again, and would multiply by ones. A bias of +0 would change results of -0,
// which a scale of 0 causes.
static LogicalResult fuseLayernorm(Operation *op, PatternRewriter &rewriter) {
  RankedTensorType type = tensorType(op->getResult(0));
  Monomial product(op->getResult(0));
  SmallVector<Value> roots = product.withPower(-0.5), factors = product.withPower(1);
  bool hasOtherPowers = product.size() != roots.size() + factors.size();
  if (hasOtherPowers || roots.size() != 1 || factors.empty() || factors.size() > 2)
    return failure();
  std::optional<MeanSquare> variance = matchMeanSquare(roots[0]);
  Value x = variance ? centredOperand(variance->x) : Value();
  // One factor has to be x - mean(x), and becomes the first. The other one, if there is one, is the scale.
  auto isCentred = [&](Value factor) { return x && centredOperand(factor) == x; };
  if (!isCentred(factors.front()))
    std::swap(factors.front(), factors.back());
  if (!isCentred(factors.front()))
    return failure();
  if (factors.size() == 1 && isInLargerProduct(op))
    return failure();
  if (factors.size() == 1)
    return rewriter.notifyMatchFailure(op, "it has no scale, so that one call would gain nothing");
  Value scale = factors[1];
  if (!product.hasCoefficient(1) || x.getType() != type || !isNormWeight(scale, type))
    return rewriter.notifyMatchFailure(op, "its scale is not one constant per element of the last axis");
  auto channels = RankedTensorType::get({type.getShape().back()}, type.getElementType());
  Value noBias = ConstantOp::create(rewriter, withoutTrace(op->getLoc()), channels, splatAttr(channels, -0.0));
  APFloat epsilon(static_cast<float>(variance->epsilon));
  rewriter.replaceOpWithNewOp<LayernormOp>(op, type, x, scale, noBias, int64_t(-1), epsilon);
  return success();
}

// layernorm(x, scale, -0) + bias  ->  layernorm(x, scale, bias). A bias of +0 remains, because -0 + 0 + -0 is +0.
static LogicalResult fuseLayernormBias(AddOp op, PatternRewriter &rewriter) {
  for (auto [sum, bias] : inEitherOrder(op)) {
    auto norm = sum.getDefiningOp<LayernormOp>();
    if (!norm || norm.getType() != op.getType() || !isNormWeight(bias, norm.getType()) ||
        !addsNothing(norm.getBias(), /*signMatters=*/true))
      continue;
    if (!norm->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the normalised value without the bias is needed too");
    rewriter.replaceOpWithNewOp<LayernormOp>(op, op.getType(), norm.getOperandA(), norm.getWeights(), bias,
                                             norm.getDim(), norm.getEpsilon());
    return success();
  }
  return failure();
}

// a / (1 + exp(-x))  ->  a * sigmoid(x), or sigmoid(x) if a is 1. If a is x, this is SiLU.
static LogicalResult fuseSigmoid(DivideOp op, PatternRewriter &rewriter) {
  Value numerator = op.getOperandA(), sum = op.getOperandB(), addend = addedToOne(sum);
  auto exponential = addend ? addend.getDefiningOp<ExpOp>() : ExpOp();
  if (!exponential)
    return failure();
  Value x = Monomial(exponential.getOperandA()).powerOf(/*expected=*/-1, /*power=*/1);
  // The constants 1 and -1 of tensors of one element may add axes of size 1, which sigmoid(x) does not have.
  if (!x || x.getType() != sum.getType())
    return failure();
  if (!sum.hasOneUse())
    return rewriter.notifyMatchFailure(op, "1 + exp(-x) is needed elsewhere too");
  bool isOne = scalarValue(numerator) == 1.0 && x.getType() == op.getType();
  if (!isOne && tensorType(sum).getElementType().isF16())
    return rewriter.notifyMatchFailure(op, "sigmoid(x) has few digits below 2^-14, the smallest normal float16");
  Location loc = isOne ? op.getLoc() : withoutTrace(op.getLoc());
  Value sigmoid = SigmoidOp::create(rewriter, loc, x.getType(), x);
  if (isOne)
    rewriter.replaceOp(op, sigmoid);
  else
    rewriter.replaceOpWithNewOp<MultiplyOp>(op, op.getType(), numerator, sigmoid);
  return success();
}

// max(min(x, high), low), or min(max(x, low), high)  ->  clip(x, low, high), for scalar constants, as in HardSwish.
template <typename OuterOp, typename InnerOp>
static LogicalResult fuseClip(OuterOp op, PatternRewriter &rewriter) {
  constexpr bool kIsMaxOutside = std::is_same_v<OuterOp, MaxOp>; // A max has the lower bound.
  for (auto [inner, outerBound] : inEitherOrder(op))
    for (auto [x, innerBound] : operandsOf<InnerOp>(inner)) {
      std::optional<double> low = scalarValue(kIsMaxOutside ? outerBound : innerBound);
      std::optional<double> high = scalarValue(kIsMaxOutside ? innerBound : outerBound);
      if (!low || !high || x.getType() != op.getType())
        continue;
      // If the lower bound is above the upper one, the result depends on the order of min and max.
      if (!(*low <= *high))
        return rewriter.notifyMatchFailure(op, "its lower bound is above the upper one");
      if (!inner.hasOneUse())
        return rewriter.notifyMatchFailure(op, "the value with one bound is needed too");
      auto asFloat32 = [](double bound) { return APFloat(static_cast<float>(bound)); };
      rewriter.replaceOpWithNewOp<ClipOp>(op, op.getType(), x, asFloat32(*low), asFloat32(*high));
      return success();
    }
  return failure();
}

// (mean(x^2) + epsilon)^-0.5  ->  1 / sqrt(mean(x^2) + epsilon), so that all RMS norms have one form. The two are
// equal, because a mean of squares plus a positive number is positive.
static LogicalResult rewritePowerAsReciprocalRoot(PowerOp op, PatternRewriter &rewriter) {
  Value square = op.getOperandA();
  if (scalarValue(op.getOperandB()) != -0.5 || !matchMeanSquare(square))
    return failure();
  if (square.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "the mean square is broadcast");
  Location loc = withoutTrace(op.getLoc());
  Value one = scalarOf(rewriter, loc, op.getType().getElementType(), 1);
  Value root = SqrtOp::create(rewriter, loc, square.getType(), square);
  rewriter.replaceOpWithNewOp<DivideOp>(op, op.getType(), one, root);
  return success();
}

// sum(transpose(%x))  ->  transpose(sum(%x)), along the axis of %x that the transposes move to the reduced one. The
// transposes then move fewer elements. The transposed tensors may have no other users, which would need them anyway.
// The reduced axis has to be kept, with size 1, so that the transposes exchange the same axes as before.
template <typename OpTy>
static LogicalResult reduceBeforeTransposes(OpTy op, PatternRewriter &rewriter) {
  // Axis i of the operand is axis order[i] of `source`.
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, op.getType().getRank()));
  SmallVector<TransposeOp> transposes;
  Value source = op.getOperandA();
  for (auto each = source.getDefiningOp<TransposeOp>(); each && each->hasOneUse();
       each = source.getDefiningOp<TransposeOp>()) {
    for (int64_t &axis : order)
      axis = transposedAxis(each, axis);
    transposes.push_back(each);
    source = each.getOperandA();
  }
  if (transposes.empty() || !op.getKeepDim())
    return failure();
  int64_t rank = order.size();
  std::optional<int64_t> dim = reductionDim(order[fromFront(op.getDim(), rank)], rank);
  if (!dim)
    return rewriter.notifyMatchFailure(op, "the 'dim' of a reduction cannot name the axis before the transposes");
  takeTrace(source, op.getOperandA(), order); // `source` holds the transposed ONNX value now.
  Location between = withoutTrace(op.getLoc());
  Value value = OpTy::create(rewriter, between, source, *dim, /*keep_dim=*/true);
  for (TransposeOp each : llvm::reverse(transposes))
    value = TransposeOp::create(rewriter, between, value, each.getDim0(), each.getDim1());
  replaceOnnxValue(rewriter, op, value);
  return success();
}

namespace {
struct ForgeFusePatternsPass : forge::impl::ForgeFusePatternsPassBase<ForgeFusePatternsPass>, ReportingPass {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    RewritePatternSet patterns(&getContext());
    addRewrite<MultiplyOp, DivideOp>(patterns, "gelus-fused", fuseGelu);
    addRewrite<MultiplyOp, DivideOp>(patterns, "layernorms-fused", fuseLayernorm);
    addRewrite<AddOp>(patterns, "layernorm-biases-fused", fuseLayernormBias);
    addRewrite<DivideOp>(patterns, "sigmoids-fused", fuseSigmoid);
    addRewrite<MaxOp>(patterns, "clips-fused", fuseClip<MaxOp, MinOp>);
    addRewrite<MinOp>(patterns, "clips-fused", fuseClip<MinOp, MaxOp>);
    addRewrite<PowerOp>(patterns, "powers-as-roots", rewritePowerAsReciprocalRoot);
    addRewrite<ReduceAvgOp>(patterns, "reductions-before-transposes", reduceBeforeTransposes<ReduceAvgOp>);
    addRewrite<ReduceSumOp>(patterns, "reductions-before-transposes", reduceBeforeTransposes<ReduceSumOp>);
    addRewrite<ReduceMaxOp>(patterns, "reductions-before-transposes", reduceBeforeTransposes<ReduceMaxOp>);
    addRewrite<ReshapeOp>(patterns, "pairs-rotated", rotatePairs);
    if (failed(rewriteGreedily(*this, getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
