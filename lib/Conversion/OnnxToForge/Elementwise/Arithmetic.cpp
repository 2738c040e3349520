//===- Arithmetic.cpp - ONNX arithmetic, powers and casts -----------------===//

#include "Elementwise.h"

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "mlir/IR/Matchers.h"

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

void forge::refuseWrapping(OnnxNode &n, Value result) {
  if (!result || result.getDefiningOp<ConstantOp>())
    return;
  auto type = dyn_cast<IntegerType>(tensorType(result).getElementType());
  if (type && (type.isUnsigned() || (type.getWidth() != 32 && type.getWidth() != 64))) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    n.refuse("arithmetic on " + text + " wraps, which Int32 on the device does not; cast to int32 first");
  }
}

template <typename OpTy>
static Values convertBinary(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  Value result = b.create<OpTy>(x, y);
  refuseWrapping(n, result);
  return {result};
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
  if (operands.size() > 1 && std::is_same_v<OpTy, AddOp>)
    refuseWrapping(n, result);
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

// Integer division truncates in ONNX; Forge has only the true division.
static Values convertDiv(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || isa<FloatType>(tensorType(x).getElementType()))
    return {b.create<DivideOp>(x, y)};
  DenseElementsAttr constantX, constantY;
  if (!matchPattern(x, m_Constant(&constantX)) || !matchPattern(y, m_Constant(&constantY))) {
    n.refuse("integer division truncates, which the device cannot do");
    return {};
  }
  HostTensor dividend = HostTensor::fromAttr(constantX), divisor = HostTensor::fromAttr(constantY);
  // Multiply has the shape and type rules that division shares.
  Value like = b.create<MultiplyOp>(x, y);
  if (!like)
    return {};
  HostTensor quotient{tensorType(like), {}, {}};
  std::vector<int64_t> from = dividend.broadcastIndices(quotient.shape()), by = divisor.broadcastIndices(quotient.shape());
  for (auto [i, j] : llvm::zip_equal(from, by)) {
    if (divisor.ints[j] == 0 || (divisor.ints[j] == -1 && dividend.ints[i] == INT64_MIN)) {
      n.refuse("a constant division has no result");
      return {};
    }
    quotient.ints.push_back(dividend.ints[i] / divisor.ints[j]);
  }
  return {b.constant(quotient.toAttr())};
}

// Small whole exponents become products, which are exact where a device's power is not.
static Values convertPow(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y)
    return {};
  Type element = tensorType(x).getElementType();
  DenseElementsAttr exponent;
  if (matchPattern(y, m_Constant(&exponent)) && exponent.isSplat() && tensorType(y).getRank() <= tensorType(x).getRank() &&
      exponent.getNumElements() == 1) {
    double power = numberValues(exponent).front();
    Value result;
    if (power == 1)
      result = x;
    else if (power == 2)
      result = b.create<MultiplyOp>(x, x);
    else if (power == 3)
      result = b.create<MultiplyOp>(b.create<MultiplyOp>(x, x), x);
    else if (power == 0.5 && isa<FloatType>(element))
      result = b.create<SqrtOp>(x);
    if (result) {
      refuseWrapping(n, result);
      return {result};
    }
  }
  if (!isa<FloatType>(element)) {
    n.refuse("a power of integers is only supported with exponents 1, 2 and 3");
    return {};
  }
  return {b.create<PowerOp>(x, b.cast(y, element))};
}

static Values convertNeg(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  Value result = b.create<MultiplyOp>(x, b.scalarLike(x, -1));
  refuseWrapping(n, result);
  return {result};
}

// forge.reciprocal adds 1e-10 to its operand, so divide instead.
static Values convertReciprocal(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  return {b.create<DivideOp>(b.scalarLike(x, 1), x)};
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

// The element type of an ONNX TensorProto.DataType, null when the device path has none.
static Type elementTypeOf(int64_t onnxType, OpBuilder &b) {
  switch (onnxType) {
  case 1: return b.getF32Type();
  case 2: return b.getIntegerType(8, /*isSigned=*/false);
  case 3: return b.getIntegerType(8);
  case 4: return b.getIntegerType(16, /*isSigned=*/false);
  case 5: return b.getIntegerType(16);
  case 6: return b.getI32Type();
  case 7: return b.getI64Type();
  case 9: return b.getI1Type();
  case 10: return b.getF16Type();
  case 11: return b.getF64Type();
  case 12: return b.getIntegerType(32, /*isSigned=*/false);
  case 13: return b.getIntegerType(64, /*isSigned=*/false);
  case 16: return b.getBF16Type();
  default: return {};
  }
}

static int64_t legacyTypeCode(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Case("FLOAT", 1).Case("UINT8", 2).Case("INT8", 3).Case("UINT16", 4).Case("INT16", 5).Case("INT32", 6)
      .Case("INT64", 7).Case("BOOL", 9).Case("FLOAT16", 10).Case("DOUBLE", 11).Case("UINT32", 12).Case("UINT64", 13)
      .Default(0);
}

// A cast that narrows to less than 32 bits wraps, unless it is folded or every source value fits.
static Value castChecked(OnnxNode &n, ForgeBuilder &b, Value x, Type target) {
  if (!x)
    return {};
  auto from = dyn_cast<IntegerType>(tensorType(x).getElementType());
  auto to = dyn_cast<IntegerType>(target);
  Value result = b.cast(x, target);
  if (!to || to == from || to.getWidth() == 1 || to.getWidth() >= 32)
    return result;
  // A smaller integer fits unless it can be negative and the target cannot.
  bool fits = from && (from.getWidth() == 1 || (from.getWidth() < to.getWidth() && (from.isUnsigned() || !to.isUnsigned())));
  if (result && !fits && !result.getDefiningOp<ConstantOp>())
    n.refuse("a cast to an integer of less than 32 bits wraps, which Int32 on the device does not");
  return result;
}

// Cast (since 1, 6, 9, 13, 19, 21, 23, 24, 25, 28). `saturate` and `round_mode` matter for 8-bit floats only.
static Values convertCast(OnnxNode &n, ForgeBuilder &b) {
  int64_t to = n.since() < 6 ? legacyTypeCode(n.stringAttr("to")) : n.intAttr("to");
  n.ignoreAttr("saturate");
  n.ignoreAttr("round_mode");
  Type target = elementTypeOf(to, b.getBuilder());
  if (!target) {
    n.refuse("the device has no type for 'to' = " + Twine(to));
    return {};
  }
  return {castChecked(n, b, n.input(0), target)};
}

static Values convertCastLike(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("saturate");
  n.ignoreAttr("round_mode");
  Value x = n.input(0), like = n.input(1);
  return {x && like ? castChecked(n, b, x, tensorType(like).getElementType()) : Value()};
}

void forge::registerArithmeticOps(OnnxRegistry &r) {
  r.add("Add", {1, 6, 7, 13, 14}, convertBinary<AddOp>);
  r.add("Sub", {1, 6, 7, 13, 14}, convertBinary<SubtractOp>);
  r.add("Mul", {1, 6, 7, 13, 14}, convertBinary<MultiplyOp>);
  r.add("Div", {1, 6, 7, 13, 14}, convertDiv);
  r.add("Pow", {1, 7, 12, 13, 15}, convertPow);
  r.add("Sum", {1, 6, 8, 13}, convertVariadic<AddOp>);
  r.add("Max", {1, 6, 8, 12, 13}, convertVariadic<MaxOp>);
  r.add("Min", {1, 6, 8, 12, 13}, convertVariadic<MinOp>);
  r.add("Mean", {1, 6, 8, 13}, convertMean);
  r.add("Abs", {1, 6, 13}, convertUnary<AbsOp>);
  r.add("Exp", {1, 6, 13}, convertUnary<ExpOp>);
  r.add("Log", {1, 6, 13}, convertUnary<LogOp>);
  r.add("Sqrt", {1, 6, 13}, convertUnary<SqrtOp>);
  r.add("Erf", {9, 13}, convertUnary<ErfOp>);
  r.add("Sin", {7, 22}, convertUnary<SineOp>);
  r.add("Cos", {7, 22}, convertUnary<CosineOp>);
  r.add("Atan", {7, 22}, convertUnary<AtanOp>);
  r.add("Neg", {1, 6, 13}, convertNeg);
  r.add("Reciprocal", {1, 6, 13}, convertReciprocal);
  r.add("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, convertCast);
  r.add("CastLike", {15, 19, 21, 23, 24, 25}, convertCastLike);
}
