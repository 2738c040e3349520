//===- Softmax.cpp - ONNX Softmax and LogSoftmax --------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// Softmax, LogSoftmax (since 1, 11, 13). Before 13 the dims from `axis` on (default 1) are normalised together.
template <typename OpTy>
static Values convertSoftmax(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool flattens = n.since() < 13;
  int64_t axis = n.intAttr("axis", flattens ? 1 : -1);
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size();
  // A coerced axis may equal the rank: every row then has one element.
  if (!(flattens && axis == rank))
    axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  if (!flattens || axis == rank - 1)
    return {b.create<OpTy>(x, axis - rank, /*stable=*/true)};
  int64_t rows = 1, columns = 1;
  for (int64_t i = 0; i < rank; ++i)
    (i < axis ? rows : columns) *= shape[i];
  Value flat = b.create<OpTy>(b.reshape(x, {rows, columns}), -1, /*stable=*/true);
  return {b.reshape(flat, shape)};
}

void forge::registerSoftmaxOps(OnnxRegistry &r) {
  r.add("Softmax", {1, 11, 13}, convertSoftmax<SoftmaxOp>);
  r.add("LogSoftmax", {1, 11, 13}, convertSoftmax<LogSoftmaxOp>);
}

void forge::registerNormOps(OnnxRegistry &r) {
  registerNormalizationOps(r);
  registerSoftmaxOps(r);
  registerStandardizeOps(r);
}
