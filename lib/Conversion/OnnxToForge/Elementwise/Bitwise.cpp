//===- Bitwise.cpp - ONNX bitwise ops and shifts --------------------------===//
//
// The device has only bitwise "and"; the other ops follow from it in two's complement.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace forge;

// x | y = x - (x & y) + y; no intermediate result leaves Int32.
static Expr bitwiseOr(Expr x, Expr y) { return x - bitwiseAnd(x, y) + y; }
static Expr bitwiseXor(Expr x, Expr y) {
  Expr both = bitwiseAnd(x, y);
  return (x - both) + (y - both);
}

// If the operands fit Int32 then so do the results, for every type: nothing wraps.
template <Expr (*Formula)(Expr, Expr)>
static Values bitwise(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0)), y(b, n.input(1));
  if (!x || !y)
    return {};
  if (areConstants(x, y))
    return {Formula(x, y)};
  return {Formula(asInt32(x), asInt32(y)).cast(x.elementType())};
}

Values forge::convertBitwiseNot(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  if (!x)
    return {};
  return {wrapTo(n, -1.0 - asInt32(x), x.elementType())};
}

// 2^y by the bits of y, for 0 <= y < 31 in 32 bits and 0 <= y < 64 in 64 bits.
static Expr powerOfTwo(Expr y) {
  Expr power = y.number(1);
  for (int64_t bit = 0, bits = y.elementType().isInteger(64) ? 6 : 5; bit < bits; ++bit) {
    double step = static_cast<double>(int64_t(1) << (int64_t(1) << bit));
    power = power * select(bitwiseAnd(y, static_cast<double>(1 << bit)) != 0.0, step, y.number(1));
  }
  return power;
}

// x << y in 32 bits for 0 <= y < 32. The bits that are shifted out are cleared first, and the bit that becomes the sign
// is added as a negative number, so that no intermediate result leaves Int32.
static Expr shiftedLeft(Expr x, Expr y) {
  Expr some = max(y, 1.0), kept = powerOfTwo(31.0 - some);
  Expr low = bitwiseAnd(x, kept - 1.0) * powerOfTwo(min(some, 30.0));
  Expr sign = select(bitwiseAnd(x, kept) != 0.0, -0x1p31, x.number(0));
  // For y = 31 only the sign bit remains.
  return select(y == 0.0, x, low + sign);
}

// x shifted by y, both in 32 bits, or `isWide` in 64 bits.
static Value shifted(OnnxNode &n, Expr x, Expr y, Type element, bool toLeft, bool isWide) {
  // A right shift by 31 leaves only the sign of a value that fits Int32.
  unsigned width = element.getIntOrFloatBitWidth();
  double limit = toLeft ? width : std::min(width, isWide ? 63u : 31u);
  Expr inside = bothOf(y >= 0.0, y < limit);
  Expr distance = select(inside, y, 0.0);
  if (toLeft && width == 32)
    return wrapTo(n, select(inside, shiftedLeft(x, distance), 0.0), element);
  bool isFar = toLeft && width > 32 && !isWide;
  Expr power = powerOfTwo(isFar ? min(distance, 30.0) : distance);
  if (toLeft) {
    Expr product = x * power;
    // For shifts by more than 30 bits, only 0 and -1 stay in Int32, and -1 only for 31.
    if (isFar)
      product = product * select(y > 31.0, 4.0, select(y == 31.0, 2.0, y.number(1)));
    return wrapTo(n, select(inside, product, 0.0), element);
  }
  // Clears the bits that are shifted out, so that the division is exact.
  Expr quotient = Expr::binary<QuotientOp>(x - bitwiseAnd(x, power - 1.0), power);
  Expr sign = select(x < 0.0, -1.0, x.number(0));
  return select(inside, quotient, sign).cast(element);
}

// BitShift (since 11, 28). Shifts by a negative amount or by at least the width give the sign (-1 or 0) to the right
// and 0 to the left. Constants are evaluated in 64 bits, because a result beyond Int32 has to be refused.
Values forge::convertBitShift(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  bool toLeft = n.choiceAttr("direction", {"LEFT", "RIGHT"}, /*required=*/true) == "LEFT";
  if (n.failed())
    return {};
  Type element = elementOf(x);
  if (element.isSignlessInteger(64))
    if (Value folded = foldedConstant(x, y, [&] { return shifted(n, {b, x}, {b, y}, element, toLeft, true); });
        folded || n.failed())
      return {folded};
  Expr narrow = asInt32({b, x}), amount = asInt32({b, y});
  return {shifted(n, narrow, amount, element, toLeft, false)};
}

Values forge::convertBitwiseAnd(OnnxNode &n, ForgeBuilder &b) { return bitwise<bitwiseAnd>(n, b); }
Values forge::convertBitwiseOr(OnnxNode &n, ForgeBuilder &b) { return bitwise<bitwiseOr>(n, b); }
Values forge::convertBitwiseXor(OnnxNode &n, ForgeBuilder &b) { return bitwise<bitwiseXor>(n, b); }
