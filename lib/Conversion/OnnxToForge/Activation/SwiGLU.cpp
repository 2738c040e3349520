//===- SwiGLU.cpp - ONNX SwiGLU -------------------------------------------===//

#include "Activation.h"

using namespace mlir;
using namespace forge;

// SwiGLU (since 28): the Swish of a gate times a value of the same shape.
Values forge::convertSwiGLU(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  Value gate = n.input(0), value = n.input(1);
  if (n.failed())
    return {};
  if (gate.getType() != value.getType()) {
    n.refuse(Code::OperandType, "the gate and the value must have one type");
    return {};
  }
  return {
      inFloat32({b, gate}, [&](Expr x) { return x * sigmoid(alpha * x) * Expr(b, b.cast(value, x.elementType())); })};
}
