//===- RMSNormalization.cpp - ONNX RMSNormalization, SimplifiedLayerNorm. -===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// RMSNormalization (since 23), and SimplifiedLayerNormalization, which onnxruntime has put into the default domain: x
// over its root mean square, in the type of the scale from there on. The latter gives the inverse of that root too.
Values forge::convertRMSNormalization(OnnxNode &n, ForgeBuilder &b) {
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0), scale = n.input(1);
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  Type stash = stashType(n, b, x);
  SmallVector<int64_t> axes = axesFrom(n, x);
  if (n.failed() || !(scale = broadcastable(n, scale, x)))
    return {};
  Value wide = b.cast(x, stash);
  Value root = deviation(b, mean(b, b.create<MultiplyOp>(wide, wide), axes), epsilon);
  Value normal = b.cast(b.create<DivideOp>(wide, root), tensorType(scale).getElementType());
  Value result = b.create<MultiplyOp>(normal, scale);
  return {result, n.usesOutput(1) ? b.create<DivideOp>(b.scalarLike(root, 1), root) : Value()};
}
