//===- MatrixTranspose.h - transposes of matrices, and what moving costs -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_MATRIXTRANSPOSE_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_MATRIXTRANSPOSE_H

#include "forge/Dialect/Forge/Analysis/Cost.h"

#include <algorithm>

namespace forge {

/// Whether `op`, which may be null, is a transpose that exchanges two axes, which are counted from the end.
inline bool isExchangeOf(mlir::Operation *op, int64_t outer, int64_t inner) {
  auto transpose = mlir::dyn_cast_or_null<TransposeOp>(op);
  if (!transpose)
    return false;
  int64_t rank = transpose.getType().getRank();
  return std::minmax({fromFront(transpose.getDim0(), rank), fromFront(transpose.getDim1(), rank)}) ==
         std::pair(rank + outer, rank + inner);
}

/// Whether `op`, which may be null, transposes the two trailing axes.
inline bool isMatrixTranspose(mlir::Operation *op) { return isExchangeOf(op, -2, -1); }

/// `type` with its two trailing axes exchanged.
inline mlir::RankedTensorType transposedType(mlir::RankedTensorType type) {
  llvm::SmallVector<int64_t> shape(type.getShape());
  std::swap(shape.end()[-1], shape.end()[-2]);
  return type.clone(shape);
}

/// Picoseconds of an op in its place.
inline int64_t timeOf(mlir::Operation *op) { return costOf(op, DeviceLayout()).time; }

/// Picoseconds of a kernel that reads a tensor of type `from` and writes one of type `to`.
inline int64_t timeOfMove(mlir::RankedTensorType from, mlir::RankedTensorType to) {
  OpCost cost;
  cost.addMove(from, to);
  return cost.time;
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_MATRIXTRANSPOSE_H
