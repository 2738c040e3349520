//===- Trigonometry.cpp - ONNX circular, hyperbolic and inverse functions -===//

#include "Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static Expr logarithm(Expr x) { return log(x); }

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

void forge::registerTrigonometryOps(OnnxRegistry &r) {
  r.add("Log", {1, 6, 13}, convertFormula<logarithm>);
  r.add("Sin", {7, 22}, convertUnary<SineOp>);
  r.add("Cos", {7, 22}, convertUnary<CosineOp>);
  r.add("Tan", {7, 22}, convertFormula<tangent>);
  r.add("Asin", {7, 22}, convertFormula<arcSine>);
  r.add("Acos", {7, 22}, convertFormula<arcCosine>);
  r.add("Atan", {7, 22}, convertUnary<AtanOp>);
  r.add("Sinh", {9, 22}, convertFormula<hyperbolicSine>);
  r.add("Cosh", {9, 22}, convertFormula<hyperbolicCosine>);
  r.add("Asinh", {9, 22}, convertFormula<inverseHyperbolicSine>);
  r.add("Acosh", {9, 22}, convertFormula<inverseHyperbolicCosine>);
  r.add("Atanh", {9, 22}, convertFormula<inverseHyperbolicTangent>);
}
