//===- GroupNormalization.cpp - ONNX GroupNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// GroupNormalization (since 18, 21): statistics per batch row and group of channels; scale and bias are per group,
// since 21 per channel.
Values forge::convertGroupNormalization(OnnxNode &n, ForgeBuilder &b) {
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
