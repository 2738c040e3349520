//===- IntegerRanges.h - range analysis of integers -------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H
#define FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// The interval of the elements of each value of a function.
///
/// The device stores integers as Int32. Arguments fit, because the runner checks them. An op whose result may not fit
/// is listed in unproven(), and the analysis continues as if it fitted, so that only the first overflow is reported.
class IntegerRanges {
public:
  explicit IntegerRanges(mlir::func::FuncOp func);

  /// The unbounded interval for values of other functions.
  Interval of(mlir::Value value) const { return intervals.lookup(value); }

  struct Overflow {
    mlir::Operation *op;
    Interval reach; ///< the interval of its result without overflow
  };
  llvm::ArrayRef<Overflow> unproven() const { return overflows; }

  /// Whether the interval of `value` is valid only if no unproven op before it overflows, or may be wrong because
  /// doubles round bounds beyond 2^53. A rewrite must not rely on it, since it would hide the overflow.
  bool isAssumed(mlir::Value value) const { return assumed.contains(value); }

  /// The integer arguments that `op` depends on, which the user would have to bound.
  llvm::SmallVector<mlir::BlockArgument> sourceArguments(mlir::Operation *op) const;

  /// Records that `by`, which has the same elements, replaces `value`.
  void replace(mlir::Value value, mlir::Value by);

private:
  void visit(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, Interval> intervals;
  llvm::SmallVector<Overflow> overflows;
  llvm::DenseSet<mlir::Value> assumed;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H
