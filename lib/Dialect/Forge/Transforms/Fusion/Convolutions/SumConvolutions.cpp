//===- SumConvolutions.cpp - sums of convolutions of one value ------------===//
//
// A sum of two convolutions of one value becomes one convolution with the sum of their filters. If the value itself,
// with a per-channel scale, is added, the scale is added to the centre of the filters:
//
//     add(conv2d(%x, %W), conv2d(%x, %V))  ->  conv2d(%x, add(%W, padded %V))
//     add(conv2d(%x, %W), %x * %scale)     ->  conv2d(%x, add(%W, padded 1x1 filters of %scale))
//
// RepVGG (Ding et al., "RepVGG: Making VGG-style ConvNets Great Again", 2021) and others are trained and exported with
// such branches.
//
// One of the two windows has to contain all taps of the other one. Then only the filters of the smaller window are
// padded with zeros, and no padded filter reads additional pixels.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Convolutions/Taps.h"
#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"

using namespace mlir;
using namespace forge;

// The largest number of elements of the filters that pointwiseFilters() creates for a scaled value.
static constexpr int64_t kMostElements = 1 << 20;

namespace {
/// conv2d(x, filters) + bias or, if `filters` is null, x * scale + bias. A null scale is 1, a null bias 0. Channels are
/// axis 1.
struct Branch {
  Value x, filters = {}, scale = {}, bias = {};
  Conv2dOp convolution = {}; ///< null without filters
  FilterWindow window = {};  ///< without filters, the single tap 0

  static Branch of(Conv2dOp op) { return {op.getActivations(), op.getWeights(), {}, op.getBias(), op, windowOf(op)}; }
  /// Matches `value` as x * scale + bias, both per channel, or else as x.
  static Branch ofScaled(Value value) {
    Branch branch{value};
    if (auto add = value.getDefiningOp<AddOp>())
      if (auto [x, addend] = perChannelOperands(add); x && x.getDefiningOp<MultiplyOp>())
        branch = {x, {}, {}, addend};
    if (auto multiply = branch.x.getDefiningOp<MultiplyOp>())
      if (auto [x, scale] = perChannelOperands(multiply); x)
        return {x, {}, scale, branch.bias};
    return Branch{value};
  }
};
} // namespace

// Two branches of the same x, the addends of a sum; none for other addends.
using Branches = std::optional<std::pair<Branch, Branch>>;

// The convolution that produces `value`, if `value` has one use, the channels are first, and the filters and the bias
// are weights; else null.
static Conv2dOp convolutionUsedOnce(Value value) {
  auto conv = value.getDefiningOp<Conv2dOp>();
  std::optional<WeightProduct> product = WeightProduct::ofReadOnce(value);
  bool isMatch = conv && !conv.getChannelLast() && product && product->mayReplaceBias();
  return isMatch ? conv : Conv2dOp();
}

// Whether x * scale can be computed by 1x1 filters that are added to those of `conv`: its input and its result have the
// same shape, and its stride is 1, so that the tap 0 of each output element is the element of x at the same position.
// x without a scale is not added: in 16 bits, small filters would lose digits if 1 was added.
static bool canAddScaled(Conv2dOp conv, const Branch &scaled) {
  return conv.getType() == conv.getActivations().getType() && scaled.scale &&
         llvm::all_of(conv.getStride(), [](int64_t stride) { return stride == 1; }) &&
         shapeOf(conv.getWeights())[1] * conv.getType().getDimSize(1) <= kMostElements;
}

// Matches `a` and `b` as branches without convolutions, x * s and x * t, maybe with biases. One of the scales s and t
// may be missing.
static Branches branchesOfScaled(Value a, Value b) {
  Branch left = Branch::ofScaled(a), right = Branch::ofScaled(b);
  if (!left.scale && !right.scale)
    return std::nullopt;
  // In x + x * t, x is not split further, although it may be a scaled value itself.
  if (a == right.x)
    left = {a};
  else if (b == left.x)
    right = {b};
  // Nothing is saved if a scaled value has other users.
  bool removesScales = (!left.scale || a.hasOneUse()) && (!right.scale || b.hasOneUse());
  return removesScales && left.x == right.x ? Branches(std::pair(left, right)) : std::nullopt;
}

// The branches of `a` and `b`, if they have the same x, and convolutions have no other users; else none. Two
// convolutions may differ in their windows, but not in their strides and groups. A branch without a convolution is
// scaled.
static Branches branchesOf(Value a, Value b) {
  Conv2dOp first = convolutionUsedOnce(a), second = convolutionUsedOnce(b);
  if (!first && !second)
    return branchesOfScaled(a, b);
  Branch left = first ? Branch::of(first) : Branch::ofScaled(a);
  Branch right = second ? Branch::of(second) : Branch::ofScaled(b);
  bool isMatch = false;
  if (first && second)
    isMatch = first.getStride() == second.getStride() && first.getGroups() == second.getGroups();
  else
    isMatch = first ? canAddScaled(first, right) : canAddScaled(second, left);
  return isMatch && left.x == right.x ? Branches(std::pair(left, right)) : std::nullopt;
}

// 1x1 filters that compute x * scale, with as many groups as `like` has: the filter of channel c is scale[c] for
// channel c of x, which is channel c % perGroup of its group, and 0 for the others.
static Value pointwiseFilters(ImplicitLocOpBuilder &b, Value scale, Conv2dOp like) {
  int64_t channels = like.getType().getDimSize(1), perGroup = shapeOf(like.getWeights())[1];
  auto type = RankedTensorType::get({channels, perGroup, 1, 1}, b.getF32Type());
  SmallVector<float> ones(channels * perGroup, 0);
  for (int64_t channel = 0; channel < channels; ++channel)
    ones[channel * perGroup + channel % perGroup] = 1;
  Value filters = ConstantOp::create(b, type, DenseElementsAttr::get(type, ArrayRef(ones)));
  return MultiplyOp::create(b, filters, reshaped(b, scale, {channels, 1, 1, 1}));
}

// left + right, or left - right, of two biases, which are reshaped to `shape`. A null bias is 0; null if both are.
template <typename OpTy>
static Value combinedBias(ImplicitLocOpBuilder &b, Value left, Value right, ArrayRef<int64_t> shape) {
  for (Value *each : {&left, &right})
    if (*each)
      *each = reshaped(b, *each, shape);
  if (left && right)
    return OpTy::create(b, left, right);
  bool isNegated = right && std::is_same_v<OpTy, SubtractOp>;
  if (isNegated)
    return MultiplyOp::create(b, right, scalarConstant(b, b.getLoc(), -1));
  return left ? left : right;
}

// Whether the filters of a branch may be padded to `window`. The padded filters are an intermediate result of a
// computed weight: they are not stored, but must not be too large compared with the filters (mayBePassedThrough).
// Filters that are a splat count as one element, because only that is stored.
static bool mayBeEnlarged(const Branch &branch, const FilterWindow &window) {
  if (!branch.filters)
    return true; // kMostElements limits those that pointwiseFilters() will create.
  ArrayRef<int64_t> shape = shapeOf(branch.filters);
  SplatElementsAttr splat;
  int64_t elements = shape[0] * shape[1] * window[0].size() * window[1].size();
  return mayBePassedThrough(
      elements, matchPattern(branch.filters, m_Constant(&splat)) ? 1 : tensorType(branch.filters).getNumElements());
}

// x * (s + t) + bias, or x * (s - t) + bias, for two branches without convolutions. s and t are their scales, 1 if
// null; `bias` is the combined bias, or null.
template <typename OpTy>
static Value sumOfScales(ImplicitLocOpBuilder &b, const Branch &left, const Branch &right, Value bias,
                         RankedTensorType type) {
  int64_t channels = type.getDimSize(1);
  auto scaleOrOne = [&](Value scale) {
    return scale ? reshaped(b, scale, {channels, 1, 1}) : scalarConstant(b, b.getLoc(), 1);
  };
  Value result = MultiplyOp::create(b, type, left.x, OpTy::create(b, scaleOrOne(left.scale), scaleOrOne(right.scale)));
  return bias ? AddOp::create(b, type, result, reshaped(b, bias, {channels, 1, 1})).getResult() : result;
}

// Whether the weights of `branch` may be added to those of another one.
static bool areWeightsAddable(const Branch &branch) {
  // Weights of another format cannot be the bias of a Float32 convolution, and their sum would be rounded to that
  // format.
  auto isFormatKept = [](Value weight) { return !weight || isFloat32(weight); };
  // Two weights that stay finite even if they are scaled have a finite sum. A weight of 0 times an infinite x is NaN,
  // but x times the sum of that weight and another one would be infinite.
  auto isSummand = [](Value weight) { return !weight || (staysFiniteIfScaled(weight) && !hasKnownZeros(weight)); };
  // A bias that rounds on purpose has to be added to the same value as before.
  return isFormatKept(branch.scale) && isFormatKept(branch.bias) && isSummand(branch.scale) &&
         isSummand(branch.filters) && !(branch.bias && mayRoundOnPurpose(branch.bias));
}

// Merges a + b or a - b, where a and b are branches of one value, into one convolution or, without convolutions, into
// x * scale + bias.
template <typename OpTy>
static LogicalResult mergeBranches(OpTy op, PatternRewriter &rewriter) {
  RankedTensorType type = op.getType();
  if (type.getRank() != 4 || type.getNumElements() == 0 || !isFloat32(op) || op.getOperandA().getType() != type ||
      op.getOperandB().getType() != type)
    return failure();
  Branches branches = branchesOf(op.getOperandA(), op.getOperandB());
  if (!branches || !areWeightsAddable(branches->first) || !areWeightsAddable(branches->second))
    return failure();
  auto &[left, right] = *branches;
  std::optional<FilterWindow> window = unionWindow(left.window, right.window);
  // If neither window contains the other, their union may have taps that neither has. Those would be zero, and give NaN
  // for an infinity.
  bool hasNewTaps = window && !(*window == left.window) && !(*window == right.window);
  if (!window || hasNewTaps || !mayBeEnlarged(left, *window) || !mayBeEnlarged(right, *window))
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  Value bias = combinedBias<OpTy>(b, left.bias, right.bias, {type.getDimSize(1)});
  Conv2dOp like = left.convolution ? left.convolution : right.convolution;
  if (!like) {
    replaceOnnxValue(rewriter, op, sumOfScales<OpTy>(b, left, right, bias, type));
    return success();
  }
  for (Branch *branch : {&left, &right}) {
    if (!branch->filters)
      branch->filters = pointwiseFilters(b, branch->scale, like);
    branch->filters = enlarged(b, b.getLoc(), branch->filters, branch->window, *window);
  }
  Value filters = OpTy::create(b, left.filters, right.filters);
  rewriter.replaceOp(op, convolutionLike(b, op.getLoc(), like, filters, bias, *window));
  return success();
}

void forge::populateSumsOfConvolutions(RewritePatternSet &patterns) {
  addRewrite<AddOp>(patterns, "convolutions-added", mergeBranches<AddOp>);
  addRewrite<SubtractOp>(patterns, "convolutions-added", mergeBranches<SubtractOp>);
}
