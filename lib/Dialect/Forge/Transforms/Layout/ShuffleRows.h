//===- ShuffleRows.h - channel shuffles of rows, not of columns --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H

#include "forge/Dialect/Forge/Analysis/Cost.h"
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
/// Of few pixels, one op with padding takes less time than two without:
///
///     [P, G C] -> transpose [G C, P] -> reshape [G, C, P] -> transpose [P, C, G] -> reshape [P, C G]
///
/// A value is replaced by an equal one, so that the rewrite is legal whatever the users are.
struct ShuffleOfColumns {
  ReshapeOp split;
  TransposeOp transpose;
  ReshapeOp merge;

  /// Matches a shuffle by its last op.
  static std::optional<ShuffleOfColumns> of(ReshapeOp merge);
  enum class Form { Rows, RowsToColumns };
  /// The form of the two above for which the device takes less time, if it takes less than for the shuffle of columns.
  std::optional<Form> fasterForm();
  void rewrite(Form form);

private:
  /// The cost from the rows [G C, P] to the users; none if there is no such form.
  std::optional<OpCost> costFromRows(Form form);
  /// [1, 1, P, G C]: the rows of an image as the device's convolutions read and write them.
  mlir::RankedTensorType pixels();
  /// [1, G, C, P]
  mlir::RankedTensorType groups();
  /// [1, P, C, G]
  mlir::RankedTensorType columnsOfGroups();
};

/// A shuffle of channels that only a convolution with one filter per channel reads. The filters in the order of the
/// channels before the shuffle compute the same from these, and the result is shuffled instead of the image:
///
///     shuffle(x) -> conv2d with W, groups = channels      becomes      x -> conv2d with W' -> shuffle
///
/// With a stride, the result has fewer pixels than the image.
struct ShuffleBeforeFilters {
  ShuffleOfColumns shuffle;
  Conv2dOp conv;

  /// Matches a shuffle by its last op.
  static std::optional<ShuffleBeforeFilters> of(ReshapeOp merge);
  /// Whether the device takes less time for the shuffle of the result.
  bool isFasterAfter() const;
  void rewrite();
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SHUFFLEROWS_H
