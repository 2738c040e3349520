//===- Integer.cpp - ONNX Div, Mod and the bitwise ops --------------------===//
//
// The device has one bitwise op, "and"; the others follow from it in two's complement.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

// Refuses a constant divisor that contains 0.
static void refuseZero(OnnxNode &n, Value divisor) {
  DenseElementsAttr known;
  if (divisor && matchPattern(divisor, m_Constant(&known)) && isa<IntegerType>(known.getElementType()) &&
      llvm::is_contained(intValues(known), 0))
    n.refuse("a division by the constant 0 has no result");
}

// The quotient of two constants, in 64 bits.
static Value divideConstants(OnnxNode &n, ForgeBuilder &b, DenseElementsAttr x, DenseElementsAttr y,
                             RankedTensorType type) {
  HostTensor dividend = HostTensor::fromAttr(x), divisor = HostTensor::fromAttr(y), quotient{type, {}, {}};
  std::vector<int64_t> from = dividend.broadcastIndices(type.getShape()),
                       by = divisor.broadcastIndices(type.getShape());
  bool isWide = type.getElementType().isUnsignedInteger() && type.getElementType().getIntOrFloatBitWidth() == 64;
  for (auto [i, j] : llvm::zip_equal(from, by)) {
    int64_t numerator = dividend.ints[i], denominator = divisor.ints[j];
    if (denominator == 0 || (!isWide && denominator == -1 && numerator == INT64_MIN)) {
      n.refuse("a constant division has no result");
      return {};
    }
    quotient.ints.push_back(
        isWide ? static_cast<int64_t>(static_cast<uint64_t>(numerator) / static_cast<uint64_t>(denominator))
               : numerator / denominator);
  }
  return b.constant(quotient.toAttr());
}

// Div (since 1, 6, 7, 13, 14). Integer division truncates.
static Values convertDiv(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || isa<FloatType>(tensorType(x).getElementType()))
    return {b.create<DivideOp>(x, y)};
  DenseElementsAttr constantX, constantY;
  if (matchPattern(x, m_Constant(&constantX)) && matchPattern(y, m_Constant(&constantY))) {
    // Multiply has the shape and type rules that division shares.
    Value like = b.create<MultiplyOp>(x, y);
    return {like ? divideConstants(n, b, constantX, constantY, tensorType(like)) : Value()};
  }
  refuseZero(n, y);
  if (n.failed())
    return {};
  Type element = tensorType(x).getElementType();
  Expr quotient = truncatingDivide(asInt32({b, x}), asInt32({b, y}));
  // Only the most negative value divided by -1 leaves the range.
  return {element.isUnsignedInteger() ? Value(quotient.cast(element)) : wrapTo(n, quotient, element)};
}

// Mod (since 10, 13, 28): with the divisor's sign, or with `fmod` the dividend's.
static Values convertMod(OnnxNode &n, ForgeBuilder &b) {
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

//===----------------------------------------------------------------------===//
// Bitwise
//===----------------------------------------------------------------------===//

// x + y counts the common bits twice, x & y once.
static Expr bitwiseOr(Expr x, Expr y) { return x + y - bitwiseAnd(x, y); }
static Expr bitwiseXor(Expr x, Expr y) { return x + y - bitwiseAnd(x, y) * 2.0; }
static Expr bitwiseAndOf(Expr x, Expr y) { return bitwiseAnd(x, y); }

// Operands that fit Int32 give results that do, whatever the type: nothing wraps.
template <Expr (*Formula)(Expr, Expr)>
static Values convertBitwise(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0)), y(b, n.input(1));
  if (!x || !y)
    return {};
  return {Formula(asInt32(x), asInt32(y)).cast(x.elementType())};
}

static Values convertBitwiseNot(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  if (!x)
    return {};
  return {wrapTo(n, -1.0 - asInt32(x), x.elementType())};
}

// 2 to the power of y for 0 <= y < 32, by the bits of y; i32, where 2^31 wraps as shifting does.
static Expr powerOfTwo(Expr y) {
  Expr power = y.number(1);
  for (int64_t bit = 0; bit < 5; ++bit) {
    double step = static_cast<double>(int64_t(1) << (int64_t(1) << bit));
    power = power * select(bitwiseAnd(y, static_cast<double>(1 << bit)) != 0.0, step, y.number(1));
  }
  return power;
}

// BitShift (since 11, 28). Shifts by less than 0 or by the width and more leave the sign: -1 or 0 to the right, 0 to
// the left.
static Values convertBitShift(OnnxNode &n, ForgeBuilder &b) {
  Value input = n.input(0), amount = n.input(1);
  StringRef direction = n.stringAttr("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    n.refuse("attribute 'direction' must be LEFT or RIGHT");
  if (n.failed())
    return {};
  Type element = tensorType(input).getElementType();
  Expr x = asInt32({b, input}), y = asInt32({b, amount});
  bool toLeft = direction == "LEFT";
  // Values fit Int32, so that a right shift by 31 leaves nothing but the sign.
  unsigned width = element.getIntOrFloatBitWidth();
  double limit = std::min(width, toLeft ? 32u : 31u);
  Expr inside = bothOf(y >= 0.0, y < limit);
  Expr power = powerOfTwo(select(inside, y, 0.0));
  if (toLeft)
    return {wrapTo(n, select(inside, x * power, 0.0), element)};
  // What is shifted out is taken off first, so that the quotient is whole and rounds in no direction.
  Expr shifted = truncatingDivide(x - bitwiseAnd(x, power - 1.0), power);
  Expr sign = select(x < 0.0, -1.0, x.number(0));
  return {select(inside, shifted, sign).cast(element)};
}

void forge::registerIntegerOps(OnnxRegistry &r) {
  r.add("Div", {1, 6, 7, 13, 14}, convertDiv);
  r.add("Mod", {10, 13, 28}, convertMod);
  r.add("BitwiseAnd", {18}, convertBitwise<bitwiseAndOf>);
  r.add("BitwiseOr", {18}, convertBitwise<bitwiseOr>);
  r.add("BitwiseXor", {18}, convertBitwise<bitwiseXor>);
  r.add("BitwiseNot", {18}, convertBitwiseNot);
  r.add("BitShift", {11, 28}, convertBitShift);
}
