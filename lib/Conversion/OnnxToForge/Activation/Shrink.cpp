//===- Shrink.cpp - ONNX Shrink -------------------------------------------===//

#include "Activation.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Shrink (since 9), of integers as well: there a bound between two integers acts as the next one outwards.
Values forge::convertShrink(OnnxNode &n, ForgeBuilder &b) {
  double bias = n.floatAttr("bias", 0), lambda = n.floatAttr("lambd", 0.5);
  Value x = n.input(0);
  bool isFloat = x && isa<FloatType>(tensorType(x).getElementType());
  constexpr double limit = 1 << 30;
  if (!isFloat && (bias != std::trunc(bias) || !(std::abs(bias) < limit) || !(std::abs(lambda) < limit)))
    n.refuse(Code::IntegerRange, "a shrink of integers needs a whole 'bias', and parameters that fit Int32");
  if (n.failed())
    return {};
  double low = isFloat ? -lambda : std::ceil(-lambda), high = isFloat ? lambda : std::floor(lambda);
  return {wrappingBinary(
      n, b, x, x, [&](Expr x, Expr) { return select(x < low, x + bias, select(x > high, x - bias, x.number(0))); })};
}
