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
  return {normalisedGroups(b, x, shapeOf(x)[1], scale, bias, statisticsType(b, x), epsilon)};
}
