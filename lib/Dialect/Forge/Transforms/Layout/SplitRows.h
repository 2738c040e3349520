//===- SplitRows.h - splits matrix rows for less padding --------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H

#include "Layout/ConnectedOps.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"

namespace forge {

/// Connected slices and concatenations of values [..., n, C] along any axis but the trailing one, such as those of the
/// shifted windows of a Swin. The device pads the n rows of C elements to whole tiles, for example 14 rows to 32. With
/// each row split into `parts`, [..., n * parts, C / parts], less padding is needed. A slice or concatenation of rows
/// then moves `parts` times as many rows.
///
/// Values are replaced by reshapes of themselves, so that the rewrite is legal whatever the users are.
class SplitRows {
public:
  /// The connected components of such ops in `block`.
  static std::vector<SplitRows> in(mlir::Block &block);

  mlir::Operation *first() const { return ops.front(); }
  /// The number of parts that takes the least time, without more kernels than unsplit rows; 1 for unsplit rows.
  int64_t bestParts() const;
  void rewrite(int64_t parts);

private:
  /// Whether a value is computed by one of the ops.
  bool contains(mlir::Value value) const { return ops.contains(value.getDefiningOp()); }
  /// The operands that are computed by other ops.
  llvm::SetVector<mlir::Value> sources() const;
  /// The cost of the ops with rows split into `parts`, and of the reshapes before and after them.
  OpCost costOfParts(int64_t parts) const;

  ConnectedOps ops;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H
