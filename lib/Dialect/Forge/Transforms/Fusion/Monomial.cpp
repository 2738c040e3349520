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
  APFloat number = *attr.value_begin<APFloat>();
  bool losesInfo = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

static bool isInteger(double power) { return std::trunc(power) == power; }

Monomial::Monomial(Value product) {
  auto element = dyn_cast<FloatType>(tensorType(product).getElementType());
  if (!element)
    return;
  // Allows for four roundings of a constant. Exporters round to f32 even if they write f64.
  tolerance = std::ldexp(1.0, 2 - std::min<int>(element.getFPMantissaWidth(), 24));
  if (!expandOperation(product, 1))
    append(product, 1);
}

bool Monomial::hasCoefficient(double expected) const {
  return std::abs(coefficient - expected) <= std::abs(expected) * tolerance;
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

// Merges powers of one value, if that is exact: sqrt(v) * sqrt(v) is not v for negative v, and v / v is not 1 for 0.
void Monomial::append(Value value, double power) {
  for (Factor &factor : factors)
    if (factor.value == value && isInteger(factor.power) && isInteger(power) && (factor.power > 0) == (power > 0)) {
      factor.power += power;
      return;
    }
  factors.push_back({value, power});
}

// Multiplies by `value`^`power`. The ops of a value with other users are not expanded, because they remain anyway, nor
// those of a root, because sqrt(a * b) is not sqrt(a) * sqrt(b) for negative a and b.
void Monomial::expand(Value value, double power) {
  if (std::optional<double> number = scalarValue(value))
    coefficient *= std::pow(*number, power);
  else if (!value.hasOneUse() || !isInteger(power) || !expandOperation(value, power))
    append(value, power);
}

// Multiplies by the operands of the op that computes `value`. Returns false, and changes nothing, if that is no
// product, root or power of a constant, or too many ops have been expanded.
bool Monomial::expandOperation(Value value, double power) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<MultiplyOp, DivideOp, SqrtOp, PowerOp>(op) || budget-- <= 0)
    return false;
  if (isa<SqrtOp>(op)) {
    append(op->getOperand(0), power / 2);
  } else if (isa<PowerOp>(op)) {
    // No function that passes recognise has larger exponents.
    std::optional<double> exponent = scalarValue(op->getOperand(1));
    if (!exponent || std::abs(*exponent) > 4)
      return false;
    expand(op->getOperand(0), power * *exponent);
  } else {
    expand(op->getOperand(0), power);
    expand(op->getOperand(1), isa<DivideOp>(op) ? -power : power);
  }
  return true;
}
