//===- Pow.cpp - ONNX Pow -------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace forge;

// x^exponent by repeated squaring.
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

// A power of integers, by the bits of the exponent. Exponents above 62 are reduced to their parity: this is exact
// for the bases 1, 0 and -1, and overflows Int32 for all others anyway. Negative exponents give 0 except for the bases
// 1 and -1.
static Expr integerPower(Expr x, Expr y) {
  constexpr int64_t kBits = 6;
  Expr parity = bitwiseAnd(y, 1.0);
  Expr exponent = select(y < 0.0, parity, select(y < double(1 << kBits), y, parity + double((1 << kBits) - 2)));
  Expr result = x.number(1), square = x;
  for (int64_t bit = 0; bit < kBits; ++bit) {
    result = result * select(bitwiseAnd(exponent, double(1 << bit)) != 0.0, square, x.number(1));
    // A square that no further bit needs could overflow Int32.
    square = select(exponent >= double(2 << bit), square, x.number(1));
    if (bit + 1 < kBits)
      square = square * square;
  }
  Expr isUnit = eitherOf(x == 1.0, x == -1.0);
  return select(eitherOf(y >= 0.0, isUnit), result, 0.0);
}

// Small integer exponents become products, which are exact where the power of a device is not. For larger exponents of
// floats, products would accumulate more rounding than a power.
static bool powerByProducts(Type element, double exponent) {
  if (isa<FloatType>(element))
    return exponent == 1 || exponent == 2 || exponent == 3;
  return exponent >= 1 && exponent <= 64 && exponent == static_cast<int64_t>(exponent);
}

static Expr power(Expr x, Expr y) { return Expr::binary<PowerOp>(x, y); }

// x^y for integers y of any size. A float has room for 24 bits of an exponent only, and without the last one the sign
// of the result is lost. So the power of a multiple of 4096 is multiplied by that of the rest. Both exponents have the
// sign of y: 0^y and infinity^y never become the product of 0 and infinity.
static Expr powerOfInteger(Expr x, Expr y) {
  constexpr double kRest = 4096;
  Expr low = bitwiseAnd(y, kRest - 1);
  Expr rest = select(bothOf(y < 0.0, low != 0.0), low - kRest, low);
  Type type = x.elementType();
  return power(x, (y - rest).cast(type)) * power(x, rest.cast(type));
}

// Whether `type` has every number that an exponent can be; `known` is its value if it is constant.
static bool fits(FloatType type, Value y, DenseElementsAttr known) {
  const llvm::fltSemantics &format = type.getFloatSemantics();
  if (known)
    return llvm::all_of(numberValues(known), [&](double number) {
      APFloat value(number);
      bool isRounded = false;
      value.convert(format, APFloat::rmNearestTiesToEven, &isRounded);
      return !isRounded;
    });
  if (auto integer = dyn_cast<IntegerType>(elementOf(y)))
    return integer.getWidth() - !integer.isUnsigned() <= APFloat::semanticsPrecision(format);
  return elementOf(y) == type;
}

// A float to the power of any number. The exponent keeps its digits if it has more of them than x.
static Expr floatPower(Expr x, Expr y, DenseElementsAttr known) {
  if (fits(cast<FloatType>(x.elementType()), y, known))
    return power(x, y.cast(x.elementType()));
  return inFloat32(x, [&](Expr base) {
    auto type = cast<FloatType>(base.elementType());
    return y.isFloat() || fits(type, y, known) ? power(base, y.cast(type)) : powerOfInteger(base, asInt32(y));
  });
}

Values forge::convertPow(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y)
    return {};
  Type element = elementOf(x);
  DenseElementsAttr exponent = knownValue(y);
  if (exponent && rankOf(y) <= rankOf(x) && exponent.getNumElements() == 1) {
    double power = numberValues(exponent).front();
    if (powerByProducts(element, power))
      return {
          wrappingBinary(n, b, x, x, [&](Expr base, Expr) { return wholePower(base, static_cast<uint64_t>(power)); })};
    if (power == 0.5 && isa<FloatType>(element))
      return {b.create<SqrtOp>(x)};
  }
  if (isa<FloatType>(element))
    return {floatPower({b, x}, {b, y}, exponent)};
  if (isa<FloatType>(elementOf(y)))
    return n.refuse(Code::RoundingUndefined,
                    "a power of an integer with a float exponent is truncated to an integer, which rounding on the "
                    "device may change");
  if (exponent && llvm::any_of(intValues(exponent), [](int64_t power) { return power < 0; }))
    return n.refuse(Code::ResultUndefined, "an integer to a negative power is no integer");
  // Constants are evaluated in 64 bits, because a result beyond Int32 has to be refused.
  auto wide = [&](Value value) { return Expr(b, b.cast(value, b.getI64Type())); };
  if (Value folded = foldedConstant(x, y, [&] { return integerPower(wide(x), wide(y)).cast(element); });
      folded || n.failed())
    return {folded};
  return {wrapTo(n, integerPower(asInt32({b, x}), asInt32({b, y})), element)};
}
