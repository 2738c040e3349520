//===- Projection.h - x * W + b, and the slices of it -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H

#include "Layout/Weights/DerivedWeight.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

namespace forge {

/// A matmul with a constant matrix [K, N], an optional constant bias of N values, an optional reshape that keeps N
/// last; the values between these ops have no other use.
struct Projection {
  MatmulOp matmul;
  AddOp add;          ///< null without a bias
  mlir::Value bias;   ///< its constant operand
  ReshapeOp reshape;  ///< null where there is none
  mlir::Value result; ///< [..., N]

  /// The longest one that begins with `matmul`, if its weight can be derived.
  static std::optional<Projection> of(MatmulOp matmul);
  int64_t features() const { return shapeOf(result).back(); }
  /// The same ops for a part of the features, which is no ONNX value; `part.axis` is ignored.
  mlir::Value build(mlir::OpBuilder &builder, WeightPart part);
  /// The slices of the features, in order of use; empty where a user is something else.
  llvm::SmallVector<AxisSlice> slices() const;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_PROJECTION_H
