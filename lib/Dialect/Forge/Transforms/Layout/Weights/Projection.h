//===- Projection.h - x * W + b, and the slices of it -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H

#include "Layout/Weights/DerivedWeight.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"

namespace forge {

/// A product with a matrix of weights [K, N] and, perhaps, a bias of weights, and a reshape that keeps N last. The
/// values between these ops have no other users.
struct Projection {
  WeightProduct product;
  ReshapeOp reshape;  ///< null without one
  mlir::Value result; ///< [..., N]

  /// The longest one that begins with `matmul`.
  static std::optional<Projection> of(MatmulOp matmul);
  int64_t features() const { return shapeOf(result).back(); }
  /// The same ops for a part of the features, which is no ONNX value; `part.axis` is ignored.
  mlir::Value build(mlir::OpBuilder &builder, WeightPart part) const;
  /// The slices of the features, in order of use; empty if a user is something else.
  llvm::SmallVector<AxisSlice> slices() const;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
