//===- QLinearMatMul.cpp - ONNX QLinearMatMul -----------------------------===//

#include "Quantization.h"

using namespace mlir;
using namespace forge;

Value forge::requantize(ForgeBuilder &b, Value sums, Value scaleX, Value scaleY, Value scaleOut, Value zeroPoint) {
  Type f32 = b.getF32Type();
  Value factor = b.cast(b.create<DivideOp>(b.create<MultiplyOp>(scaleX, scaleY), scaleOut), f32);
  return zeroPoint ? saturate(b, b.create<MultiplyOp>(b.cast(sums, f32), factor), zeroPoint, elementOf(zeroPoint))
                   : Value();
}

Values forge::convertQLinearMatMul(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), scaleX = n.input(1), zeroX = n.input(2), y = n.input(3), scaleY = n.input(4),
        zeroY = n.input(5), scaleOut = n.input(6), zeroOut = n.input(7);
  if (n.failed())
    return {};
  auto shaped = [&](Value value, bool rows) { return b.reshape(value, matrixParameterShape(value, rows)); };
  Value sums = integerMatmul(n, b, x, y, zeroX, zeroY);
  if (!sums)
    return {};
  Value result =
      requantize(b, sums, shaped(scaleX, true), shaped(scaleY, false), shaped(scaleOut, true), shaped(zeroOut, true));
  if (result && shapeOf(result) != shapeOf(sums))
    return n.refuse(Code::ShapeMismatch, "a scale or zero point does not fit the product");
  return {result};
}
