//===- ZeroSigns.h - values whose sign of zero matters ----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The values of a function for which +0 and -0 lead to results that are not equal, as 1 / x does. Most ops, such as
/// comparisons, exp and sums with nonzero values, compute equal results for both zeros. The results of a partition
/// count as such values, because another partition may divide by them.
class ZeroSigns {
public:
  /// Linear in the ops of `func`, which has one block.
  explicit ZeroSigns(mlir::func::FuncOp func);

  /// Whether the sign of a zero of `value` may change results by more than the sign of a zero.
  bool matter(mlir::Value value) const { return shown.contains(value); }

  /// Updates the analysis for an op that is about to be replaced by `values`. Linear in the values that change, over
  /// all calls.
  void willReplace(mlir::Operation *op, mlir::ValueRange values);
  /// Updates the analysis for an op that is about to be erased.
  void willErase(mlir::Operation *op);

private:
  llvm::DenseSet<mlir::Value> shown;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H
