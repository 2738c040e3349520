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

// The device's logarithm adds 1e-10 to its operand, which is much next to a small one: log(x) = log(c) - log(c / x)
// there, with c = 2^-22, so that c / x is finite for the smallest denormal and both logarithms are of the size of their
// difference. Of 0 it is -infinity by itself, as of -0, which x + 0 makes 0. Where x is negative, both forms are NaN:
// of a large one the first, whose operand stays below -1e-10, of a small one the second.
Expr forge::log(Expr x) {
  constexpr double scale = 0x1p-22, logScale = -15.249237972318796;
  Expr isSmall = abs(x) < 0x1p-12;
  Expr logarithm = select(isSmall, scale / (x + 0.0), x).unary<LogOp>();
  return select(isSmall, logScale - logarithm, logarithm);
}

namespace {
/// log(1 + x) in two addends: the logarithm of the rounded sum, and, to first order, what rounding it lost. The second
/// one is NaN for an infinite x, and 0 for x = 1.
struct LogOfSum {
  Expr ofSum, lost;

  explicit LogOfSum(Expr x) : LogOfSum(x, x + 1.0) {}

private:
  LogOfSum(Expr x, Expr sum) : ofSum(sum.unary<LogOp>()), lost((x - (sum - 1.0)) / sum) {}
};
} // namespace

Expr forge::log1p(Expr x) {
  LogOfSum logarithm(x);
  return logarithm.ofSum + select(x < 1.0, logarithm.lost, 0.0);
}

// exp(-|x|) is at most 1, so that what the sum lost is always finite.
Expr forge::softplus(Expr x) {
  LogOfSum logarithm(exp(-abs(x)));
  return max(x, 0.0) + (logarithm.ofSum + logarithm.lost);
}

// Where nothing is to be cut off, x itself: this holds for large values, infinities, NaN and -0.
Expr forge::floor(Expr x) {
  Expr rest = x % 1.0;
  return select(rest > 0.0, x - rest, x);
}
