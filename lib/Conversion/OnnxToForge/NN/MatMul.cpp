//===- MatMul.cpp - ONNX MatMul and Gemm ----------------------------------===//

#include "NN.h"

#include "../Elementwise/Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The device has matrix products of floats only: integers are multiplied elementwise in Int32, and summed.
static Value integerMatmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y) {
  constexpr int64_t kMostProducts = 1 << 26;
  if (!computesDirectly(elementOf(x)))
    return n.refuse(Code::IntegerRange,
                    "a product of integers of this type may not fit Int32 on the device; cast to int32 first");
  SmallVector<int64_t> shapeX(shapeOf(x)), shapeY(shapeOf(y));
  bool isRow = shapeX.size() == 1, isColumn = shapeY.size() == 1;
  if (isRow)
    shapeX.insert(shapeX.begin(), 1);
  if (isColumn)
    shapeY.push_back(1);
  if (shapeX.size() < 2 || shapeY.size() < 2 || shapeX.back() != shapeY.end()[-2])
    return n.refuse(Code::ShapeMismatch, "the operands do not fit a matrix product");
  shapeX.push_back(1);
  shapeY.insert(shapeY.end() - 2, 1);
  // Constant operands are folded; at run time, a tensor with all products would be too large.
  Value rows = b.reshape(x, shapeX), columns = b.reshape(y, shapeY), products = b.create<MultiplyOp>(rows, columns);
  if (!products)
    return {};
  if (numElements(products) > kMostProducts)
    return n.refuse(Code::TooMuchToUnroll, "the device has no product of integer matrices, and " +
                                               Twine(numElements(products)) + " single products are too many to hold");
  SmallVector<int64_t> result(shapeOf(products));
  result.erase(result.end() - 2);
  Value sums = shapeX.end()[-2] == 0 ? b.splat(RankedTensorType::get(result, elementOf(x)), 0)
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
  if (isa<IntegerType>(elementOf(x)))
    return integerMatmul(n, b, x, y);
  if (rankOf(x) != 1 || rankOf(y) != 1)
    return b.matmul(x, y);
  // A product of two vectors is a scalar, which forge.matmul does not give.
  Value row = b.reshape(x, {1, shapeOf(x)[0]}), column = b.reshape(y, {shapeOf(y)[0], 1});
  return b.reshape(b.matmul(row, column), {});
}

Values forge::convertMatMul(OnnxNode &n, ForgeBuilder &b) { return {matmul(n, b, n.input(0), n.input(1))}; }

static Value scaled(ForgeBuilder &b, Value x, double factor) {
  return factor == 1 ? x : b.create<MultiplyOp>(x, b.scalarLike(x, factor));
}

Value forge::gemm(OnnxNode &n, ForgeBuilder &b, Value c, bool broadcast) {
  Value x = n.input(0), y = n.input(1);
  double alpha = n.floatAttr("alpha", 1), beta = n.floatAttr("beta", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  if (n.failed())
    return {};
  if (rankOf(x) != 2 || rankOf(y) != 2)
    n.refuse(Code::RankWrong, "A and B must have rank 2");
  if (isa<IntegerType>(elementOf(x)) && (alpha != std::trunc(alpha) || beta != std::trunc(beta)))
    n.refuse(Code::RoundingUndefined, "integers times a fraction round, which ONNX leaves open");
  if (n.failed())
    return {};
  if (transA)
    x = b.transpose(x, {1, 0});
  if (transB)
    y = b.transpose(y, {1, 0});
  Value result = scaled(b, matmul(n, b, x, y), alpha);
  if (!c || !result)
    return result;
  if (!broadcast && shapeOf(c) != shapeOf(result))
    n.refuse(Code::ShapeMismatch, "C must have the shape of the product when attribute 'broadcast' is 0");
  Value sum = b.create<AddOp>(result, scaled(b, c, beta));
  if (sum && sum.getType() != result.getType())
    n.refuse(Code::ShapeMismatch, "C does not broadcast to the shape of the product");
  return sum;
}

Values forge::convertGemm(OnnxNode &n, ForgeBuilder &b) {
  Value c = n.since() >= 11 ? n.optionalInput(2) : n.input(2);
  // Before opset 7 C was broadcast only with this flag; a C of the full shape needs no broadcast.
  return {gemm(n, b, c, n.since() >= 7 || n.flagAttr("broadcast", false))};
}
