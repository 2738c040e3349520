//===- TiledMatrix.h - the two trailing axes, which are tiled ---*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H
#define FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H

#include "forge/Dialect/Forge/IR/Inference.h"
#include "forge/IterDomain/TensorDomain.h"

namespace forge {

/// Height and width of a tile.
inline constexpr int64_t kTile = itd::Tile().height;

/// The sizes of the two trailing axes: a vector is one row, a scalar one element.
struct MatrixShape {
  int64_t height = 1, width = 1;

  explicit MatrixShape(mlir::RankedTensorType type);
  explicit MatrixShape(mlir::Value value) : MatrixShape(tensorType(value)) {}
  friend bool operator==(MatrixShape a, MatrixShape b) { return a.height == b.height && a.width == b.width; }
};

/// Whether a reshape from one type to the other keeps all tiles and their order: the two trailing axes stay the same,
/// or the trailing axis does and the rows fill whole tiles.
bool keepsTiles(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Which of the tiled axes the axis `dim` is, if any.
enum class TiledAxis { None, Rows, Cols };
TiledAxis tiledAxis(mlir::Value value, int64_t dim);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_TILEDMATRIX_H
