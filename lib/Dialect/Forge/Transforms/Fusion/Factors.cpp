//===- Factors.cpp - sizes of factors and weights -------------------------===//

#include "Fusion/Factors.h"
#include "Fusion/Scaling.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

// The largest magnitude of an ordinary factor. Weights and activations are far below 2^108, so that their products with
// it do not overflow in Float32.
static constexpr double kLargestFactor = 1 << 20;

bool forge::isOrdinaryFactor(double scalar) {
  return std::abs(scalar) >= 1 / kLargestFactor && std::abs(scalar) <= kLargestFactor;
}

std::optional<float> forge::ordinaryScalar(Value value) {
  auto scalar = value.getDefiningOp<ScalarConstantOp>();
  std::optional<float> number = scalar ? std::optional(scalar.getConstant().convertToFloat()) : std::nullopt;
  return number && isOrdinaryFactor(*number) ? number : std::nullopt;
}

// Calls `visit` for the elements of a constant, maybe after reshapes and transposes, and once for a splat. Returns
// false for other values.
static bool visitElements(Value value, function_ref<void(double)> visit) {
  value = withoutMoves(value);
  DenseElementsAttr elements;
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>())
    visit(scalar.getConstant().convertToDouble());
  else if (matchPattern(value, m_Constant(&elements)))
    forEachNumber(elements, visit);
  else
    return false;
  return true;
}

// Whether `holds` is true for all elements of a constant; none for other values.
static std::optional<bool> holdsForAll(Value value, function_ref<bool(double)> holds) {
  bool all = true;
  bool isConstant = visitElements(value, [&](double element) { all = all && holds(element); });
  return isConstant ? std::optional(all) : std::nullopt;
}

namespace {
/// Bounds of the magnitudes of the elements of a weight that are not 0. `largest` is 0 if all are 0.
struct Magnitudes {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double smallest = kInfinity, largest = 0;
  bool hasZeros = false;     ///< whether some elements are known to be 0
  bool mayHaveZeros = false; ///< whether some elements are 0 or not known

  /// No bounds: for weights of many ops, and for quotients by zeros.
  static Magnitudes unbounded() { return {0, kInfinity}; }
  /// The bounds of a weight. Elements that are not known, which are those in the model's file, sines, and bits of
  /// quantised weights, count as 1, so that the bounds of a product are those of its known factors. The addends of a
  /// sum are assumed not to cancel. With `mayDivide`, elements in the model's file are assumed not to be 0 as divisors,
  /// too.
  static Magnitudes of(Value weight, bool mayDivide = false) {
    int opsLeft = 256;
    return of(weight, mayDivide, opsLeft);
  }
  /// Whether all of them are at most `limit`, and so large that the product of two is not 0 in Float32. A trained norm
  /// often has scales of 1e-10, for channels that it has learnt to ignore.
  bool areWithin(double limit) const { return largest <= limit && smallest >= 0x1p-50; }

private:
  static Magnitudes of(Value weight, bool mayDivide, int &opsLeft) {
    Magnitudes found;
    if (visitElements(weight, [&](double element) { found.include(element); }))
      return found;
    Operation *op = withoutMoves(weight).getDefiningOp();
    if (!op || op->getNumOperands() == 0 || isa<SineOp, CosineOp, BitwiseAndOp>(op))
      return {1, 1, /*hasZeros=*/false, /*mayHaveZeros=*/true}; // not known
    if (--opsLeft <= 0)
      return unbounded();
    // The elements of an indexed result are those of the table, and not the indices.
    OperandRange operands = op->getOperands();
    if (isa<EmbeddingOp>(op))
      operands = operands.drop_front();
    else if (isa<AdvIndexOp>(op))
      operands = operands.take_front();
    found = of(operands.front(), mayDivide, opsLeft);
    for (Value operand : operands.drop_front())
      found = ofResult(op, found, of(operand, mayDivide, opsLeft), mayDivide);
    found.mayHaveZeros |= isa<ReluOp>(op);
    if (isa<SqrtOp>(op))
      return {std::sqrt(found.smallest), std::sqrt(found.largest), found.hasZeros, found.mayHaveZeros};
    return found;
  }
  void include(double element) {
    double magnitude = std::abs(element);
    largest = std::isnan(magnitude) ? kInfinity : std::max(largest, magnitude);
    if (magnitude > 0)
      smallest = std::min(smallest, magnitude);
    if (magnitude == 0)
      hasZeros = mayHaveZeros = true;
  }
  /// The bounds of the result of `op` for operands a and b with these bounds.
  static Magnitudes ofResult(Operation *op, const Magnitudes &a, const Magnitudes &b, bool mayDivide) {
    bool eitherHasZeros = a.hasZeros || b.hasZeros, eitherMayHaveZeros = a.mayHaveZeros || b.mayHaveZeros;
    if (isa<MultiplyOp, MatmulOp>(op))
      return {a.smallest * b.smallest, a.largest * b.largest, eitherHasZeros, eitherMayHaveZeros};
    if (isa<DivideOp>(op)) {
      if (b.hasZeros || (b.mayHaveZeros && !mayDivide))
        return unbounded();
      return {a.smallest / b.largest, a.largest / b.smallest, a.hasZeros, a.mayHaveZeros};
    }
    if (isa<AddOp, SubtractOp>(op)) {
      // A sum of addends that do not cancel is as large as either of them. Where one addend is 0, it is the other one.
      double smallest = std::max(a.smallest, b.smallest), largest = a.largest + b.largest;
      if (a.hasZeros)
        smallest = std::min(smallest, b.smallest);
      if (b.hasZeros)
        smallest = std::min(smallest, a.smallest);
      return {std::min(smallest, largest), largest, a.hasZeros && b.hasZeros, a.mayHaveZeros && b.mayHaveZeros};
    }
    // Each element is one of either operand.
    return {std::min(a.smallest, b.smallest), std::max(a.largest, b.largest), eitherHasZeros, eitherMayHaveZeros};
  }
};
} // namespace

bool forge::keepsWeightsFinite(Value factor, bool divides, bool takesReciprocals) {
  bool mustBeOrdinary = divides || factor.getDefiningOp<ScalarConstantOp>();
  // `takesReciprocals` decides about divisors that are not known. (A scalar constant is known.)
  if (mustBeOrdinary && !holdsForAll(factor, isOrdinaryFactor).value_or(takesReciprocals))
    return false;
  return Magnitudes::of(factor, /*mayDivide=*/takesReciprocals).areWithin(kLargestFactor);
}

bool forge::isOrdinaryAddend(Value addend) { return Magnitudes::of(addend).largest <= kLargestFactor; }

bool forge::staysFiniteIfScaled(Value weight) {
  constexpr double kLargestWeight = 0x1p64;
  return Magnitudes::of(weight).areWithin(kLargestWeight);
}

bool forge::staysFiniteIfScaled(ArrayRef<AffineRegion> regions) {
  for (const AffineRegion &region : regions)
    for (const auto &[use, changed] : region.changedWeights())
      if (!staysFiniteIfScaled(use->get()))
        return false;
  return true;
}

bool forge::hasKnownZeros(Value weight) { return Magnitudes::of(weight).hasZeros; }

bool forge::isPositive(Value factor) {
  return holdsForAll(factor, [](double element) { return element > 0; }).value_or(false);
}
