//===- InstanceNormalization.cpp - ONNX InstanceNormalization -------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// InstanceNormalization (since 1, 6, 22): statistics per batch row and channel.
Values forge::convertInstanceNormalization(OnnxNode &n, ForgeBuilder &b) {
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
