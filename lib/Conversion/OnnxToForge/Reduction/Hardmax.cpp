//===- Hardmax.cpp - ONNX Hardmax -----------------------------------------===//

#include "Reduction.h"

using namespace mlir;
using namespace forge;

// Hardmax (since 1, 11, 13): 1 at the first maximum. Before 13 the dims from `axis` on (default 1) count as one.
Values forge::convertHardmax(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool flattens = n.since() < 13;
  int64_t axis = n.intAttr("axis", flattens ? 1 : -1);
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), matrix(shape);
  int64_t rank = shape.size();
  if (!(flattens && axis == rank))
    axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  if (flattens) {
    matrix = {1, 1};
    for (int64_t i = 0; i < rank; ++i)
      matrix[i < axis ? 0 : 1] *= shape[i];
    axis = 1;
    x = b.reshape(x, matrix);
  }
  int64_t size = matrix[axis];
  if (size == 0)
    return {b.splat(RankedTensorType::get(shape, tensorType(x).getElementType()), 0)};
  Expr hot = iota(b, size, axis, matrix.size()) == argMax({b, x}, axis);
  return {b.reshape(b.cast(hot, x ? tensorType(x).getElementType() : Type()), shape)};
}
