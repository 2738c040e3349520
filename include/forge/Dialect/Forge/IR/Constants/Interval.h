//===- Interval.h - the range of the elements of a value --------*- C++ -*-===//
//
// Interval arithmetic, in which `range` of the ops' records is written. An interval contains all elements but NaN. An
// infinity is in it if the bound is infinite: the other bound is finite even if all elements are infinite, so that no
// sum of bounds is NaN.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <limits>

namespace forge {

/// The numbers from `low` to `high`, both included. Bounds are doubles, which are exact for integers up to 2^53, and
/// larger integers do not fit Int32 anyway.
struct Interval {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  static Interval number(double value) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return {std::min(value, kMost), std::max(value, -kMost)};
  }
  /// 0 and 1.
  static Interval boolean() { return {0, 1}; }
  /// The range of Int32.
  static Interval int32() { return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}; }
  /// The range of an element type on the device, where integers of 32 bits and more are Int32.
  static Interval ofType(mlir::Type element);
  /// The elements of a constant.
  static Interval ofConstant(mlir::ElementsAttr value);

  bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  bool isNumber() const { return low == high; }
  /// The intersection, which must not be empty.
  Interval intersect(Interval other) const { return {std::max(low, other.low), std::min(high, other.high)}; }
  bool operator==(const Interval &other) const { return low == other.low && high == other.high; }
};

/// The smallest interval that contains all operands.
Interval unite(llvm::ArrayRef<Interval> operands);

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval abs(Interval a);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
/// True division; all numbers if the divisor may be 0.
Interval divide(Interval a, Interval b);
/// Integer division towards zero.
Interval quotient(Interval a, Interval b);
/// The remainder with the sign of the divisor, as `op` computes it.
Interval remainder(Interval a, Interval b, mlir::Operation *op);
Interval bitwiseAnd(Interval a, Interval b);
/// All partial sums of `count` elements, in any order of summation.
Interval sums(Interval element, int64_t count);
/// Comparisons, as 0 and 1. A comparison of floats is never decided, because an operand may be NaN.
Interval less(Interval a, Interval b, mlir::Operation *op);
Interval lessEqual(Interval a, Interval b, mlir::Operation *op);
Interval equal(Interval a, Interval b, mlir::Operation *op);
Interval negated(Interval condition);
/// `x` where the condition of `op` is not 0, else `y`.
Interval select(Interval condition, Interval x, Interval y, mlir::Operation *op);
/// The result of `op`, a cast of its operand to `element`.
Interval castTo(mlir::Type element, Interval a, mlir::Operation *op);
/// An index in [-size, size) after `size` is added to negative ones.
Interval wrapIndex(Interval index, int64_t size);
/// The result of arithmetic that rounds if `op` computes in floats, so that it may be slightly outside `exact`, or
/// infinite if the type does not hold it.
Interval rounded(Interval exact, mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H
