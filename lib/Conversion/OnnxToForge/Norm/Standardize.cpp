//===- Standardize.cpp - ONNX norms by mean, variance and p-norm ----------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

static Value mean(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes) {
  return b.reduce<ReduceAvgOp>(x, axes, /*keepDims=*/true);
}

Moments forge::moments(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes) {
  Moments result;
  result.mean = mean(b, x, axes);
  result.centred = b.create<SubtractOp>(x, result.mean);
  result.variance = mean(b, b.create<MultiplyOp>(result.centred, result.centred), axes);
  return result;
}

Value forge::deviation(ForgeBuilder &b, Value variance, double epsilon) {
  return b.create<SqrtOp>(b.create<AddOp>(variance, b.scalarLike(variance, epsilon)));
}

// Values per channel, ready to broadcast over an operand of `rank` dims with the channels in axis 1.
static Value perChannel(ForgeBuilder &b, Value value, int64_t rank) {
  if (!value)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[1] = tensorType(value).getNumElements();
  return b.reshape(value, shape);
}

static bool checkChannels(OnnxNode &n, Value value, int64_t count, StringRef what) {
  if (tensorType(value).getRank() == 1 && shapeOf(value)[0] == count)
    return true;
  n.refuse(what + " must have " + Twine(count) + " elements");
  return false;
}

// The axes that statistics are taken over must not be empty.
static bool checkFilled(OnnxNode &n, Value x, int64_t minimumRank) {
  if (tensorType(x).getRank() >= minimumRank && tensorType(x).getNumElements() != 0)
    return true;
  n.refuse("the operand must have rank " + Twine(minimumRank) + " or more and no empty axis");
  return false;
}

// InstanceNormalization (since 1, 6, 22): statistics per batch row and channel.
static Values convertInstanceNormalization(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0), scale = n.input(1), bias = n.input(2);
  if (n.failed() || !checkFilled(n, x, 3) || !checkChannels(n, scale, shapeOf(x)[1], "scale") ||
      !checkChannels(n, bias, shapeOf(x)[1], "B"))
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  Value flat = b.reshape(x, {shape[0], shape[1], ShapedType::getNumElements(ArrayRef(shape).drop_front(2))});
  Moments m = moments(b, flat, {2});
  Value normal = b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon));
  Value result = b.create<AddOp>(b.create<MultiplyOp>(normal, perChannel(b, scale, 3)), perChannel(b, bias, 3));
  return {b.reshape(result, shape)};
}

// The type that a norm is computed in: f32 for narrower types where `stash_type` says so, else the operand's own.
static Type stashType(OnnxNode &n, ForgeBuilder &b, Value x) {
  int64_t code = n.intAttr("stash_type", 1);
  Type type = elementTypeOfCode(code, b.getBuilder().getContext());
  if (!isa_and_nonnull<FloatType>(type))
    n.refuse("attribute 'stash_type' is no floating-point type");
  if (!isa<FloatType>(tensorType(x).getElementType()))
    n.refuse("integers have no norm");
  if (n.failed())
    return {};
  // Widening only: f64 operands are not narrowed to f32 by a default.
  Type own = tensorType(x).getElementType();
  return own.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth() ? own : type;
}

// GroupNormalization (since 18, 21): statistics per batch row and group of channels; scale and bias per group, per
// channel since 21.
static Values convertGroupNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  int64_t groups = n.intAttr("num_groups");
  Value x = n.input(0), scale = n.input(1), bias = n.input(2);
  if (n.failed() || !checkFilled(n, x, 2))
    return {};
  Type element = tensorType(x).getElementType(), stash = n.since() >= 21 ? stashType(n, b, x) : element;
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t channels = shape[1], spatial = ShapedType::getNumElements(ArrayRef(shape).drop_front(2));
  if (groups < 1 || channels % groups != 0)
    n.refuse("attribute 'num_groups' does not divide the channels");
  int64_t count = n.since() >= 21 ? channels : groups;
  if (n.failed() || !checkChannels(n, scale, count, "scale") || !checkChannels(n, bias, count, "bias"))
    return {};
  Moments m = moments(b, b.cast(b.reshape(x, {shape[0], groups, channels / groups * spatial}), stash), {2});
  Value normal = b.cast(b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon)), element);
  normal = b.reshape(normal, {shape[0], count, channels * spatial / count});
  Value result = b.create<AddOp>(b.create<MultiplyOp>(normal, perChannel(b, scale, 3)), perChannel(b, bias, 3));
  return {b.reshape(result, shape)};
}

// `value` as an operand that broadcasts to `x` without growing it.
static Value broadcastable(OnnxNode &n, Value value, Value x) {
  auto target = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(x), shapeOf(value));
  if (succeeded(target) && ArrayRef(*target) == shapeOf(x))
    return value;
  n.refuse("scale or bias does not broadcast to the operand");
  return {};
}

static SmallVector<int64_t> axesFrom(OnnxNode &n, Value x) {
  int64_t rank = tensorType(x).getRank(), axis = n.axis(n.intAttr("axis", -1), rank);
  return llvm::to_vector(llvm::seq<int64_t>(axis, rank));
}

Values forge::layerNorm(OnnxNode &n, ForgeBuilder &b, Value x, Value scale, Value bias) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Type stash = stashType(n, b, x);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  SmallVector<int64_t> axes = axesFrom(n, x);
  if (n.failed() || !(scale = broadcastable(n, scale, x)) || (bias && !(bias = broadcastable(n, bias, x))))
    return {};
  Moments m = moments(b, b.cast(x, stash), axes);
  Value root = deviation(b, m.variance, epsilon);
  Value result = b.cast(b.create<DivideOp>(m.centred, root), tensorType(x).getElementType());
  result = b.create<MultiplyOp>(result, scale);
  if (bias)
    result = b.create<AddOp>(result, bias);
  return {result, m.mean, b.create<DivideOp>(b.scalarLike(root, 1), root)};
}

// RMSNormalization (since 23), and SimplifiedLayerNormalization, which onnxruntime has put into the default domain: x
// over its root mean square, in the type of the scale from there on. The latter gives the inverse of that root too.
static Values convertRMSNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0), scale = n.input(1);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  Type stash = stashType(n, b, x);
  SmallVector<int64_t> axes = axesFrom(n, x);
  if (n.failed() || !(scale = broadcastable(n, scale, x)))
    return {};
  Value wide = b.cast(x, stash);
  Value root = deviation(b, mean(b, b.create<MultiplyOp>(wide, wide), axes), epsilon);
  Value normal = b.cast(b.create<DivideOp>(wide, root), tensorType(scale).getElementType());
  Value result = b.create<MultiplyOp>(normal, scale);
  return {result, n.usesOutput(1) ? b.create<DivideOp>(b.scalarLike(root, 1), root) : Value()};
}

// LpNormalization (since 1, 22): x over its 1- or 2-norm along one axis; 0 where that is 0.
static Values convertLpNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t p = n.intAttr("p", 2), axis = n.intAttr("axis", -1);
  if (p != 1 && p != 2)
    n.refuse("attribute 'p' must be 1 or 2");
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  axis = n.axis(axis, tensorType(x).getRank());
  if (n.failed())
    return {};
  Value powers = p == 1 ? b.create<AbsOp>(x) : b.create<MultiplyOp>(x, x);
  Value norm = b.reduce<ReduceSumOp>(powers, {axis}, /*keepDims=*/true);
  if (p == 2)
    norm = b.create<SqrtOp>(norm);
  Value zero = b.scalarLike(x, 0);
  return {b.create<WhereOp>(b.compare<EqualOp>(norm, zero), zero, b.create<DivideOp>(x, norm))};
}

// MeanVarianceNormalization (since 9, 13): centred, over the standard deviation plus 1e-9.
static Values convertMeanVarianceNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> axes = n.intsAttr("axes", ArrayRef<int64_t>{0, 2, 3});
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  axes = n.axes(axes, tensorType(x).getRank());
  if (n.failed())
    return {};
  Moments m = moments(b, x, axes);
  Value root = b.create<SqrtOp>(m.variance);
  return {b.create<DivideOp>(m.centred, b.create<AddOp>(root, b.scalarLike(root, 1e-9)))};
}

Values forge::batchNormTraining(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<Value> statistics, double epsilon,
                                double momentum) {
  if (!checkFilled(n, x, 2))
    return {};
  for (Value value : statistics)
    if (!checkChannels(n, value, shapeOf(x)[1], "a statistic"))
      return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> axes(
      llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [](int64_t axis) { return axis != 1; }));
  Type element = tensorType(x).getElementType(), kept = tensorType(statistics[2]).getElementType();
  Moments m = moments(b, x, axes);
  auto channels = [&](Value value) { return perChannel(b, b.cast(value, element), rank); };
  Value normal = b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon));
  Value y = b.create<AddOp>(b.create<MultiplyOp>(normal, channels(statistics[0])), channels(statistics[1]));
  auto running = [&](Value old, Value current) {
    current = b.cast(b.reshape(current, {shapeOf(x)[1]}), kept);
    return b.create<AddOp>(b.create<MultiplyOp>(old, b.scalarLike(old, momentum)),
                           b.create<MultiplyOp>(current, b.scalarLike(current, 1 - momentum)));
  };
  if (!y || !m.mean || !m.variance)
    return {};
  return {y, running(statistics[2], m.mean), running(statistics[3], m.variance)};
}

void forge::registerStandardizeOps(OnnxRegistry &r) {
  r.add("InstanceNormalization", {1, 6, 22}, convertInstanceNormalization);
  r.add("GroupNormalization", {18, 21}, convertGroupNormalization);
  r.add("RMSNormalization", {23}, convertRMSNormalization);
  r.add("SimplifiedLayerNormalization", {1}, convertRMSNormalization);
  r.add("LpNormalization", {1, 22}, convertLpNormalization);
  r.add("MeanVarianceNormalization", {9, 13}, convertMeanVarianceNormalization);
}
