//===- QLinearMatMul.cpp - ONNX QLinearMatMul -----------------------------===//

#include "Quant.h"

using namespace mlir;
using namespace forge;

Value forge::requantize(ForgeBuilder &b, Value sums, Value scaleX, Value scaleY, Value scaleOut, Value zeroPoint) {
  Type f32 = b.getF32Type();
  Value factor = b.cast(b.create<DivideOp>(b.create<MultiplyOp>(scaleX, scaleY), scaleOut), f32);
  return zeroPoint ? saturate(b, b.create<MultiplyOp>(b.cast(sums, f32), factor), zeroPoint, elementOf(zeroPoint))
                   : Value();
}

Values forge::convertQLinearMatMul(OnnxNode &n, ForgeBuilder &b) {
  Values in = n.inputs();
  if (!n.failed() && in.size() != 8)
    n.refuse(Code::OperandMissing, "expected 8 inputs");
  if (n.failed())
    return {};
  auto shaped = [&](Value value, bool rows) { return b.reshape(value, matrixParameterShape(value, rows)); };
  Value sums = integerMatmul(n, b, in[0], in[3], in[2], in[5]);
  Value result =
      sums ? requantize(b, sums, shaped(in[1], true), shaped(in[4], false), shaped(in[6], true), shaped(in[7], true))
           : Value();
  if (result && shapeOf(result) != shapeOf(sums))
    return n.refuse(Code::ShapeMismatch, "a scale or zero point does not fit the product");
  return {result};
}
