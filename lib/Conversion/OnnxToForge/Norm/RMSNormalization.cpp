//===- RMSNormalization.cpp - ONNX RMSNormalization -----------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// RMSNormalization (since 23), and SimplifiedLayerNormalization, which onnxruntime has in the default domain: x divided
// by its root mean square, then in the type of the scale. The latter also returns the inverse of the root mean square.
Values forge::convertRMSNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0), scale = n.input(1);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  Type stash = stashType(n, x);
  SmallVector<int64_t> axes = axesFromAttr(n, x);
  if (n.failed() || !checkBroadcasts(n, scale, x))
    return {};
  Normalised norm = rmsNormalised(b, b.cast(x, stash), axes, epsilon);
  Value result = b.create<MultiplyOp>(b.cast(norm.result, elementOf(scale)), scale);
  return {result, n.usesOutput(1) ? reciprocal(b, norm.root) : Value()};
}
