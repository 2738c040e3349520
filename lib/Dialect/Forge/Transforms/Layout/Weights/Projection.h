//===- Projection.h - projections, and parts of their weights ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"

namespace forge {

/// A part of a weight: its elements [begin, end) along `axis`, in blocks of `block` elements, each of which is padded
/// with zeros to `padded` elements, `offset` of them before the block. Without padding, `block` is end - begin, and
/// `padded` as well.
struct WeightPart {
  int64_t axis, begin, end, block, padded, offset = 0;

  /// The size of `axis` with the padding.
  int64_t size() const { return (end - begin) / block * padded; }
};

/// Builds `part` of `weight`, by ops that are evaluated when the weights file is written (ComputedWeights), and do not
/// run on the device.
mlir::Value deriveWeight(mlir::OpBuilder &builder, mlir::Value weight, WeightPart part);

/// A product with a weight [K, N], optionally with a bias, and optionally with a reshape after it that keeps N as the
/// trailing axis. The values between these ops have no other users; `result` may have any.
struct Projection {
  WeightProduct product;
  ReshapeOp reshape;  ///< null if there is none
  mlir::Value result; ///< [..., N]

  /// Matches the projection whose product is `matmul`, with the bias and the reshape if there are any.
  static std::optional<Projection> of(MatmulOp matmul);
  int64_t features() const { return shapeOf(result).back(); }
  /// Builds the same ops for a part of the features, [..., part.size()], without traces. `part.axis` is ignored,
  /// because the weight and the bias have the features along different axes.
  mlir::Value build(mlir::OpBuilder &builder, WeightPart part) const;
  /// The contiguous slices of the features, in order of use; empty if there are other users.
  llvm::SmallVector<AxisSlice> slices() const;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
