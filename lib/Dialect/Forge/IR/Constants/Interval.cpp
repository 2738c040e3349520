//===- Interval.cpp - the range of the elements of a value ----------------===//

#include "forge/Dialect/Forge/IR/Constants/Interval.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// a * b for bounds. 0 times infinity is 0, because 0 times any number is, and 0 times an infinity is NaN.
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

// Whether the first operand of `op` has integer elements, none of which is NaN.
static bool isOfIntegers(Operation *op) {
  return isa<IntegerType>(cast<ShapedType>(op->getOperand(0).getType()).getElementType());
}

Interval Interval::ofType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return {};
  unsigned width = integer.getWidth();
  if (width == 1)
    return boolean();
  if (width >= 32)
    return int32();
  double span = static_cast<double>(int64_t(1) << width);
  return integer.isUnsigned() ? Interval{0, span - 1} : Interval{-span / 2, span / 2 - 1};
}

Interval Interval::ofConstant(ElementsAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !isa<RankedTensorType>(dense.getType()) || !HostTensor::holds(dense))
    return {};
  Interval found{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  forEachNumber(dense, [&](double element) {
    if (!std::isnan(element))
      found = unite({found, number(element)});
  });
  return found.low > found.high ? number(0) : found;
}

Interval forge::unite(ArrayRef<Interval> operands) {
  Interval all = operands.empty() ? Interval() : operands.front();
  for (Interval operand : operands)
    all = {std::min(all.low, operand.low), std::max(all.high, operand.high)};
  return all;
}

Interval forge::operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
Interval forge::operator-(Interval a, Interval b) { return {a.low - b.high, a.high - b.low}; }

Interval forge::operator*(Interval a, Interval b) {
  auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}

Interval forge::abs(Interval a) {
  double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return {low, std::max(std::abs(a.low), std::abs(a.high))};
}

Interval forge::min(Interval a, Interval b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Interval forge::max(Interval a, Interval b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

Interval forge::divide(Interval a, Interval b) {
  if (b.low <= 0 && b.high >= 0)
    return {};
  // Not a * (1 / b), which rounds twice: 49 * (1 / 49) is less than 1.
  auto over = [](double a, double b) { return std::isinf(b) ? 0 : a / b; };
  auto [low, high] = std::minmax({over(a.low, b.low), over(a.low, b.high), over(a.high, b.low), over(a.high, b.high)});
  return {low, high};
}

Interval forge::quotient(Interval a, Interval b) {
  // The magnitude of an integer divisor is at least 1, so that the quotient is not larger than the dividend.
  double most = std::max(std::abs(a.low), std::abs(a.high));
  if (b.low <= 0 && b.high >= 0)
    return {b.low == 0 ? std::min(a.low, 0.0) : -most, b.low == 0 ? std::max(a.high, 0.0) : most};
  Interval exact = divide(a, b);
  return {std::trunc(exact.low), std::trunc(exact.high)};
}

Interval forge::remainder(Interval a, Interval b, Operation *op) {
  // The remainder has the sign of the divisor and is smaller, up to rounding of floats. A smaller dividend is
  // unchanged.
  double margin = isOfIntegers(op) ? 1 : 0;
  if (b.low > 0 && a.low >= 0)
    return {a.high < b.low ? a.low : 0, std::min(a.high, b.high - margin)};
  return {std::min(b.low + margin, 0.0), std::max(b.high - margin, 0.0)};
}

Interval forge::bitwiseAnd(Interval a, Interval b) {
  if (a.low >= 0 && b.low >= 0)
    return {0, std::min(a.high, b.high)};
  if (a.low >= 0 || b.low >= 0)
    return {0, a.low >= 0 ? a.high : b.high};
  // For two negative numbers, all bits above those of the lower one remain set.
  double lowest = std::exp2(std::ceil(std::log2(std::max(-std::min(a.low, b.low), 1.0))));
  return {-lowest, std::max(std::max(a.high, b.high), 0.0)};
}

Interval forge::sums(Interval element, int64_t count) {
  double terms = static_cast<double>(count);
  return {times(terms, std::min(element.low, 0.0)), times(terms, std::max(element.high, 0.0))};
}

Interval forge::less(Interval a, Interval b, Operation *op) {
  if (!isOfIntegers(op))
    return Interval::boolean();
  return a.high < b.low ? Interval::number(1) : a.low >= b.high ? Interval::number(0) : Interval::boolean();
}

Interval forge::lessEqual(Interval a, Interval b, Operation *op) { return negated(less(b, a, op)); }

Interval forge::equal(Interval a, Interval b, Operation *op) {
  if (!isOfIntegers(op))
    return Interval::boolean();
  if (a.high < b.low || b.high < a.low)
    return Interval::number(0);
  return a.isNumber() && a == b ? Interval::number(1) : Interval::boolean();
}

Interval forge::negated(Interval condition) { return Interval::number(1) - condition; }

Interval forge::select(Interval condition, Interval x, Interval y, Operation *op) {
  bool mayBeZero = condition.low <= 0 && condition.high >= 0;
  if (!isOfIntegers(op) || (mayBeZero && !condition.isNumber()))
    return unite({x, y});
  return mayBeZero ? y : x;
}

Interval forge::castTo(Type element, Interval a, Operation *op) {
  if (element.isInteger(1))
    return negated(equal(a, Interval::number(0), op));
  return isa<IntegerType>(element) ? Interval{std::trunc(a.low), std::trunc(a.high)} : rounded(a, op);
}

Interval forge::wrapIndex(Interval index, int64_t size) {
  double last = static_cast<double>(size) - 1;
  if (index.low >= 0)
    return {std::min(index.low, last), std::min(index.high, last)};
  return {0, last};
}

Interval forge::rounded(Interval exact, Operation *op) {
  auto tensor = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!tensor || !isa<FloatType>(tensor.getElementType()))
    return exact;
  // More than half a unit in the last place of bfloat16, which has the fewest digits; and the smallest number of the
  // type, because denormal numbers have fewer digits: 1e-8 is 0 in float16. Rounding keeps the sign.
  constexpr double kError = 0x1p-7, kInfinity = std::numeric_limits<double>::infinity();
  const llvm::fltSemantics &format = cast<FloatType>(tensor.getElementType()).getFloatSemantics();
  double least = APFloat::getSmallest(format).convertToDouble(), most = APFloat::getLargest(format).convertToDouble();
  exact = {std::min(exact.low, most), std::max(exact.high, -most)};
  double low = exact.low - std::abs(exact.low) * kError - least;
  double high = exact.high + std::abs(exact.high) * kError + least;
  return {exact.low >= 0 ? std::max(low, 0.0)
          : low < -most  ? -kInfinity
                         : low,
          exact.high <= 0 ? std::min(high, 0.0)
          : high > most   ? kInfinity
                          : high};
}
