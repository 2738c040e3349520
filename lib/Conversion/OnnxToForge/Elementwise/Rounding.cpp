//===- Rounding.cpp - ONNX rounding and sign ------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace forge;

static Expr roundDown(Expr x) { return floor(x); }

static Expr roundUp(Expr x) { return -floor(-x); }

// Halves go to the even neighbour. The remainder of a value of 0.5 or more is exact, and below it every value rounds to
// 0 whichever way its remainder rounded.
static Expr roundToEven(Expr x) {
  Expr rest = x % 1.0, below = x - rest;
  Expr odd = bothOf(rest == 0.5, below % 2.0 == 1.0);
  Expr up = eitherOf(rest > 0.5, odd);
  return select(rest > 0.0, select(up, below + 1.0, below), x);
}

// -1, 0 or 1; NaN stays.
static Values convertSign(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  if (!x)
    return {};
  Expr rest = x.elementType().isUnsignedInteger() ? x : select(x < 0.0, -1.0, x);
  return {select(x > 0.0, 1.0, rest)};
}

void forge::registerRoundingOps(OnnxRegistry &r) {
  r.add("Floor", {1, 6, 13}, convertFormula<roundDown>);
  r.add("Ceil", {1, 6, 13}, convertFormula<roundUp>);
  r.add("Round", {11, 22}, convertFormula<roundToEven>);
  r.add("Sign", {9, 13}, convertSign);
}
