//===- Trigonometry.cpp - ONNX circular, hyperbolic and inverse functions -===//

#include "Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static Expr tangent(Expr x) { return x.unary<SineOp>() / x.unary<CosineOp>(); }

// 1 - x*x would lose the digits that (1 - x) * (1 + x) keeps near 1; at 1 the quotient is infinite, its arctangent
// pi/2.
static Expr arcSine(Expr x) { return atan(x / sqrt((1.0 - x) * (1.0 + x))); }

// Half-angle form: accurate at both ends of the domain.
static Expr arcCosine(Expr x) { return 2.0 * atan(sqrt((1.0 - x) / (1.0 + x))); }

// The halves are taken in the exponent, so that nothing overflows before the result does.
static Expr hyperbolicCosine(Expr x) {
  Expr half = x.number(M_LN2);
  return exp(x - half) + exp(-x - half);
}

// A difference of exponentials would cancel around 0.
static Expr hyperbolicSine(Expr x) { return tanh(x) * hyperbolicCosine(x); }

static Expr withSignOf(Expr x, Expr magnitude) { return select(x < 0.0, -magnitude, magnitude); }

// From here on 1 is nothing next to x * x, which would soon overflow.
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

Values forge::convertTan(OnnxNode &n, ForgeBuilder &b) { return convertFormula<tangent>(n, b); }
Values forge::convertAsin(OnnxNode &n, ForgeBuilder &b) { return convertFormula<arcSine>(n, b); }
Values forge::convertAcos(OnnxNode &n, ForgeBuilder &b) { return convertFormula<arcCosine>(n, b); }
Values forge::convertSinh(OnnxNode &n, ForgeBuilder &b) { return convertFormula<hyperbolicSine>(n, b); }
Values forge::convertCosh(OnnxNode &n, ForgeBuilder &b) { return convertFormula<hyperbolicCosine>(n, b); }
Values forge::convertAsinh(OnnxNode &n, ForgeBuilder &b) { return convertFormula<inverseHyperbolicSine>(n, b); }
Values forge::convertAcosh(OnnxNode &n, ForgeBuilder &b) { return convertFormula<inverseHyperbolicCosine>(n, b); }
Values forge::convertAtanh(OnnxNode &n, ForgeBuilder &b) { return convertFormula<inverseHyperbolicTangent>(n, b); }
