//===- AxisSums.h - sums of a residual network ------------------*- C++ -*-===//
//
// A linear change of the trailing axis, such as the subtraction of its mean, can be applied to a sum by applying it to
// each addend. The values of a residual network are sums of one another, so that either all of them change or none.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H

#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// The addends of a sum, of which each has the trailing axis of the result.
struct AxisAddends {
  llvm::SmallVector<mlir::OpOperand *> values;
  llvm::SmallVector<std::pair<mlir::OpOperand *, int64_t>> weights; ///< with the axis that becomes the trailing one
};

/// Finds the sums that have to change together, and for each of them which addends change.
class AxisSums {
public:
  /// Whether a user computes the same from a value and from the changed value.
  using Ignores = bool (*)(mlir::OpOperand &);

  /// Follows `roots` to their addends, and to the sums that they are addends of.
  AxisSums(llvm::ArrayRef<mlir::Value> roots, Ignores ignores);

  /// Sums that change together.
  struct Part {
    llvm::SmallVector<mlir::Operation *> sums;
    llvm::SmallVector<mlir::OpOperand *> unaffectedUses; ///< uses that compute the same after the change
    /// Addends whose own values do not change, because they are no sums, or have users that need the unchanged value.
    /// The sums read a changed copy of each.
    llvm::SetVector<mlir::Value> fixed;
  };
  /// Calls `visit` for each part. `visit` may rewrite the part; fixed addends of later parts may then be new values.
  void forEachPart(llvm::function_ref<void(const Part &)> visit) const;
  const AxisAddends &addendsOf(mlir::Operation *sum) const { return addends.at(sum); }

private:
  void add(mlir::Value value);
  void explore(mlir::Value value);
  std::optional<AxisAddends> sumOf(mlir::Operation *op) const;
  bool addAddend(mlir::OpOperand &operand, int64_t size, AxisAddends &addends) const;
  bool changes(mlir::Value value) const { return values.contains(value) && !fixed.contains(value); }

  Ignores ignores;
  llvm::SetVector<mlir::Value> values;
  llvm::SetVector<mlir::Value> fixed; ///< those of `values` that do not change
  llvm::SmallVector<mlir::Value> pending;
  llvm::DenseMap<mlir::Operation *, AxisAddends> addends;
  llvm::EquivalenceClasses<mlir::Value> together;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H
