//===- Monomial.cpp - products in one form --------------------------------===//

#include "Fusion/Monomial.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

std::optional<double> forge::scalarValue(Value value) {
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>();
      scalar && isa<FloatType>(scalar.getType().getElementType()))
    return scalar.getConstant().convertToDouble();
  DenseElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.getNumElements() != 1 || !isa<FloatType>(attr.getElementType()))
    return std::nullopt;
  return (*attr.value_begin<APFloat>()).convertToDouble();
}

static bool isInteger(double number) { return std::trunc(number) == number; }

// Whether `number` is a power of two with either sign: such a constant is not counted as rounded.
static bool isPowerOfTwo(double number) { return APFloat(number).getExactLog2Abs() != INT_MIN; }

Monomial::Monomial(Value product) {
  auto element = dyn_cast<FloatType>(tensorType(product).getElementType());
  if (!element)
    return;
  // A type of p bits rounds a constant by at most 2^-p of its size; f64 counts as f32 (24 bits). 3 * 2^-24 are added,
  // because the exporter may have computed the constant by several ops in f32, or have written eight of its digits.
  constantError = std::ldexp(1.0, -std::min<int>(element.getFPMantissaWidth(), 24)) + std::ldexp(3.0, -24);
  if (!expandOperation(product, 1))
    append(product, 1);
}

bool Monomial::hasCoefficient(double expected) const {
  // No format rounds a power of two. If that is expected, a single rounded constant is another number. Several rounded
  // ones, such as sqrt(2) twice, may have it as their product.
  double allowed = isPowerOfTwo(expected) && roundings <= 1 ? 0 : roundings;
  double tolerance = allowed * constantError + 0x1p-50; // with the errors of the arithmetic here
  return constantError > 0 && std::abs(coefficient - expected) <= std::abs(expected) * tolerance;
}

Value Monomial::powerOf(double expected, double power) const {
  return hasCoefficient(expected) && size() == 1 && factors[0].power == power ? factors[0].value : Value();
}

SmallVector<Value> Monomial::withPower(double power) const {
  SmallVector<Value> values;
  for (const Factor &factor : factors)
    if (factor.power == power)
      values.push_back(factor.value);
  return values;
}

// Multiplies by `value`^`power`. A power of a value that is a factor already is added to the known power if both are
// integers of one sign: sqrt(v) * sqrt(v) is not v for negative v, and v / v is not 1 for v = 0. Other powers of the
// value become a factor of their own.
void Monomial::append(Value value, double power) {
  for (Factor &factor : factors)
    if (factor.value == value && isInteger(factor.power) && isInteger(power) && (factor.power > 0) == (power > 0)) {
      factor.power += power;
      return;
    }
  factors.push_back({value, power});
}

// Multiplies by `value`^`power`. The op that computes `value` is not expanded if the value has other users, because the
// op then remains anyway; nor under a root, because sqrt(a * b) is not sqrt(a) * sqrt(b) for negative a and b.
void Monomial::expand(Value value, double power) {
  if (std::optional<double> number = scalarValue(value)) {
    coefficient *= std::pow(*number, power);
    roundings += isPowerOfTwo(*number) ? 0 : std::abs(power);
  } else if (!value.hasOneUse() || !isInteger(power) || !expandOperation(value, power)) {
    append(value, power);
  }
}

// Multiplies by `value`^`power`, an integer power, in terms of the operands of the op that computes `value`. Returns
// false, and multiplies by nothing, if the op is no product, quotient, root or power with a constant exponent, if the
// product of the exponents would give a number where the program has NaN, or if too many ops have been expanded.
bool Monomial::expandOperation(Value value, double power) {
  // No function that passes recognise has larger exponents.
  constexpr double kLargestExponent = 4;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<MultiplyOp, DivideOp, SqrtOp, PowerOp>(op) || budget-- <= 0)
    return false;
  if (isa<SqrtOp, PowerOp>(op)) {
    std::optional<double> exponent = isa<SqrtOp>(op) ? 0.5 : scalarValue(op->getOperand(1));
    if (!exponent || std::abs(*exponent) > kLargestExponent)
      return false;
    // For negative v, (v^0.5)^2 and (v^-0.5)^-2 are NaN, but v^1 is not. A power that is no integer is NaN either way.
    if (!isInteger(*exponent) && isInteger(power * *exponent))
      return false;
    expand(op->getOperand(0), power * *exponent);
    return true;
  }
  expand(op->getOperand(0), power);
  expand(op->getOperand(1), isa<DivideOp>(op) ? -power : power);
  return true;
}
