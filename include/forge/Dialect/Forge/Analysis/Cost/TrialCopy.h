//===- TrialCopy.h - the cost of a rewrite, tried on a copy -----*- C++ -*-===//
//
// What an op costs depends on the ops next to it, which the device's compiler may fuse or remove. To compare two forms,
// a rewrite is applied to a copy of the ops and of what is next to them, and the costs of both are added up.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COST_TRIALCOPY_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COST_TRIALCOPY_H

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// A copy of ops of one block, of the ops up to a small distance from them along operands and users, and of the weights
/// that these read. It is in a function that belongs to no module. Operands that are computed by other ops are opaque
/// values, and results with other users are returned.
class TrialCopy {
public:
  /// Copies `ops`, which have no regions, and their neighbours.
  explicit TrialCopy(llvm::ArrayRef<mlir::Operation *> ops);

  /// The copy of one of the ops.
  mlir::Operation *of(mlir::Operation *op) const { return copies.lookup(op); }
  /// The copy of an operand of one of the ops.
  mlir::Value valueOf(mlir::Value operand) const { return copies.lookup(operand); }
  /// The cost before the copy was rewritten.
  const OpCost &costBefore() const { return before; }
  /// The cost of the rewritten copy. Erases its dead ops.
  OpCost costAfter();

private:
  void addNeighbours(llvm::ArrayRef<mlir::Operation *> ops);
  void addWeights(mlir::Value value);
  void copy(mlir::Block &source);
  OpCost cost();
  mlir::Block &block() { return function->front(); }

  llvm::SetVector<mlir::Operation *> originals;
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  mlir::IRMapping copies;
  OpCost before;
};

/// Whether `rewrite` saves time on a copy of `ops`. It returns false if it does not apply: a copy does not have all
/// that a match may depend on. Times alone are compared, not numbers of calls in the emitted module, which count
/// movement that the device's compiler fuses or removes.
bool isFasterOnCopy(llvm::ArrayRef<mlir::Operation *> ops, llvm::function_ref<bool(const TrialCopy &)> rewrite);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COST_TRIALCOPY_H
