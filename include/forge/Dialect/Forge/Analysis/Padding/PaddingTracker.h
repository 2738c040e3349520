//===- PaddingTracker.h - the contents of padding, op by op -----*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_PADDING_PADDINGTRACKER_H
#define FORGE_DIALECT_FORGE_ANALYSIS_PADDING_PADDINGTRACKER_H

#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"

namespace forge {

/// The padding states of the values of a function while fills are inserted. A backend may fill in place and return a
/// view, so that a fill changes the state of all values that may share its storage.
class PaddingTracker {
public:
  /// With `annotate` ops get the state of their result as the attribute `forge.padding`.
  PaddingTracker(const TargetProfile &target, bool annotate) : target(target), annotate(annotate) {}

  /// Computes the states of the results of `op` from those of its operands.
  void transfer(mlir::Operation *op);
  void setState(mlir::Value value, const itd::PaddingState &state);
  /// Unknown for a value without a state.
  itd::PaddingState stateOf(mlir::Value value) const;
  /// The first value that may share the tiles of `value`, which is `value` itself if no other does.
  mlir::Value storageOf(mlir::Value value) const { return storage.lookup_or(value, value); }
  /// Records a pad of the program within tiles, which may write its elements to the padding of its operand.
  void notePad(PadOp pad);
  /// Whether the padding of `value` may hold elements of such a pad that are read by `reader` or a later op.
  bool holdsElements(mlir::Value value, mlir::Operation *reader) const;
  /// Records that `fill` may have been written to the padding of all values that share the storage of `root`.
  void noteFill(mlir::Value root, itd::PaddingValue fill);

private:
  const TargetProfile &target;
  bool annotate;
  llvm::DenseMap<mlir::Value, itd::PaddingState> states;
  llvm::DenseMap<mlir::Value, mlir::Value> storage;
  llvm::DenseMap<mlir::Value, itd::PaddingValue> written;           ///< fills by storage
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> pads; ///< results of notePad(), by storage
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_PADDING_PADDINGTRACKER_H
