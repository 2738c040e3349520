//===- DynamicQuantizeLinear.cpp - ONNX DynamicQuantizeLinear -------------===//

#include "Quantization.h"

using namespace mlir;
using namespace forge;

Quantised forge::quantiseDynamically(OnnxNode &n, ForgeBuilder &b, Value x) {
  int64_t count = numElements(x);
  if (count == 0 || !elementOf(x).isF32()) {
    n.refuse(Code::OperandType, "the operand must be float32 and not empty");
    return {};
  }
  Type byte = b.getBuilder().getIntegerType(8, /*isSigned=*/false);
  Value flat = b.reshape(x, {count}), zero = b.scalarLike(x, 0), minus = b.scalarLike(x, -1);
  Value highest = b.create<MaxOp>(b.reduce<ReduceMaxOp>(flat, {0}, false), zero);
  Value lowest = b.create<MultiplyOp>(b.reduce<ReduceMaxOp>(b.create<MultiplyOp>(flat, minus), {0}, false), minus);
  lowest = b.create<MinOp>(lowest, zero);
  Value span = b.create<SubtractOp>(highest, lowest);
  // For all-zero values ONNX does not define the scale; onnxruntime uses 1.
  Value scale = b.create<WhereOp>(b.compare<EqualOp>(span, zero), b.scalarLike(x, 1),
                                  b.create<DivideOp>(span, b.scalarLike(x, 255)));
  Value zeroPoint = saturate(b, b.create<DivideOp>(b.create<SubtractOp>(zero, lowest), scale), {}, byte);
  return {saturate(b, b.create<DivideOp>(x, scale), zeroPoint, byte), scale, zeroPoint};
}

Values forge::convertDynamicQuantizeLinear(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  Quantised result = x ? quantiseDynamically(n, b, x) : Quantised();
  return {result.bytes, result.scale, result.zeroPoint};
}
