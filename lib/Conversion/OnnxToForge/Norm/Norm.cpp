//===- Norm.cpp - ONNX normalisations -------------------------------------===//

#include "Norm.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// The mean over `axes`, which are kept with size 1.
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

// Reshapes per-channel values to broadcast over an operand of `rank` with the channels in axis 1.
static Value perChannel(ForgeBuilder &b, Value value, int64_t rank) {
  if (!value)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[1] = numElements(value);
  return b.reshape(value, shape);
}

// Refuses a value that does not have one element per channel. Returns whether it has.
static bool checkChannels(OnnxNode &n, Value value, int64_t count, StringRef what) {
  if (rankOf(value) == 1 && shapeOf(value)[0] == count)
    return true;
  return n.refuse(Code::ShapeMismatch, what + " must have " + Twine(count) + " elements");
}

// Refuses statistics over empty axes.
static bool checkFilled(OnnxNode &n, Value x, int64_t minimumRank) {
  if (rankOf(x) >= minimumRank && numElements(x) != 0)
    return true;
  return n.refuse(Code::RankWrong, "the operand must have rank " + Twine(minimumRank) + " or more and no empty axis");
}

// The type of the computation: f32 for narrower types if `stash_type` says so, otherwise the type of the operand.
static Type stashType(OnnxNode &n, ForgeBuilder &b, Value x) {
  int64_t code = n.intAttr("stash_type", 1);
  Type type = elementTypeOfCode(code, b.getBuilder().getContext());
  if (!isa_and_nonnull<FloatType>(type))
    n.refuse(Code::AttributeValue, "attribute 'stash_type' is no floating-point type");
  if (!isa<FloatType>(elementOf(x)))
    n.refuse(Code::IntegersUnsupported, "integers have no norm");
  if (n.failed())
    return {};
  // stash_type only widens: its default must not narrow f64 operands.
  Type own = elementOf(x);
  return own.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth() ? own : type;
}

// The type for norms without `stash_type`: f32 for narrower types, as in onnxruntime and torch. In a row far from 0,
// the rounding error of a 16-bit mean can exceed the deviation.
static Type statisticsType(ForgeBuilder &b, Value x) {
  Type own = elementOf(x);
  return own.isF16() || own.isBF16() ? b.getF32Type() : own;
}

// Refuses `value` unless it broadcasts to the shape of `x`.
static Value broadcastable(OnnxNode &n, Value value, Value x) {
  auto target = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(x), shapeOf(value));
  if (succeeded(target) && ArrayRef(*target) == shapeOf(x))
    return value;
  return n.refuse(Code::ShapeMismatch, "scale or bias does not broadcast to the operand");
}

// The axes of `x` from attribute `axis` (default -1) on.
static SmallVector<int64_t> axesFrom(OnnxNode &n, Value x) {
  int64_t rank = rankOf(x), axis = n.axis(n.intAttr("axis", -1), rank);
  return llvm::to_vector(llvm::seq<int64_t>(axis, rank));
}

// BatchNormalization in training mode: uses the statistics of the batch, and updates the running ones. `statistics` are
// scale, bias, mean and variance.
static Values batchNormTraining(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<Value> statistics, double epsilon,
                                double momentum) {
  if (!checkFilled(n, x, 2))
    return {};
  for (Value value : statistics)
    if (!checkChannels(n, value, shapeOf(x)[1], "a statistic"))
      return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes(
      llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [](int64_t axis) { return axis != 1; }));
  Type element = elementOf(x), kept = elementOf(statistics[2]);
  Moments m = moments(b, b.cast(x, statisticsType(b, x)), axes);
  auto channels = [&](Value value) { return perChannel(b, b.cast(value, element), rank); };
  Value normal = b.cast(b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon)), element);
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

// BatchNormalization (since 1, 6, 7, 9, 14, 15), with running statistics or in training mode.
static Values convertBatchNormalization(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double momentum = n.floatAttr("momentum", 0.9); // Used in training mode only.
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0);
  Values scale;
  for (unsigned i : {1, 2, 3, 4})
    scale.push_back(n.input(i));
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse(Code::TrainingMode, "training mode (is_test = 0) is not supported");
  if (n.since() < 9 && !n.flagAttr("spatial", true))
    n.refuse(Code::AttributeUnsupported, "statistics per element (spatial = 0) are not supported");
  bool training = n.since() >= 14 && n.flagAttr("training_mode", false);
  if (n.failed())
    return {};
  if (training)
    return batchNormTraining(n, b, x, scale, epsilon, momentum);
  for (Value &statistic : scale)
    statistic = b.cast(statistic, elementOf(x));
  return {b.create<BatchnormOp>(x, scale[0], scale[1], scale[2], scale[3], f32(epsilon))};
}

// LayerNormalization with all outputs, decomposed into arithmetic. Reads axis, epsilon and stash_type. `bias` may be
// null.
static Values layerNorm(OnnxNode &n, ForgeBuilder &b, Value x, Value scale, Value bias) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Type stash = stashType(n, b, x);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  SmallVector<int64_t> axes = axesFrom(n, x);
  if (n.failed() || !(scale = broadcastable(n, scale, x)) || (bias && !(bias = broadcastable(n, bias, x))))
    return {};
  Moments m = moments(b, b.cast(x, stash), axes);
  Value root = deviation(b, m.variance, epsilon);
  Value result = b.cast(b.create<DivideOp>(m.centred, root), elementOf(x));
  result = b.create<MultiplyOp>(result, scale);
  if (bias)
    result = b.create<AddOp>(result, bias);
  return {result, m.mean, b.create<DivideOp>(b.scalarLike(root, 1), root)};
}

// LayerNormalization (since 17; in onnxruntime since opset 1): the axes from `axis` on are normalised together.
static Values convertLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), scale = n.input(1), bias = n.optionalInput(2);
  if (n.failed())
    return {};
  // forge.layernorm has no outputs for statistics and does not compute in a wider type.
  if (!elementOf(x).isF32() || n.intAttr("stash_type", 1) != 1 || n.usesOutput(1) || n.usesOutput(2))
    return layerNorm(n, b, x, scale, bias);
  int64_t axis = n.intAttr("axis", -1);
  double epsilon = n.floatAttr("epsilon", 1e-5);
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size();
  axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  ArrayRef<int64_t> normalised = ArrayRef(shape).drop_front(axis);
  SmallVector<int64_t> flat(shape.begin(), shape.begin() + axis);
  int64_t size = ShapedType::getNumElements(normalised);
  flat.push_back(size);
  // forge.layernorm requires scale and bias in the shape of the normalised axes.
  auto full = [&](Value value) -> Value {
    auto target = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(value), normalised);
    if (failed(target) || ArrayRef(*target) != normalised)
      return n.refuse(Code::ShapeMismatch, "scale or bias does not broadcast to the normalised dims");
    return b.reshape(b.expand(value, normalised), {size});
  };
  if (!bias)
    bias = b.splat(tensorType(x).clone(normalised), 0);
  Value result = b.create<LayernormOp>(b.reshape(x, flat), full(scale), full(bias), -1, f32(epsilon));
  return {b.reshape(result, shape)};
}

// RMSNormalization (since 23), and SimplifiedLayerNormalization, which onnxruntime has in the default domain: x divided
// by its root mean square, then in the type of the scale. The latter also returns the inverse of the root mean square.
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
  Value normal = b.cast(b.create<DivideOp>(wide, root), elementOf(scale));
  Value result = b.create<MultiplyOp>(normal, scale);
  return {result, n.usesOutput(1) ? b.create<DivideOp>(b.scalarLike(root, 1), root) : Value()};
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
  Moments m = moments(b, b.cast(flat, statisticsType(b, x)), {2});
  Value normal = b.cast(b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon)), elementOf(x));
  Value result = b.create<AddOp>(b.create<MultiplyOp>(normal, perChannel(b, scale, 3)), perChannel(b, bias, 3));
  return {b.reshape(result, shape)};
}

// GroupNormalization (since 18, 21): statistics per batch row and group of channels; scale and bias are per group,
// since 21 per channel.
static Values convertGroupNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  int64_t groups = n.intAttr("num_groups");
  Value x = n.input(0), scale = n.input(1), bias = n.input(2);
  if (n.failed() || !checkFilled(n, x, 2))
    return {};
  Type element = elementOf(x), stash = n.since() >= 21 ? stashType(n, b, x) : statisticsType(b, x);
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t channels = shape[1], spatial = ShapedType::getNumElements(ArrayRef(shape).drop_front(2));
  if (groups < 1 || channels % groups != 0)
    n.refuse(Code::DoesNotDivide, "attribute 'num_groups' does not divide the channels");
  int64_t count = n.since() >= 21 ? channels : groups;
  if (n.failed() || !checkChannels(n, scale, count, "scale") || !checkChannels(n, bias, count, "bias"))
    return {};
  Moments m = moments(b, b.cast(b.reshape(x, {shape[0], groups, channels / groups * spatial}), stash), {2});
  Value normal = b.cast(b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon)), element);
  normal = b.reshape(normal, {shape[0], count, channels * spatial / count});
  Value result = b.create<AddOp>(b.create<MultiplyOp>(normal, perChannel(b, scale, 3)), perChannel(b, bias, 3));
  return {b.reshape(result, shape)};
}

// MeanVarianceNormalization (since 9, 13): (x - mean) / (deviation + 1e-9).
static Values convertMeanVarianceNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> axes = n.intsAttr("axes", ArrayRef<int64_t>{0, 2, 3});
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  axes = n.axes(axes, rankOf(x));
  if (n.failed())
    return {};
  Moments m = moments(b, b.cast(x, statisticsType(b, x)), axes);
  Value root = b.create<SqrtOp>(m.variance);
  Value normal = b.create<DivideOp>(m.centred, b.create<AddOp>(root, b.scalarLike(root, 1e-9)));
  return {b.cast(normal, elementOf(x))};
}

// LpNormalization (since 1, 22): x divided by its 1- or 2-norm along one axis; 0 if the norm is 0.
static Values convertLpNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t p = n.intAttr("p", 2), axis = n.intAttr("axis", -1);
  if (p != 1 && p != 2)
    n.refuse(Code::AttributeValue, "attribute 'p' must be 1 or 2");
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  axis = n.axis(axis, rankOf(x));
  if (n.failed())
    return {};
  Value powers = p == 1 ? b.create<AbsOp>(x) : b.create<MultiplyOp>(x, x);
  Value norm = b.reduce<ReduceSumOp>(powers, {axis}, /*keepDims=*/true);
  if (p == 2)
    norm = b.create<SqrtOp>(norm);
  Value zero = b.scalarLike(x, 0);
  return {b.create<WhereOp>(b.compare<EqualOp>(norm, zero), zero, b.create<DivideOp>(x, norm))};
}

// LRN (since 1, 13): x / (bias + alpha / size * sum of squares over `size` adjacent channels) ^ beta. The sum is an
// average along the channels, padded with zeros. x in its own order, channels first, is an image with channels last
// whose height is the channels, so that nothing is transposed, and the two trailing axes are large. Forge pads all
// sides of a pool alike, so that the zeros are concatenated.
static Values convertLRN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1e-4), beta = n.floatAttr("beta", 0.75), bias = n.floatAttr("bias", 1);
  int64_t size = n.intAttr("size");
  if (size < 1 || size > INT32_MAX)
    n.refuse(Code::AttributeValue, "attribute 'size' must be positive");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() < 2)
    return n.refuse(Code::RankWrong, "the operand must have rank 2 or more");
  SmallVector<int64_t> image(shape);
  image.resize(3, 1);
  image.push_back(ShapedType::getNumElements(ArrayRef(shape).drop_front(std::min<size_t>(shape.size(), 3))));
  Type element = elementOf(x);
  // The window of channel c is c - floor((size-1)/2) .. c + ceil((size-1)/2). What is further out is zero for all c.
  int64_t most = std::max<int64_t>(0, shape[1] - 1);
  int64_t below = std::min((size - 1) / 2, most), above = std::min(size / 2, most), window = below + 1 + above;
  auto zeros = [&](int64_t channels) {
    return b.splat(RankedTensorType::get({image[0], channels, image[2], image[3]}, element), 0);
  };
  Value squares = b.reshape(b.create<MultiplyOp>(x, x), image);
  Value averages = b.concatenate({zeros(below), squares, zeros(above)}, 1);
  if (window > 1) {
    SmallVector<int64_t> kernel{window, 1}, stride{1, 1}, padding{0, 0, 0, 0};
    averages = b.create<AvgPool2dOp>(averages, ArrayRef(kernel), ArrayRef(stride), ArrayRef(padding),
                                     /*ceil_mode=*/false, /*count_include_pad=*/true, /*channel_last=*/true);
  }
  Value scale = b.scalarLike(x, alpha * static_cast<double>(window) / static_cast<double>(size));
  Value sums = b.create<MultiplyOp>(b.reshape(averages, shape), scale);
  Value base = b.create<AddOp>(sums, b.scalarLike(x, bias));
  return {b.create<DivideOp>(x, b.create<PowerOp>(base, b.scalarLike(x, beta)))};
}

// ai.onnx.ml.Scaler (since 1): (x - offset) * scale, with scalars or one value per feature.
static Values convertScaler(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<double> offset = n.floatsAttr("offset"), scale = n.floatsAttr("scale");
  if (n.failed())
    return {};
  if (!elementOf(x).isF32() || rankOf(x) == 0)
    return n.refuse(Code::OperandType, "expected a float32 operand of rank 1 or more");
  int64_t features = shapeOf(x).back();
  auto row = [&](ArrayRef<double> numbers, StringRef name) -> Value {
    int64_t count = numbers.size();
    if (count != 1 && count != features)
      return n.refuse(Code::AttributeMismatch, "expected 1 or " + Twine(features) + " numbers in attribute '" + name +
                                                   "', but got " + Twine(count));
    SmallVector<float> narrow(numbers.begin(), numbers.end());
    return b.floats(count, narrow);
  };
  Value offsets = row(offset, "offset"), scales = row(scale, "scale");
  return {n.failed() ? Value() : b.create<MultiplyOp>(b.create<SubtractOp>(x, offsets), scales)};
}

void forge::registerNormOps(OnnxRegistry &registry) {
  registry.add({
      {"BatchNormalization", {1, 6, 7, 9, 14, 15}, convertBatchNormalization},
      {"LayerNormalization", {1, 17}, convertLayerNormalization},
      {"InstanceNormalization", {1, 6, 22}, convertInstanceNormalization},
      {"GroupNormalization", {18, 21}, convertGroupNormalization},
      {"RMSNormalization", {23}, convertRMSNormalization},
      {"SimplifiedLayerNormalization", {1}, convertRMSNormalization},
      {"LpNormalization", {1, 22}, convertLpNormalization},
      {"MeanVarianceNormalization", {9, 13}, convertMeanVarianceNormalization},
      {"LRN", {1, 13}, convertLRN},
      {"Softmax", {1, 11, 13}, convertSoftmax},
      {"LogSoftmax", {1, 11, 13}, convertLogSoftmax},
  });
  registry.add({{"Scaler", {1}, convertScaler}}, "ai.onnx.ml");
}
