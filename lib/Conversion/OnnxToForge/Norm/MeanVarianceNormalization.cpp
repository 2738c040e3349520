//===- MeanVarianceNormalization.cpp - ONNX MeanVarianceNormalization -----===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// MeanVarianceNormalization (since 9, 13): (x - mean) / (deviation + 1e-9).
Values forge::convertMeanVarianceNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  SmallVector<int64_t> axes = n.axes(n.intsAttr("axes", ArrayRef<int64_t>{0, 2, 3}), rankOf(x));
  if (n.failed())
    return {};
  Moments m = moments(b, b.cast(x, statisticsType(b, x)), axes);
  Value root = b.create<SqrtOp>(m.variance);
  Value normal = b.create<DivideOp>(m.centred, b.create<AddOp>(root, b.scalarLike(root, 1e-9)));
  return {b.cast(normal, elementOf(x))};
}
