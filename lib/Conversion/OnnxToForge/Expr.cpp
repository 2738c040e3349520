//===- Expr.cpp - formulas over forge values ------------------------------===//

#include "forge/Conversion/OnnxToForge/Expr.h"

#include <limits>

using namespace mlir;
using namespace forge;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expr forge::bothOf(Expr a, Expr b) {
  OpBuilder &types = a.getBuilder().getBuilder();
  return (a.cast(types.getI32Type()) * b.cast(types.getI32Type())).cast(types.getI1Type());
}

Expr forge::eitherOf(Expr a, Expr b) {
  OpBuilder &types = a.getBuilder().getBuilder();
  return max(a.cast(types.getI32Type()), b.cast(types.getI32Type())).cast(types.getI1Type());
}

// forge.log adds 1e-10 to its operand, which matters for small ones. There log(x) = log(c) - log(c / x) is used, with
// c = 2^-22, for which c / x is finite even for the smallest denormal, and which does not cancel. log(0) is -infinity
// in this formula; x + 0 makes that so for -0 too. For negative x both formulas give NaN: the first for large
// magnitudes, whose operand stays below -1e-10, the second for small ones.
Expr forge::log(Expr x) {
  constexpr double scale = 0x1p-22, logScale = -15.249237972318796;
  Expr isSmall = abs(x) < 0x1p-12;
  Expr logarithm = select(isSmall, scale / (x + 0.0), x).unary<LogOp>();
  return select(isSmall, logScale - logarithm, logarithm);
}

namespace {
/// log(1 + x) as two addends: the logarithm of the rounded sum, and a first-order correction of its rounding error. The
/// correction is NaN for infinite x, and 0 for x = 1. A float64 sum is rounded to the float32 that the device has: if x
/// is a constant, the sum is evaluated in float64 and rounded later.
struct LogOfSum {
  Expr ofSum, lost;

  explicit LogOfSum(Expr x) : LogOfSum(x, inDevicePrecision(x + 1.0)) {}

private:
  static Expr inDevicePrecision(Expr x) {
    if (!x || !x.elementType().isF64())
      return x;
    return x.cast(x.getBuilder().getBuilder().getF32Type()).cast(x.elementType());
  }

  LogOfSum(Expr x, Expr sum) : ofSum(sum.unary<LogOp>()), lost((x - (sum - 1.0)) / sum) {}
};
} // namespace

Expr forge::log1p(Expr x) {
  LogOfSum logarithm(x);
  return logarithm.ofSum + select(x < 1.0, logarithm.lost, 0.0);
}

// exp(-|x|) is at most 1, so that the correction is finite.
Expr forge::softplus(Expr x) {
  LogOfSum logarithm(exp(-abs(x)));
  return max(x, 0.0) + (logarithm.ofSum + logarithm.lost);
}

// Returns x itself if it has no fraction: large values, infinities, NaN and -0.
Expr forge::floor(Expr x) {
  Expr rest = x % 1.0;
  return select(rest > 0.0, x - rest, x);
}
