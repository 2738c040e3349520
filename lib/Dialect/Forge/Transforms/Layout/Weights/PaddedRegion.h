//===- PaddedRegion.h - what zeros at the end of blocks reach ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PADDEDREGION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PADDEDREGION_H

#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "llvm/ADT/MapVector.h"

namespace forge {

/// The ops that depend on a value whose last axis gets zeros after each block, up to where the zeros vanish in a
/// contraction. It exists only where every op on the way keeps zeros zero and all other elements as they are.
class PaddedRegion {
public:
  PaddedRegion(mlir::Value root, int64_t block, int64_t padded) : root(root), block(block), padded(padded) {}

  /// Follows the uses; false where some op does not tolerate the zeros, or the region is large.
  bool grow();
  /// Tiles that reshapes, transposes and slices move, and tiles of the weights that rows are added to, with blocks as
  /// they are or padded. Nothing where a layout is too large.
  std::optional<int64_t> traffic(const DeviceLayout &layout, bool isPadded) const;
  /// Whether at least one contraction ends the zeros.
  bool endsInMatmul() const { return contractions > 0; }
  /// Rewrites all of it, with `newRoot` for the root.
  void rewrite(mlir::Value newRoot) const;

private:
  /// Whether `op` tolerates the zeros; notes the padded axis of its result.
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
