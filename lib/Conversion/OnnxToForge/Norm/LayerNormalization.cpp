//===- LayerNormalization.cpp - ONNX LayerNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

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

// LayerNormalization (since 17; onnxruntime has had it from the first opset on): the dims from `axis` on are normalised
// together.
Values forge::convertLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
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
      n.refuse(Code::ShapeMismatch, "scale or bias does not broadcast to the normalised dims");
      return {};
    }
    return b.reshape(b.expand(value, normalised), {size});
  };
  if (!bias)
    bias = b.splat(tensorType(x).clone(normalised), 0);
  Value result = b.create<LayernormOp>(b.reshape(x, flat), full(scale), full(bias), -1, f32(epsilon));
  return {b.reshape(result, shape)};
}
