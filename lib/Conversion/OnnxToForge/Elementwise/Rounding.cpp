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
Values forge::convertSign(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  if (!x)
    return {};
  Expr rest = x.elementType().isUnsignedInteger() ? x : select(x < 0.0, -1.0, x);
  return {select(x > 0.0, 1.0, rest)};
}

Values forge::convertFloor(OnnxNode &n, ForgeBuilder &b) { return convertFormula<roundDown>(n, b); }
Values forge::convertCeil(OnnxNode &n, ForgeBuilder &b) { return convertFormula<roundUp>(n, b); }
Values forge::convertRound(OnnxNode &n, ForgeBuilder &b) { return convertFormula<roundToEven>(n, b); }
