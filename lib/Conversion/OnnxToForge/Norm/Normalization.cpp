//===- Normalization.cpp - ONNX batch, layer and local response norms -----===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

static APFloat f32(double value) { return APFloat(static_cast<float>(value)); }

// BatchNormalization (since 1, 6, 7, 9, 14, 15) with running statistics, or with those of the batch in training mode.
static Values convertBatchNormalization(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double momentum = n.floatAttr("momentum", 0.9); // Only for the update of the statistics in training.
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0);
  Values scale;
  for (unsigned i : {1, 2, 3, 4})
    scale.push_back(n.input(i));
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse("training mode (is_test = 0) is not supported");
  if (n.since() < 9 && !n.flagAttr("spatial", true))
    n.refuse("statistics per element (spatial = 0) are not supported");
  bool training = n.since() >= 14 && n.flagAttr("training_mode", false);
  if (n.failed())
    return {};
  if (training)
    return batchNormTraining(n, b, x, scale, epsilon, momentum);
  for (Value &statistic : scale)
    statistic = b.cast(statistic, tensorType(x).getElementType());
  return {b.create<BatchnormOp>(x, scale[0], scale[1], scale[2], scale[3], f32(epsilon))};
}

// LayerNormalization (since 17; onnxruntime has had it from the first opset on): the dims from `axis` on are normalised
// together.
static Values convertLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), scale = n.input(1), bias = n.optionalInput(2);
  if (n.failed())
    return {};
  // forge.layernorm knows neither statistics nor a wider type to compute in.
  if (!tensorType(x).getElementType().isF32() || n.intAttr("stash_type", 1) != 1 || n.usesOutput(1) || n.usesOutput(2))
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
  // Scale and bias broadcast to the normalised dims; forge.layernorm wants all of them.
  auto full = [&](Value value) -> Value {
    auto target = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(value), normalised);
    if (failed(target) || ArrayRef(*target) != normalised) {
      n.refuse("scale or bias does not broadcast to the normalised dims");
      return {};
    }
    return b.reshape(b.expand(value, normalised), {size});
  };
  if (!bias)
    bias = b.splat(tensorType(x).clone(normalised), 0);
  Value result = b.create<LayernormOp>(b.reshape(x, flat), full(scale), full(bias), -1, f32(epsilon));
  return {b.reshape(result, shape)};
}

// LRN (since 1, 13): x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ^ beta. The sum is a
// convolution along the channels with a kernel that holds alpha / size.
static Values convertLRN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1e-4), beta = n.floatAttr("beta", 0.75), bias = n.floatAttr("bias", 1);
  int64_t size = n.intAttr("size");
  if (size < 1 || size > INT32_MAX)
    n.refuse("attribute 'size' must be positive");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() < 2) {
    n.refuse("the operand must have rank 2 or more");
    return {};
  }
  int64_t spatial = ShapedType::getNumElements(ArrayRef(shape).drop_front(2));
  Type element = tensorType(x).getElementType();
  Value squares = b.reshape(b.create<MultiplyOp>(x, x), {shape[0], 1, shape[1], spatial});
  Value kernel = b.splat(RankedTensorType::get({1, 1, size, 1}, element), alpha / static_cast<double>(size));
  // The window of channel c is c - floor((size-1)/2) .. c + ceil((size-1)/2).
  SmallVector<int64_t> ones{1, 1}, padding{(size - 1) / 2, 0, size / 2, 0};
  Value sums = b.create<Conv2dOp>(squares, kernel, OptionalOperand(), ArrayRef(ones), ArrayRef(padding), ArrayRef(ones),
                                  1, false);
  Value base = b.create<AddOp>(b.reshape(sums, shape), b.scalarLike(x, bias));
  return {b.create<DivideOp>(x, b.create<PowerOp>(base, b.scalarLike(x, beta)))};
}

void forge::registerNormalizationOps(OnnxRegistry &r) {
  r.add("BatchNormalization", {1, 6, 7, 9, 14, 15}, convertBatchNormalization);
  r.add("LayerNormalization", {1, 17}, convertLayerNormalization);
  r.add("LRN", {1, 13}, convertLRN);
}
