//===- Interval.h - the range of the elements of a value --------*- C++ -*-===//
//
// What the records of the ops (`range`) are written in. Infinities and NaN of floats are no numbers here: an interval
// says nothing of them.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <limits>

namespace forge {

/// The numbers from `low` to `high`, both included. Bounds are doubles: exact for integers up to 2^53, and whatever is
/// larger leaves Int32 by far.
struct Interval {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  static Interval number(double value) { return {value, value}; }
  /// 0 and 1.
  static Interval boolean() { return {0, 1}; }
  /// What Int32 holds.
  static Interval int32() { return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}; }
  /// What the device holds of an element type: integers of 32 bits and more are Int32 there.
  static Interval ofType(mlir::Type element);
  /// The elements of a constant.
  static Interval ofConstant(mlir::ElementsAttr value);

  bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  bool isNumber() const { return low == high; }
  /// What both hold, which must be something.
  Interval intersect(Interval other) const { return {std::max(low, other.low), std::min(high, other.high)}; }
  bool operator==(const Interval &other) const { return low == other.low && high == other.high; }
};

/// All numbers of any operand.
Interval unite(llvm::ArrayRef<Interval> operands);

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval abs(Interval a);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
/// True division; everything where the divisor may be 0.
Interval divide(Interval a, Interval b);
/// Integer division towards zero.
Interval quotient(Interval a, Interval b);
/// The remainder with the sign of the divisor, as `op` gives it.
Interval remainder(Interval a, Interval b, mlir::Operation *op);
Interval bitwiseAnd(Interval a, Interval b);
/// Sums of any of `count` elements: what a device meets on its way to their sum, in whatever order it adds.
Interval sums(Interval element, int64_t count);
/// Comparisons, as 0 and 1. Those of floats are open: one of the operands may be NaN.
Interval less(Interval a, Interval b, mlir::Operation *op);
Interval lessEqual(Interval a, Interval b, mlir::Operation *op);
Interval equal(Interval a, Interval b, mlir::Operation *op);
Interval negated(Interval condition);
/// `x` where the condition of `op` is not 0, else `y`.
Interval select(Interval condition, Interval x, Interval y, mlir::Operation *op);
/// What `op` makes of its operand when it casts it to `element`.
Interval castTo(mlir::Type element, Interval a, mlir::Operation *op);
/// Where an index in [-size, size) lies once it is counted from the front.
Interval wrapIndex(Interval index, int64_t size);
/// A result of arithmetic that floats round, so that it may be slightly outside `exact`.
Interval rounded(Interval exact, mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_INTERVAL_H
