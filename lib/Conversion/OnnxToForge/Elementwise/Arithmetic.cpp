//===- Arithmetic.cpp - ONNX arithmetic and powers ------------------------===//

#include "Elementwise.h"

#include "mlir/IR/Matchers.h"

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
    n.refuse("shapes differ although attribute 'broadcast' is 0");
  if (!broadcast || !hasAxis || n.failed())
    return {x, y};
  axis = n.axis(axis, rankX);
  if (n.failed() || axis + rankY > rankX) {
    n.refuse("attribute 'axis' leaves no room for the second operand");
    return {x, y};
  }
  SmallVector<int64_t> shape(shapeOf(y));
  shape.append(rankX - axis - rankY, 1);
  return {x, b.reshape(y, shape)};
}

template <typename OpTy>
static Values convertBinary(OnnxNode &n, ForgeBuilder &b) {
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
        n.refuse("shapes differ, which this op allows only since opset 8");
  Value result = operands.front();
  for (Value operand : ArrayRef(operands).drop_front())
    result = b.create<OpTy>(result, operand);
  return result;
}

template <typename OpTy>
static Values convertVariadic(OnnxNode &n, ForgeBuilder &b) {
  return {chain<OpTy>(n, b)};
}

static Values convertMean(OnnxNode &n, ForgeBuilder &b) {
  Value sum = chain<AddOp>(n, b);
  return {b.create<DivideOp>(sum, b.scalarLike(sum, n.numInputs()))};
}

//===----------------------------------------------------------------------===//
// Pow
//===----------------------------------------------------------------------===//

// x to the power of a constant, by squaring.
static Expr wholePower(Expr x, uint64_t exponent) {
  std::optional<Expr> result;
  for (Expr square = x; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = result ? *result * square : square;
    if (exponent > 1)
      square = square * square;
  }
  return result ? *result : x;
}

// An i32 power of integers, bit by bit of the exponent; every product wraps as in ONNX.
static Expr integerPower(Expr x, Expr y) {
  Expr result = x.number(1), square = x;
  for (int64_t bit = 0; bit < 31; ++bit) {
    result = result * select(bitwiseAnd(y, static_cast<double>(int64_t(1) << bit)) != 0.0, square, x.number(1));
    if (bit < 30)
      square = square * square;
  }
  return result;
}

// Small whole exponents become products, which are exact where a device's power is not. Larger ones of floats would
// round more often than the power does.
static bool powerByProducts(Type element, double exponent) {
  if (isa<FloatType>(element))
    return exponent == 1 || exponent == 2 || exponent == 3;
  return exponent >= 1 && exponent <= 64 && exponent == static_cast<int64_t>(exponent);
}

// Pow (since 1, 7, 12, 13, 15).
static Values convertPow(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y)
    return {};
  Type element = tensorType(x).getElementType();
  DenseElementsAttr exponent;
  if (matchPattern(y, m_Constant(&exponent)) && tensorType(y).getRank() <= tensorType(x).getRank() &&
      exponent.getNumElements() == 1) {
    double power = numberValues(exponent).front();
    if (powerByProducts(element, power))
      return {
          wrappingBinary(n, b, x, x, [&](Expr base, Expr) { return wholePower(base, static_cast<uint64_t>(power)); })};
    if (power == 0.5 && isa<FloatType>(element))
      return {b.create<SqrtOp>(x)};
  }
  if (isa<FloatType>(element))
    return {b.create<PowerOp>(x, b.cast(y, element))};
  if (isa<FloatType>(tensorType(y).getElementType())) {
    n.refuse("an integer to the power of a float truncates, which the device's power is not exact enough for");
    return {};
  }
  if (matchPattern(y, m_Constant(&exponent)) &&
      llvm::any_of(intValues(exponent), [](int64_t power) { return power < 0; })) {
    n.refuse("an integer to a negative power is no integer");
    return {};
  }
  return {wrapTo(n, integerPower(asInt32({b, x}), asInt32({b, y})), element)};
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static Values convertNeg(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return -x; })};
}

// Of the signed integers only the most negative one wraps.
static Values convertAbs(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  if (x && tensorType(x).getElementType().isUnsignedInteger())
    return {x};
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return abs(x); })};
}

// forge.reciprocal adds 1e-10 to its operand, so divide instead.
static Values convertReciprocal(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  return {b.create<DivideOp>(b.scalarLike(x, 1), x)};
}

static Values convertErf(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && !isa<FloatType>(tensorType(x).getElementType()))
    n.refuse("this function of integers rounds, which ONNX leaves open; cast to float32 first");
  return {b.create<ErfOp>(x)};
}

void forge::registerArithmeticOps(OnnxRegistry &r) {
  r.add("Add", {1, 6, 7, 13, 14}, convertBinary<AddOp>);
  r.add("Sub", {1, 6, 7, 13, 14}, convertBinary<SubtractOp>);
  r.add("Mul", {1, 6, 7, 13, 14}, convertBinary<MultiplyOp>);
  r.add("Pow", {1, 7, 12, 13, 15}, convertPow);
  r.add("Sum", {1, 6, 8, 13}, convertVariadic<AddOp>);
  r.add("Max", {1, 6, 8, 12, 13}, convertVariadic<MaxOp>);
  r.add("Min", {1, 6, 8, 12, 13}, convertVariadic<MinOp>);
  r.add("Mean", {1, 6, 8, 13}, convertMean);
  r.add("Abs", {1, 6, 13}, convertAbs);
  r.add("Neg", {1, 6, 13}, convertNeg);
  r.add("Reciprocal", {1, 6, 13}, convertReciprocal);
  r.add("Exp", {1, 6, 13}, convertUnary<ExpOp>);
  r.add("Sqrt", {1, 6, 13}, convertUnary<SqrtOp>);
  r.add("Erf", {9, 13}, convertErf);
}
