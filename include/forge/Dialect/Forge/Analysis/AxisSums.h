//===- AxisSums.h - values that are sums of one another ---------*- C++ -*-===//
//
// A sum along the last axis takes a linear change of that axis, such as its mean taken off, if each of its terms does.
// In a residual network many values are sums of one another: they change together, or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H

#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// What the result of an op is a sum of along its last axis.
struct AxisTerms {
  llvm::SmallVector<mlir::OpOperand *> values;
  llvm::SmallVector<std::pair<mlir::OpOperand *, int64_t>> weights; ///< and the axis that becomes the last one
};

/// The values that change together, with the terms of each that do and that do not.
class AxisSums {
public:
  /// Whether a reader is the same for a value and for the changed value.
  using Ignores = bool (*)(mlir::OpOperand &);
  /// Whether a value is what the change would make of it.
  using IsChanged = bool (*)(mlir::Value);

  /// Follows `roots` to what they are sums of, and to what is a sum of them.
  AxisSums(llvm::ArrayRef<mlir::Value> roots, Ignores ignores, IsChanged isChanged);

  /// Sums that change together.
  struct Part {
    llvm::SmallVector<mlir::Operation *> sums;
    llvm::SmallVector<mlir::OpOperand *> ignoring; ///< readers that do not tell
    llvm::SetVector<mlir::Value> fixed;            ///< terms that have another reader or are no sums
  };
  /// Calls `visit` with one part after the other, which may rewrite it: a term that stays may be what that has made.
  void forEachPart(llvm::function_ref<void(const Part &)> visit) const;
  const AxisTerms &termsOf(mlir::Operation *sum) const { return terms.at(sum); }

private:
  void add(mlir::Value value);
  void explore(mlir::Value value);
  std::optional<AxisTerms> sumOf(mlir::Operation *op) const;
  bool addTerm(mlir::OpOperand &operand, int64_t size, AxisTerms &terms) const;
  bool changes(mlir::Value value) const { return values.contains(value) && !fixed.contains(value); }

  Ignores ignores;
  IsChanged isChanged;
  llvm::SetVector<mlir::Value> values;
  llvm::SetVector<mlir::Value> fixed; ///< those that stay what they are
  llvm::SmallVector<mlir::Value> pending;
  llvm::DenseMap<mlir::Operation *, AxisTerms> terms;
  llvm::EquivalenceClasses<mlir::Value> together;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AXISSUMS_H
