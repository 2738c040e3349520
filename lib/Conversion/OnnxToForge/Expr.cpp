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

// A small operand is scaled up by 2^126, so that 1e-10 is nothing next to it, and the result down again.
Expr forge::log(Expr x) {
  constexpr double scale = 8.507059173023462e37, logScale = 87.33654475055310; // 2^126
  Expr small = (x * scale).unary<LogOp>() - logScale;
  Expr positive = select(x < 0x1p-6, small, x.unary<LogOp>());
  return select(x == 0.0, -kInfinity, positive);
}

// 1 + x rounds; the second term restores, to first order, what the sum lost.
Expr forge::log1p(Expr x) {
  Expr sum = x + 1.0;
  Expr lost = (x - (sum - 1.0)) / sum;
  return sum.unary<LogOp>() + select(x < 1.0, lost, 0.0);
}

Expr forge::softplus(Expr x) { return max(x, 0.0) + log1p(exp(-abs(x))); }

// Where nothing is to be cut off, x itself: this holds for large values, infinities, NaN and -0.
Expr forge::floor(Expr x) {
  Expr rest = x % 1.0;
  return select(rest > 0.0, x - rest, x);
}
