//===- IntegerRanges.h - which integers a program computes ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H
#define FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Between which numbers the elements of every value of a function lie.
///
/// The device holds integers in Int32. Arguments fit it, for whoever passes them checks that, and so do results, for
/// an op whose result might not is listed as `unproven` and counted as if it did: the first overflow is the one to
/// know.
class IntegerRanges {
public:
  explicit IntegerRanges(mlir::func::FuncOp func);

  /// All numbers for a value that the function does not have.
  Interval of(mlir::Value value) const { return intervals.lookup(value); }

  struct Overflow {
    mlir::Operation *op;
    Interval reach; ///< what it would compute in mathematics
  };
  llvm::ArrayRef<Overflow> unproven() const { return overflows; }

  /// Whether what is known of `value` holds only as long as nothing unproven before it overflows: whoever computes
  /// less because of it would hide the overflow.
  bool isAssumed(mlir::Value value) const { return assumed.contains(value); }

  /// The arguments of integers that `op` computes with: those that would have to be bounded.
  llvm::SmallVector<mlir::BlockArgument> argumentsBehind(mlir::Operation *op) const;

  /// `by` takes the place of `value`, and holds the same numbers.
  void replace(mlir::Value value, mlir::Value by);

private:
  void visit(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, Interval> intervals;
  llvm::SmallVector<Overflow> overflows;
  llvm::DenseSet<mlir::Value> assumed;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_INTEGERRANGES_H
