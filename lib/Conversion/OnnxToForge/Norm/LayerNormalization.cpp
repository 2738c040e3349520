//===- LayerNormalization.cpp - ONNX LayerNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// LayerNormalization with all outputs, decomposed into arithmetic. Reads axis, epsilon and stash_type. `bias` may be
// null.
static Values layerNorm(OnnxNode &n, ForgeBuilder &b, Value x, Value scale, Value bias) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Type stash = stashType(n, x);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  SmallVector<int64_t> axes = axesFromAttr(n, x);
  if (n.failed() || !checkBroadcasts(n, scale, x) || (bias && !checkBroadcasts(n, bias, x)))
    return {};
  Normalised norm = normalised(b, b.cast(x, stash), axes, epsilon);
  Value result = scaledAndShifted(b, b.cast(norm.result, elementOf(x)), scale, bias);
  Type ofStatistics = n.floatTypeAttr("stash_type", 1);
  return {result, b.cast(norm.mean, ofStatistics), b.cast(reciprocal(b, norm.root), ofStatistics)};
}

// LayerNormalization (since 17; in onnxruntime since opset 1): the axes from `axis` on are normalised together.
Values forge::convertLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), scale = n.input(1), bias = n.optionalInput(2);
  if (n.failed())
    return {};
  double epsilon = n.floatAttr("epsilon", 1e-5);
  int64_t axis = n.axisAttr(x, -1);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  ArrayRef<int64_t> normalised = ArrayRef(shape).drop_front(axis);
  // forge.layernorm has no outputs for statistics, does not compute in a wider type, and has one scale for all rows.
  if (!elementOf(x).isF32() || n.intAttr("stash_type", 1) != 1 || n.usesOutput(1) || n.usesOutput(2) ||
      !broadcastsTo(scale, normalised) || (bias && !broadcastsTo(bias, normalised)))
    return layerNorm(n, b, x, scale, bias);
  int64_t size = ShapedType::getNumElements(normalised);
  SmallVector<int64_t> flat = concatShapes(ArrayRef(shape).take_front(axis), size);
  auto full = [&](Value value) { return b.reshape(b.expand(value, normalised), {size}); };
  if (!bias) // x + -0 is x for each x, but -0 + 0 is 0.
    bias = b.splat(tensorType(x).clone(normalised), -0.0);
  Value result = b.create<LayernormOp>(b.reshape(x, flat), full(scale), full(bias), -1, f32(epsilon));
  return {b.reshape(result, shape)};
}
