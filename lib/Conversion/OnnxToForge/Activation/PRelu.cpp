//===- PRelu.cpp - ONNX PRelu ---------------------------------------------===//

#include "Activation.h"

#include "../Elementwise/Elementwise.h"

using namespace mlir;
using namespace forge;

// PRelu (since 1, 6, 7, 9, 16): the slope broadcasts to x; before 7 it was one number or one per channel.
Values forge::convertPRelu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0), slope = n.input(1);
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (n.since() < 7 && tensorType(slope).getRank() == 1 && rank > 1) {
    SmallVector<int64_t> shape(rank, 1);
    shape[1] = shapeOf(slope)[0];
    slope = b.reshape(slope, shape);
  }
  // A product that is not taken must not leave Int32 either.
  Value result = wrappingBinary(
      n, b, x, slope, [](Expr x, Expr slope) { return select(x < 0.0, (x.isFloat() ? x : min(x, 0.0)) * slope, x); });
  if (result && shapeOf(result) != shapeOf(x))
    n.refuse(Code::ShapeMismatch, "the slope does not broadcast to the shape of the operand");
  return {result};
}
