//===- ShuffleRows.h - channel shuffles of rows, not of columns --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// A shuffle of columns, as of the channels of a ShuffleNet:
///
///     [..., G C] -> reshape [..., G, C] -> transpose [..., C, G] -> reshape [..., C G]
///
/// The two trailing axes of the tensors between these ops are small, and padded to whole tiles. With all leading axes
/// as one, P, the same result by way of rows has little padding:
///
///     [P, G C] -> transpose [G C, P] -> reshape [G, C, P] -> transpose [C, G, P] -> reshape [C G, P] -> transpose
///
/// A value is replaced by an equal one, so that the rewrite is legal whatever the users are.
struct ShuffleOfColumns {
  ReshapeOp split;
  TransposeOp transpose;
  ReshapeOp merge;

  /// Matches a shuffle by its last op.
  static std::optional<ShuffleOfColumns> of(ReshapeOp merge);
  /// Whether the device takes less time for the shuffle of rows.
  bool isFasterByRows();
  void rewrite();

private:
  /// [1, 1, P, G C]: the rows of an image as the device's convolutions read and write them.
  mlir::RankedTensorType pixels();
  /// [1, G, C, P]
  mlir::RankedTensorType groups();
  /// [1, C, G, P]
  mlir::RankedTensorType shuffled();
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H
