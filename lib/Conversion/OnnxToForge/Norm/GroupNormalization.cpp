//===- GroupNormalization.cpp - ONNX GroupNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

Value forge::normalisedGroups(ForgeBuilder &b, Value x, int64_t groups, Value scale, Value bias, Type stash,
                              double epsilon) {
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t count = numElements(scale), elements = numElements(x) / shape[0];
  Value grouped = b.cast(b.reshape(x, {shape[0], groups, elements / groups}), stash);
  Value normal = b.cast(normalised(b, grouped, {2}, epsilon).result, elementOf(x));
  normal = b.reshape(normal, {shape[0], count, elements / count});
  return b.reshape(scaledAndShifted(b, normal, perChannel(b, scale, 3), perChannel(b, bias, 3)), shape);
}

// GroupNormalization (since 18, 21): statistics per batch row and group of channels; scale and bias are per group,
// since 21 per channel.
Values forge::convertGroupNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  int64_t groups = n.intAttr("num_groups");
  Value x = n.input(0), scale = n.input(1), bias = n.input(2);
  if (n.failed() || !checkFilled(n, x, 2))
    return {};
  Type stash = n.since() >= 21 ? stashType(n, x) : statisticsType(b, x);
  int64_t channels = shapeOf(x)[1];
  if (groups < 1 || channels % groups != 0)
    n.refuse(Code::DoesNotDivide, "attribute 'num_groups' does not divide the channels");
  int64_t count = n.since() >= 21 ? channels : groups;
  if (n.failed() || !checkChannels(n, scale, count, "scale") || !checkChannels(n, bias, count, "bias"))
    return {};
  return {normalisedGroups(b, x, groups, scale, bias, stash, epsilon)};
}
