//===- PaddingTracker.h - what padding holds, op after op -------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_PADDINGTRACKER_H
#define FORGE_DIALECT_FORGE_ANALYSIS_PADDINGTRACKER_H

#include "forge/Dialect/Forge/Analysis/TilePadding.h"

namespace forge {

/// The states of the values of a function, while fills are inserted. A backend may fill in place and return a view: a
/// fill spoils what was known of all values that may share its storage.
class PaddingTracker {
public:
  /// With `annotate` each op says the state of its result in `forge.padding`.
  PaddingTracker(const TargetProfile &target, bool annotate) : target(target), annotate(annotate) {}

  /// Notes the results of `op`, whose operands are noted.
  void transfer(mlir::Operation *op);
  void setState(mlir::Value value, const itd::PaddingState &state);
  /// Unknown for a value that was not noted.
  itd::PaddingState stateOf(mlir::Value value) const;
  /// The first of the values that may share `value`'s tiles; itself where there is none.
  mlir::Value storageOf(mlir::Value value) const { return storage.lookup_or(value, value); }
  /// `fill` may have been written to the padding of all that share `root`.
  void noteFill(mlir::Value root, itd::PaddingValue fill);

private:
  const TargetProfile &target;
  bool annotate;
  llvm::DenseMap<mlir::Value, itd::PaddingState> states;
  llvm::DenseMap<mlir::Value, mlir::Value> storage;
  llvm::DenseMap<mlir::Value, itd::PaddingValue> written; ///< to each storage
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_PADDINGTRACKER_H
