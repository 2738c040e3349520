//===- Casts.h - casts and reshapes if the type differs, scalars -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_CASTS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_CASTS_H

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Casts `value` to `element`, unless it has that element type.
inline mlir::Value castTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type element) {
  return tensorType(value).getElementType() == element ? value : CastOp::create(b, value, element).getResult();
}

/// Reshapes `value` to `shape`, unless it has that shape.
inline mlir::Value reshaped(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value : ReshapeOp::create(b, loc, value, shape).getResult();
}
inline mlir::Value reshaped(mlir::ImplicitLocOpBuilder &b, mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  return reshaped(b, b.getLoc(), value, shape);
}

/// A constant of rank 0 with this element type and value.
inline mlir::Value scalarOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element, double value) {
  return ConstantOp::create(b, loc, splatAttr(mlir::RankedTensorType::get({}, element), value));
}
inline mlir::Value scalarOf(mlir::ImplicitLocOpBuilder &b, mlir::Type element, double value) {
  return scalarOf(b, b.getLoc(), element, value);
}

/// `shape` with leading axes of size 1 up to `rank`, or as it is if its rank is not smaller: [3, 5] for rank 4 is
/// [1, 1, 3, 5].
inline llvm::SmallVector<int64_t> withRank(llvm::ArrayRef<int64_t> shape, size_t rank) {
  llvm::SmallVector<int64_t> result(shape);
  result.insert(result.begin(), std::max(rank, shape.size()) - shape.size(), 1);
  return result;
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_CASTS_H
