//===- Arithmetic.cpp - ONNX arithmetic, exponentials, roots --------------===//

#include "Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace forge;

std::pair<Value, Value> forge::binaryOperands(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  if (n.opset() >= 7 || !x || !y)
    return {x, y};
  n.ignoreAttr("consumed_inputs");
  bool broadcast = n.flagAttr("broadcast", false);
  int64_t rankX = tensorType(x).getRank(), rankY = tensorType(y).getRank();
  bool hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", rankX - rankY);
  if (!broadcast && shapeOf(x) != shapeOf(y))
    n.refuse(Code::ShapeMismatch, "shapes differ although attribute 'broadcast' is 0");
  if (!broadcast || !hasAxis || n.failed())
    return {x, y};
  axis = n.axis(axis, rankX);
  if (n.failed() || axis + rankY > rankX) {
    n.refuse(Code::OutOfRange, "attribute 'axis' leaves no room for the second operand");
    return {x, y};
  }
  SmallVector<int64_t> shape(shapeOf(y));
  shape.append(rankX - axis - rankY, 1);
  return {x, b.reshape(y, shape)};
}

template <typename OpTy>
static Values binary(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  return {wrappingBinary(n, b, x, y, [](Expr x, Expr y) { return Expr::binary<OpTy>(x, y); })};
}

// Sum, Max, Min, Mean: any number of operands, broadcast since opset 8.
template <typename OpTy>
static Value chain(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Values operands = n.inputs();
  if (n.failed() || operands.empty())
    return {};
  if (n.since() < 8)
    for (Value operand : operands)
      if (shapeOf(operand) != shapeOf(operands.front()))
        n.refuse(Code::ShapeMismatch, "shapes differ, which this op allows only since opset 8");
  Value result = operands.front();
  for (Value operand : ArrayRef(operands).drop_front())
    result = b.create<OpTy>(result, operand);
  return result;
}

template <typename OpTy>
static Values variadic(OnnxNode &n, ForgeBuilder &b) {
  return {chain<OpTy>(n, b)};
}

Values forge::convertMean(OnnxNode &n, ForgeBuilder &b) {
  Value sum = chain<AddOp>(n, b);
  return {b.create<DivideOp>(sum, b.scalarLike(sum, n.numInputs()))};
}

Values forge::convertNeg(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return -x; })};
}

// Of the signed integers only the most negative one wraps.
Values forge::convertAbs(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  if (x && tensorType(x).getElementType().isUnsignedInteger())
    return {x};
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return abs(x); })};
}

// forge.reciprocal adds 1e-10 to its operand, so divide instead.
Values forge::convertReciprocal(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  return {b.create<DivideOp>(b.scalarLike(x, 1), x)};
}

Values forge::convertErf(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && !isa<FloatType>(tensorType(x).getElementType()))
    n.refuse(Code::RoundingUndefined,
             "this function of integers rounds, which ONNX leaves open; cast to float32 first");
  return {b.create<ErfOp>(x)};
}

static Expr logarithm(Expr x) { return log(x); }

Values forge::convertAdd(OnnxNode &n, ForgeBuilder &b) { return binary<AddOp>(n, b); }
Values forge::convertSub(OnnxNode &n, ForgeBuilder &b) { return binary<SubtractOp>(n, b); }

// Products of unsigned 16 bits may leave Int32; those of the signed numbers with the same bits do not, and wrap to the
// same result.
Values forge::convertMul(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || !tensorType(x).getElementType().isUnsignedInteger(16))
    return {wrappingBinary(n, b, x, y, [](Expr x, Expr y) { return x * y; })};
  Type bits = b.getBuilder().getI16Type(), element = tensorType(x).getElementType();
  auto narrowed = [&](Value value) { return asInt32({b, wrapTo(n, asInt32({b, value}), bits)}); };
  return {wrapTo(n, narrowed(x) * narrowed(y), element)};
}

Values forge::convertSum(OnnxNode &n, ForgeBuilder &b) { return variadic<AddOp>(n, b); }
Values forge::convertMax(OnnxNode &n, ForgeBuilder &b) { return variadic<MaxOp>(n, b); }
Values forge::convertMin(OnnxNode &n, ForgeBuilder &b) { return variadic<MinOp>(n, b); }
Values forge::convertLog(OnnxNode &n, ForgeBuilder &b) { return convertFormula<logarithm>(n, b); }
