//===- MatMul.cpp - ONNX MatMul -------------------------------------------===//

#include "NN.h"

using namespace mlir;
using namespace forge;

Value forge::matmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  if (!x || !y)
    return {};
  if (isa<IntegerType>(tensorType(x).getElementType())) {
    n.refuse(Code::IntegersUnsupported, "a product of integer matrices is not supported on the device");
    return {};
  }
  if (tensorType(x).getRank() != 1 || tensorType(y).getRank() != 1)
    return b.create<MatmulOp>(x, y, OptionalOperand());
  // Forge's product of two vectors would have no dims.
  Value row = b.reshape(x, {1, shapeOf(x)[0]}), column = b.reshape(y, {shapeOf(y)[0], 1});
  return b.reshape(b.create<MatmulOp>(row, column, OptionalOperand()), {});
}

// MatMul (since 1, 9, 13).
Values forge::convertMatMul(OnnxNode &n, ForgeBuilder &b) { return {matmul(n, b, n.input(0), n.input(1))}; }
