//===- SplitRows.h - rows of images split into whole tiles ------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H

#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Connected slices and concatenations of [..., n, C] along other axes than the trailing one, as of the shifted windows
/// of a Swin. The rows of an image are padded to whole tiles, 14 to 32. Each row is split into `parts`, [..., n parts,
/// C / parts], which needs less padding; slices and concatenations of rows are those of whole groups of parts.
///
/// Values are replaced by reshapes of themselves, so that the rewrite is legal whatever the users are.
class SplitRows {
public:
  /// The connected components of such ops in `block`.
  static std::vector<SplitRows> in(mlir::Block &block);

  mlir::Operation *first() const { return ops.front(); }
  /// The number of parts that takes the least time without more kernels than whole rows; 1 if whole rows do.
  int64_t bestParts() const;
  void rewrite(int64_t parts);

private:
  /// Whether a value is computed by one of the ops.
  bool contains(mlir::Value value) const { return ops.contains(value.getDefiningOp()); }
  /// The operands that are computed by other ops.
  llvm::SetVector<mlir::Value> sources() const;
  /// The cost of the ops, and of the reshapes before and after them.
  OpCost costOfParts(int64_t parts) const;

  llvm::SetVector<mlir::Operation *> ops;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SPLITROWS_H
