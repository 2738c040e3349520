//===- PaddedRegion.h - ops on values padded with zeros ---------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PADDEDREGION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PADDEDREGION_H

#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "llvm/ADT/MapVector.h"

namespace forge {

/// The ops that depend on a value whose trailing axis is padded with zeros after each block, up to the contractions of
/// the padded axis. All ops before a contraction must keep zeros zero and not change other elements.
class PaddedRegion {
public:
  PaddedRegion(mlir::Value root, int64_t block, int64_t padded) : root(root), block(block), padded(padded) {}

  /// Collects the ops. Returns false if an op does not keep zeros, or the region is too large.
  bool grow();
  /// The tiles that reshapes, transposes and slices move, and those of weights that get rows of zeros, without padding
  /// or with it (`isPadded`). None if a layout is too large.
  std::optional<int64_t> traffic(const DeviceLayout &layout, bool isPadded) const;
  /// Whether the region has a contraction of the padded axis.
  bool endsInMatmul() const { return contractions > 0; }
  /// Rewrites the ops of the region to read `newRoot`, the padded root.
  void rewrite(mlir::Value newRoot) const;

private:
  /// Whether `op` keeps zeros. Records the padded axis of its result.
  bool pass(mlir::Operation *op);
  bool passSlice(const AxisSlice &slice, mlir::Value result);
  bool passReshape(ReshapeOp op);
  bool passMatmul(MatmulOp op);
  bool passElementwise(mlir::Operation *op);
  mlir::RankedTensorType paddedType(mlir::Value value) const;
  std::optional<int64_t> axisOf(mlir::Value value) const;

  mlir::Value root;
  int64_t block, padded, contractions = 0;
  llvm::MapVector<mlir::Value, int64_t> axes; ///< the padded axis of each value that has one
  llvm::SmallVector<mlir::Operation *> ops;   ///< in order
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PADDEDREGION_H
