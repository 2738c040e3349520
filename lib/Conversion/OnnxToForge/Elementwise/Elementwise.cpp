//===- Elementwise.cpp - ONNX ops on single elements ----------------------===//

#include "Elementwise.h"

#include "../RegisterAll.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

std::pair<Value, Value> forge::binaryOperands(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  if (n.opset() >= 7 || !x || !y)
    return {x, y};
  bool broadcast = n.flagAttr("broadcast", false), hasAxis = n.hasAttr("axis");
  if (!broadcast && shapeOf(x) != shapeOf(y))
    n.refuse(Code::ShapeMismatch, "shapes differ although attribute 'broadcast' is 0");
  if (!broadcast || !hasAxis || n.failed())
    return {x, y};
  int64_t axis = n.axisAttr(x), rankX = rankOf(x), rankY = rankOf(y);
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

// The operands of Sum, Max, Min or Mean, which broadcast since opset 8; empty if the node has failed.
static Values variadicOperands(OnnxNode &n) {
  Values operands = n.inputs();
  if (n.since() < 8 && !n.failed())
    for (Value operand : operands)
      if (shapeOf(operand) != shapeOf(operands.front()))
        n.refuse(Code::ShapeMismatch, "shapes differ, which this op allows only since opset 8");
  return n.failed() ? Values() : operands;
}

template <typename OpTy>
static Values variadic(OnnxNode &n, ForgeBuilder &b) {
  Values operands = variadicOperands(n);
  if (operands.empty())
    return {};
  Value result = operands.front();
  for (Value operand : ArrayRef(operands).drop_front())
    result = b.create<OpTy>(result, operand);
  return {result};
}

// A 16-bit sum could overflow.
static Values convertMean(OnnxNode &n, ForgeBuilder &b) {
  Values operands = variadicOperands(n);
  if (operands.empty())
    return {};
  if (!llvm::all_equal(llvm::map_range(operands, elementOf)))
    return n.refuse(Code::OperandType, "expected operands of one type");
  return {inFloat32({b, operands.front()}, [&](Expr sum) {
    for (Value operand : ArrayRef(operands).drop_front())
      sum = sum + Expr(b, b.cast(operand, sum.elementType()));
    return sum / static_cast<double>(operands.size());
  })};
}

static Values convertNeg(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return -x; })};
}

// Among signed integers, only the most negative one wraps.
static Values convertAbs(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && elementOf(x).isUnsignedInteger())
    return {x};
  return {wrappingBinary(n, b, x, x, [](Expr x, Expr) { return abs(x); })};
}

// forge.reciprocal adds 1e-10 to its operand, so a division is used.
static Values convertReciprocal(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  return {b.create<DivideOp>(b.scalarLike(x, 1), x)};
}

static Values convertErf(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && !isa<FloatType>(elementOf(x)))
    return n.refuse(Code::RoundingUndefined,
                    "this function of integers rounds, which ONNX leaves open; cast to float32 first");
  return {b.create<ErfOp>(x)};
}

// Products of unsigned 16-bit integers may overflow Int32. Those of the signed integers with the same bits do not, and
// wrap to the same result.
static Values convertMul(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || !elementOf(x).isUnsignedInteger(16))
    return {wrappingBinary(n, b, x, y, [](Expr x, Expr y) { return x * y; })};
  Type bits = b.getBuilder().getI16Type(), element = elementOf(x);
  auto narrowed = [&](Value value) { return asInt32({b, wrapTo(n, asInt32({b, value}), bits)}); };
  return {wrapTo(n, narrowed(x) * narrowed(y), element)};
}

// Refuses a constant divisor that contains 0.
static void refuseZero(OnnxNode &n, Value divisor) {
  DenseElementsAttr known = knownValue(divisor);
  if (known && isa<IntegerType>(known.getElementType()) && llvm::is_contained(intValues(known), 0))
    n.refuse(Code::ResultUndefined, "a division by the constant 0 has no result");
}

// Div (since 1, 6, 7, 13, 14). Integer division truncates.
static Values convertDiv(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || isa<FloatType>(elementOf(x)))
    return {b.create<DivideOp>(x, y)};
  refuseZero(n, y);
  if (n.failed())
    return {};
  Type element = elementOf(x);
  if (Value folded = foldedConstant(x, y, [&] { return b.create<QuotientOp>(x, y); }); folded || n.failed())
    return {folded};
  Expr quotient(b, b.create<QuotientOp>(Value(asInt32({b, x})), Value(asInt32({b, y}))));
  // Only the most negative value divided by -1 overflows.
  return {element.isUnsignedInteger() ? Value(quotient.cast(element)) : wrapTo(n, quotient, element)};
}

// `magnitude` with the sign of x. Where x is 0, the magnitude is 0 or NaN, and the difference has the sign of x.
static Expr withSignOf(Expr x, Expr magnitude) {
  return select(x < 0.0, -magnitude, select(x > 0.0, magnitude, x - magnitude));
}

// Mod (since 10, 13, 28): the result, also if it is zero, has the sign of the divisor, or with `fmod` of the dividend.
static Values convertMod(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0)), y(b, n.input(1));
  bool fmod = n.flagAttr("fmod", false);
  refuseZero(n, y);
  if (n.failed())
    return {};
  if (!fmod && x.isFloat()) {
    Expr rest = x % y, zero = select(y < 0.0, -0.0, y.number(0));
    return {select(rest == 0.0, zero, rest)};
  }
  if (!fmod)
    return {x % y};
  if (x.isFloat())
    return {withSignOf(x, abs(x) % abs(y))};
  // The absolute value of the most negative integer would overflow, so the sign is corrected after the remainder.
  Expr rest = x % y;
  if (x.elementType().isUnsignedInteger())
    return {rest};
  Expr otherSign = bothOf(rest != 0.0, (rest < 0.0) != (x < 0.0));
  return {select(otherSign, rest - y, rest)};
}

static Expr roundUp(Expr x) { return -floor(-x); }

// Rounds to nearest, ties to even. The remainder is exact for values of at least 0.5; smaller values round to 0
// regardless of the error of their remainder. The sum is a negated difference, so that negative values round to -0.
static Expr roundToEven(Expr x) {
  Expr rest = x % 1.0, below = x - rest;
  Expr odd = bothOf(rest == 0.5, below % 2.0 == 1.0);
  Expr up = eitherOf(rest > 0.5, odd);
  return select(rest > 0.0, select(up, -(-1.0 - below), below), x);
}

// Sign: -1, 0 or 1, and NaN for NaN. The sum makes -0 positive.
static Values convertSign(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  if (!x)
    return {};
  Expr rest = x.isFloat() ? x + 0.0 : x;
  if (!x.elementType().isUnsignedInteger())
    rest = select(x < 0.0, -1.0, rest);
  return {select(x > 0.0, 1.0, rest)};
}

static Expr tangent(Expr x) { return x.unary<SineOp>() / x.unary<CosineOp>(); }

// (1 - x) * (1 + x) keeps digits near 1 that 1 - x*x would lose. At 1 the quotient is infinite and its arctangent pi/2.
static Expr arcSine(Expr x) { return atan(x / sqrt((1.0 - x) * (1.0 + x))); }

// The half-angle formula, which is accurate at both ends of the domain.
static Expr arcCosine(Expr x) { return 2.0 * atan(sqrt((1.0 - x) / (1.0 + x))); }

// exp(x - log 2) instead of exp(x) / 2, which could overflow before the result does.
static Expr hyperbolicCosine(Expr x) {
  Expr half = x.number(M_LN2);
  return exp(x - half) + exp(-x - half);
}

// A difference of exponentials would cancel around 0.
static Expr hyperbolicSine(Expr x) { return tanh(x) * hyperbolicCosine(x); }

// For larger x, 1 + x * x rounds to x * x, which may overflow.
static constexpr double kLarge = 1e8;

static Expr inverseHyperbolicSine(Expr x) {
  Expr a = abs(x);
  Expr near = log1p(a + a * a / (1.0 + sqrt(a * a + 1.0)));
  Expr far = a.unary<LogOp>() + M_LN2;
  return withSignOf(x, select(a > kLarge, far, near));
}

static Expr inverseHyperbolicCosine(Expr x) {
  Expr above = x - 1.0;
  Expr near = log1p(above + sqrt(above) * sqrt(x + 1.0));
  Expr far = x.unary<LogOp>() + M_LN2;
  return select(x > kLarge, far, near);
}

static Expr inverseHyperbolicTangent(Expr x) {
  Expr a = abs(x);
  return withSignOf(x, 0.5 * log1p(2.0 * a / (1.0 - a)));
}

template <typename OpTy>
static Values compare(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  return {b.compare<OpTy>(x, y)};
}

// Booleans are 0 and 1: "and" is the product, "or" the maximum, "xor" the inequality.
template <typename OpTy>
static Values logic(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  Type number = b.getI32Type();
  return {b.cast(b.create<OpTy>(b.cast(x, number), b.cast(y, number)), b.getI1Type())};
}

static Values convertNot(OnnxNode &n, ForgeBuilder &b) { return {b.logicalNot(n.input(0))}; }

static Values convertIsNaN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  return {b.compare<NotEqualOp>(x, x)};
}

// IsInf (since 10, 20), for both signs or for one.
static Values convertIsInf(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  bool negative = n.flagAttr("detect_negative", true), positive = n.flagAttr("detect_positive", true);
  if (n.failed())
    return {};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!negative && !positive)
    return {b.splat(tensorType(x).clone(b.getI1Type()), 0)};
  if (negative && positive)
    return {abs(x) == infinity};
  return {x == (positive ? infinity : -infinity)};
}

static Values convertWhere(OnnxNode &n, ForgeBuilder &b) {
  return {b.create<WhereOp>(n.input(0), n.input(1), n.input(2))};
}

void forge::registerElementwiseOps(OnnxRegistry &registry) {
  registry.add({
      {"Add", {1, 6, 7, 13, 14}, binary<AddOp>},
      {"Sub", {1, 6, 7, 13, 14}, binary<SubtractOp>},
      {"Mul", {1, 6, 7, 13, 14}, convertMul},
      {"Div", {1, 6, 7, 13, 14}, convertDiv},
      {"Mod", {10, 13, 28}, convertMod},
      {"Pow", {1, 7, 12, 13, 15}, convertPow},
      {"Sum", {1, 6, 8, 13}, variadic<AddOp>},
      {"Max", {1, 6, 8, 12, 13}, variadic<MaxOp>},
      {"Min", {1, 6, 8, 12, 13}, variadic<MinOp>},
      {"Mean", {1, 6, 8, 13}, convertMean},
      {"Abs", {1, 6, 13}, convertAbs},
      {"Neg", {1, 6, 13}, convertNeg},
      {"Sign", {9, 13}, convertSign},
      {"Reciprocal", {1, 6, 13}, convertReciprocal},
      {"Exp", {1, 6, 13}, convertUnary<ExpOp>},
      {"Log", {1, 6, 13}, convertFormula<forge::log>},
      {"Sqrt", {1, 6, 13}, convertUnary<SqrtOp>},
      {"Erf", {9, 13}, convertErf},
      {"Floor", {1, 6, 13}, convertFormula<forge::floor>},
      {"Ceil", {1, 6, 13}, convertFormula<roundUp>},
      {"Round", {11, 22}, convertFormula<roundToEven>},
      {"Sin", {7, 22}, convertUnary<SineOp>},
      {"Cos", {7, 22}, convertUnary<CosineOp>},
      {"Tan", {7, 22}, convertFormula<tangent>},
      {"Asin", {7, 22}, convertFormula<arcSine>},
      {"Acos", {7, 22}, convertFormula<arcCosine>},
      {"Atan", {7, 22}, convertUnary<AtanOp>},
      {"Sinh", {9, 22}, convertFormula<hyperbolicSine>},
      {"Cosh", {9, 22}, convertFormula<hyperbolicCosine>},
      {"Asinh", {9, 22}, convertFormula<inverseHyperbolicSine>},
      {"Acosh", {9, 22}, convertFormula<inverseHyperbolicCosine>},
      {"Atanh", {9, 22}, convertFormula<inverseHyperbolicTangent>},
      {"Equal", {1, 7, 11, 13, 19}, compare<EqualOp>},
      {"Greater", {1, 7, 9, 13}, compare<GreaterOp>},
      {"GreaterOrEqual", {12, 16}, compare<GreaterEqualOp>},
      {"Less", {1, 7, 9, 13}, compare<LessOp>},
      {"LessOrEqual", {12, 16}, compare<LessEqualOp>},
      {"And", {1, 7}, logic<MultiplyOp>},
      {"Or", {1, 7}, logic<MaxOp>},
      {"Xor", {1, 7}, logic<NotEqualOp>},
      {"Not", {1}, convertNot},
      {"IsNaN", {9, 13, 20}, convertIsNaN},
      {"IsInf", {10, 20}, convertIsInf},
      {"Where", {9, 16}, convertWhere},
      {"BitwiseAnd", {18}, convertBitwiseAnd},
      {"BitwiseOr", {18}, convertBitwiseOr},
      {"BitwiseXor", {18}, convertBitwiseXor},
      {"BitwiseNot", {18}, convertBitwiseNot},
      {"BitShift", {11, 28}, convertBitShift},
      {"Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, convertCast},
      {"CastLike", {15, 19, 21, 23, 24, 25}, convertCastLike},
      {"BitCast", {26}, convertBitCast},
  });
}
