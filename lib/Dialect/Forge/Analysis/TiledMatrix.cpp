//===- TiledMatrix.cpp - the two trailing axes, which are tiled -----------===//

#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"

using namespace mlir;
using namespace forge;

MatrixShape::MatrixShape(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (!shape.empty())
    width = shape.back();
  if (shape.size() > 1)
    height = shape[shape.size() - 2];
}

bool forge::keepsTiles(RankedTensorType from, RankedTensorType to) {
  MatrixShape a(from), b(to);
  return a == b || (a.width == b.width && a.height % kTile == 0 && b.height % kTile == 0);
}

TiledAxis forge::tiledAxis(Value value, int64_t dim) {
  int64_t rank = tensorType(value).getRank();
  int64_t fromEnd = rank - fromFront(dim, rank);
  return fromEnd == 1 ? TiledAxis::Cols : fromEnd == 2 ? TiledAxis::Rows : TiledAxis::None;
}
