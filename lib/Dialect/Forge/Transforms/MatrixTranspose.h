//===- MatrixTranspose.h - transposes of the trailing axes, and their cost -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MATRIXTRANSPOSE_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MATRIXTRANSPOSE_H

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <algorithm>

namespace forge {

/// Whether `op`, which may be null, is a transpose that exchanges the axes `outer` and `inner`, where `outer` is less
/// than `inner`. Both count from the back: -1 is the trailing axis. False if the tensor has no axis `outer`.
inline bool swapsAxes(mlir::Operation *op, int64_t outer, int64_t inner) {
  auto transpose = mlir::dyn_cast_or_null<TransposeOp>(op);
  if (!transpose)
    return false;
  int64_t rank = transpose.getType().getRank();
  return std::minmax({fromFront(transpose.getDim0(), rank), fromFront(transpose.getDim1(), rank)}) ==
         std::pair(rank + outer, rank + inner);
}

/// Whether `op`, which may be null, transposes the two trailing axes.
inline bool isMatrixTranspose(mlir::Operation *op) { return swapsAxes(op, -2, -1); }

/// Transposes the two trailing axes of `value`.
inline mlir::Value matrixTranspose(mlir::ImplicitLocOpBuilder &b, mlir::Value value) {
  return TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
}

/// `type`, of rank 2 or more, with its two trailing axes swapped.
inline mlir::RankedTensorType transposedType(mlir::RankedTensorType type) {
  llvm::SmallVector<int64_t> shape(type.getShape());
  std::swap(shape.end()[-1], shape.end()[-2]);
  return type.clone(shape);
}

/// The time in picoseconds that the device takes for `op` in its program: it depends on the producers and users of
/// `op`, because some ops are fused into them (Cost.h).
inline int64_t timeOf(mlir::Operation *op) { return costOf(op, DeviceLayout()).time; }

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MATRIXTRANSPOSE_H
