//===- MatMul.cpp - ONNX MatMul -------------------------------------------===//

#include "NN.h"

#include "../Elementwise/Elementwise.h"

using namespace mlir;
using namespace forge;

// The device multiplies matrices of floats only, so integers are multiplied one by one in Int32, and summed.
static Value integerMatmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  constexpr int64_t kMostProducts = 1 << 26;
  if (!computesDirectly(tensorType(x).getElementType())) {
    n.refuse(Code::IntegerRange,
             "a product of integers of this type may not fit Int32 on the device; cast to int32 first");
    return {};
  }
  SmallVector<int64_t> shapeX(shapeOf(x)), shapeY(shapeOf(y));
  bool isRow = shapeX.size() == 1, isColumn = shapeY.size() == 1;
  if (isRow)
    shapeX.insert(shapeX.begin(), 1);
  if (isColumn)
    shapeY.push_back(1);
  if (shapeX.size() < 2 || shapeY.size() < 2 || shapeX.back() != shapeY.end()[-2]) {
    n.refuse(Code::ShapeMismatch, "the operands do not fit a matrix product");
    return {};
  }
  shapeX.push_back(1);
  shapeY.insert(shapeY.end() - 2, 1);
  // Known products are evaluated, and a device that had to hold these at once would not.
  Value rows = b.reshape(x, shapeX), columns = b.reshape(y, shapeY), products = b.create<MultiplyOp>(rows, columns);
  if (!products)
    return {};
  if (tensorType(products).getNumElements() > kMostProducts) {
    n.refuse(Code::TooMuchToUnroll, "the device has no product of integer matrices, and " +
                                        Twine(tensorType(products).getNumElements()) +
                                        " single products are too many to hold");
    return {};
  }
  SmallVector<int64_t> result(shapeOf(products));
  result.erase(result.end() - 2);
  Value sums = shapeX.end()[-2] == 0 ? b.splat(RankedTensorType::get(result, tensorType(x).getElementType()), 0)
                                     : b.create<ReduceSumOp>(products, int64_t(-2), /*keep_dim=*/false);
  if (isColumn)
    result.pop_back();
  if (isRow)
    result.erase(result.end() - (isColumn ? 1 : 2));
  return b.reshape(sums, result);
}

Value forge::matmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  if (!x || !y)
    return {};
  if (isa<IntegerType>(tensorType(x).getElementType()))
    return integerMatmul(n, b, x, y);
  if (tensorType(x).getRank() != 1 || tensorType(y).getRank() != 1)
    return b.create<MatmulOp>(x, y, OptionalOperand());
  // Forge's product of two vectors would have no dims.
  Value row = b.reshape(x, {1, shapeOf(x)[0]}), column = b.reshape(y, {shapeOf(y)[0], 1});
  return b.reshape(b.create<MatmulOp>(row, column, OptionalOperand()), {});
}

// MatMul (since 1, 9, 13).
Values forge::convertMatMul(OnnxNode &n, ForgeBuilder &b) { return {matmul(n, b, n.input(0), n.input(1))}; }
