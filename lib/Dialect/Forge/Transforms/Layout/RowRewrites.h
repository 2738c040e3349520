//===- RowRewrites.h - rewrites for less padding of rows --------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_ROWREWRITES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_ROWREWRITES_H

#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"

namespace forge {

// The rewrites of --forge-head-rows besides those of heads. Each replaces values by equal ones, so that it is legal
// whatever the users are; it is done if the device then takes less time. They leave dead ops.

/// Shuffles the result of a convolution with one filter per channel instead of its image.
void shuffleAfterFilters(mlir::Block &block, ReportingPass &pass);
/// Transposes the tensor of a shuffle of columns, so that rows are shuffled instead.
void shuffleAsRows(mlir::Block &block, ReportingPass &pass);
/// Slices and concatenates parts of rows instead of rows.
void splitRows(mlir::Block &block, ReportingPass &pass);
/// Concatenates columns instead of stacking rows.
void stackAsColumns(mlir::Block &block, ReportingPass &pass);
/// Reshapes the blocks that an exchange of leading axes moves, so that they have less padding (BlockSteps).
void moveBlocks(mlir::Block &block, ReportingPass &pass);

/// A reshape, transposes and a reshape that exchange leading axes, and move blocks of neighbouring elements as a whole.
/// The blocks may have any shape; this has the one with the least time.
struct BlockSteps {
  Steps steps;
  int64_t time; ///< in picoseconds

  /// The steps with the index map `map` from a source of type `from`; none if it does not move such blocks.
  static std::optional<BlockSteps> of(const IndexMap &map, mlir::RankedTensorType from);
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_ROWREWRITES_H
