//===- BlockMoves.h - leading axes exchanged in whole tiles -----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_BLOCKMOVES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_BLOCKMOVES_H

#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"

namespace forge {

/// The fastest steps with the index map `map` that move blocks of neighbouring elements, and their time in picoseconds.
struct BlockSteps {
  Steps steps;
  int64_t time = 0;

  /// None if `map` does not exchange leading axes of such blocks.
  static std::optional<BlockSteps> of(const IndexMap &map, mlir::RankedTensorType from);
};

/// Reshapes and transposes that exchange axes, as from rows of pixels to windows in a Swin:
///
///     [1, 8 7 8 7, 96] -> reshape [8, 7, 8, 7, 96] -> transpose [8, 8, 7, 7, 96] -> reshape [64, 49, 96]
///
/// In the tensors between the reshapes, the two trailing axes are padded to whole tiles, here 7 rows to 32. The blocks
/// of 7 * 96 elements are moved as a whole, so that their shape does not matter. With the fewest tiles it is
///
///     [1, 8 7 8 7, 96] -> reshape [8, 7, 8, 21, 32] -> transpose [8, 8, 7, 21, 32] -> reshape [64, 49, 96]
///
/// A value is replaced by an equal one, so that the rewrite is legal whatever the users are.
struct BlockMove {
  llvm::SmallVector<mlir::Operation *> ops; ///< from the last to the first
  size_t deadOps = 0;                       ///< the number of the ops, from the last, that have no other users
  BlockSteps faster;

  /// The chain that ends with `last`, a reshape or a transpose, for which other blocks save the most time, if any.
  static std::optional<BlockMove> endingWith(mlir::Operation *last);
  llvm::ArrayRef<mlir::Operation *> replacedOps() const { return llvm::ArrayRef(ops).take_front(deadOps); }
  void rewrite() const;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_BLOCKMOVES_H
