//===- Hardmax.cpp - ONNX Hardmax -----------------------------------------===//

#include "../Norm/Norm.h"
#include "Reduction.h"

using namespace mlir;
using namespace forge;

// Hardmax (since 1, 11, 13): 1 at the first maximum. Before 13 the axes from `axis` on (default 1) are flattened.
Values forge::convertHardmax(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = softmaxAxis(n, x);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), matrix(shape);
  if (n.since() < 13) {
    matrix = flattenedAt(shape, axis);
    axis = 1;
    x = b.reshape(x, matrix);
  }
  int64_t size = matrix[axis];
  if (size == 0)
    return {b.splat(RankedTensorType::get(shape, elementOf(x)), 0)};
  Expr hot = iota(b, size, axis, matrix.size()) == argMax({b, x}, axis);
  return {b.reshape(b.cast(hot, x ? elementOf(x) : Type()), shape)};
}
