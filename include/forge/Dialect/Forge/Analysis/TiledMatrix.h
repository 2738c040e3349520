//===- TiledMatrix.h - the matrices of a tensor in tiles --------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H
#define FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H

#include "forge/Dialect/Forge/IR/Inference.h"
#include "forge/IterDomain/TensorDomain.h"

namespace forge {

/// Height and width of a tile.
inline constexpr int64_t kTile = itd::Tile().height;

/// Height and width of the matrices that are tiled: a vector is one row, a scalar one element.
struct MatrixShape {
  int64_t height = 1, width = 1;

  explicit MatrixShape(mlir::RankedTensorType type);
  explicit MatrixShape(mlir::Value value) : MatrixShape(tensorType(value)) {}
  friend bool operator==(MatrixShape a, MatrixShape b) { return a.height == b.height && a.width == b.width; }
};

/// Whether a reshape between two types of equally many elements leaves all tiles as they are and in order: the matrices
/// stay the same, or rows of the same width fill whole tiles.
bool keepsTiles(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Which tiled axis `dim` (from the end if negative) of a tensor is.
enum class TiledAxis { None, Rows, Cols };
TiledAxis tiledAxis(mlir::Value value, int64_t dim);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H
