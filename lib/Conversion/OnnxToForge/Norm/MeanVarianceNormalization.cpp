//===- MeanVarianceNormalization.cpp - ONNX MeanVarianceNormalization -----===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// MeanVarianceNormalization (since 9, 13): centred, over the standard deviation plus 1e-9.
Values forge::convertMeanVarianceNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> axes = n.intsAttr("axes", ArrayRef<int64_t>{0, 2, 3});
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  axes = n.axes(axes, tensorType(x).getRank());
  if (n.failed())
    return {};
  Moments m = moments(b, b.cast(x, statisticsType(b, x)), axes);
  Value root = b.create<SqrtOp>(m.variance);
  Value normal = b.create<DivideOp>(m.centred, b.create<AddOp>(root, b.scalarLike(root, 1e-9)));
  return {b.cast(normal, tensorType(x).getElementType())};
}
