//===- Matmul.cpp - ONNX MatMul and the table of matrix products ----------===//

#include "Matmul.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

Value forge::multiplyAsMatrices(ForgeBuilder &b, Value x, Value y, llvm::function_ref<Value(Value, Value)> multiply) {
  bool isRow = rankOf(x) == 1, isColumn = rankOf(y) == 1;
  if (isRow)
    x = b.reshape(x, withAxis(shapeOf(x), 0));
  if (isColumn)
    y = b.reshape(y, withAxis(shapeOf(y), 1));
  Value product = multiply(x, y);
  if (!product)
    return {};
  SmallVector<int64_t> shape(shapeOf(product));
  if (isRow)
    shape.erase(shape.end() - 2);
  if (isColumn)
    shape.pop_back();
  return b.reshape(product, shape);
}

// The device has matrix products of floats only: integers are multiplied elementwise in Int32, and summed.
static Value integerMatmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  constexpr int64_t kMostProducts = 1 << 26;
  SmallVector<int64_t> shapeX(shapeOf(x)), shapeY(shapeOf(y));
  if (shapeX.size() < 2 || shapeY.size() < 2 || shapeX.back() != shapeY.end()[-2])
    return n.refuse(Code::ShapeMismatch, "the operands do not fit a matrix product");
  shapeX.push_back(1);
  shapeY.insert(shapeY.end() - 2, 1);
  // Constant operands are folded; at run time, a tensor with all products would be too large.
  Value rows = b.reshape(x, shapeX), columns = b.reshape(y, shapeY), products = b.create<MultiplyOp>(rows, columns);
  if (!products)
    return {};
  if (numElements(products) > kMostProducts)
    return n.refuse(Code::TooManyElements, "the device has no product of integer matrices, and " +
                                               Twine(numElements(products)) + " single products are too many to hold");
  int64_t inner = rankOf(products) - 2;
  if (shapeOf(products)[inner] == 0)
    return b.splat(tensorType(products).clone(withoutAxis(shapeOf(products), inner)), 0);
  return b.create<ReduceSumOp>(products, int64_t(-2), /*keep_dim=*/false);
}

Value forge::matmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  if (!x || !y)
    return {};
  bool isFloat = !isa<IntegerType>(elementOf(x));
  if (!isFloat && !computesDirectly(elementOf(x)))
    return n.refuse(Code::IntegerRange,
                    "a product of integers of this type may not fit Int32 on the device; cast to int32 first");
  // A product of two vectors is a scalar, which forge.matmul does not give.
  if (isFloat && (rankOf(x) != 1 || rankOf(y) != 1))
    return b.matmul(x, y);
  return multiplyAsMatrices(b, x, y,
                            [&](Value x, Value y) { return isFloat ? b.matmul(x, y) : integerMatmul(n, b, x, y); });
}

static Values convertMatMul(OnnxNode &n, ForgeBuilder &b) { return {matmul(n, b, n.input(0), n.input(1))}; }

void forge::registerMatmulOps(OnnxRegistry &registry) {
  registry.add({
      {"MatMul", {1, 9, 13}, convertMatMul},
      {"Gemm", {1, 6, 7, 9, 11, 13}, convertGemm},
      {"Det", {11, 22}, convertDet},
      {"Einsum", {12, 28}, convertEinsum},
  });
}
