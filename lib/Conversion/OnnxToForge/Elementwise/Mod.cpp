//===- Mod.cpp - ONNX Mod -------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace forge;

// Mod (since 10, 13, 28): with the divisor's sign, or with `fmod` the dividend's.
Values forge::convertMod(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0)), y(b, n.input(1));
  bool fmod = n.flagAttr("fmod", false);
  refuseZero(n, y);
  if (n.failed())
    return {};
  if (!fmod)
    return {x % y};
  if (x.isFloat()) {
    Expr magnitude = abs(x) % abs(y);
    return {select(x < 0.0, -magnitude, magnitude)};
  }
  // The absolute value of the most negative integer would overflow, so the sign is mended afterwards.
  Expr rest = x % y;
  if (x.elementType().isUnsignedInteger())
    return {rest};
  Expr otherSign = bothOf(rest != 0.0, (rest < 0.0) != (x < 0.0));
  return {select(otherSign, rest - y, rest)};
}
