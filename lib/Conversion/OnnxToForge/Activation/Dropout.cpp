//===- Dropout.cpp - ONNX Dropout -----------------------------------------===//

#include "Activation.h"

using namespace mlir;
using namespace forge;

// Dropout at inference (since 1, 6, 7, 10, 12, 13, 22) is the identity with a mask of ones.
Values forge::convertDropout(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("ratio");
  n.ignoreAttr("seed");
  Value x = n.input(0);
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse(Code::TrainingMode, "training mode (is_test = 0) is random");
  // With a ratio of 0 nothing is dropped, not even in training mode.
  bool trains = n.since() >= 12 && n.hasInput(2) && n.constantScalar(2, "training_mode") != 0;
  if (trains && !n.failed() && (!n.hasInput(1) || n.constantScalar(1, "ratio") != 0))
    n.refuse(Code::TrainingMode, "training mode is random");
  if (n.failed())
    return {};
  if (!n.hasOutput(1))
    return {x};
  Type maskType = n.since() < 10 ? elementOf(x) : b.getI1Type();
  // The mask marks elements that are kept: a float before opset 10, whose value at inference ONNX did not define.
  return {x, b.splat(tensorType(x).clone(maskType), 1)};
}
