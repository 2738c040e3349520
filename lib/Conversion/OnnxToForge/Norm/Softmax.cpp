//===- Softmax.cpp - ONNX Softmax and LogSoftmax --------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// SoftmaxOp or LogSoftmaxOp, or the steps of ONNX's function body where they are closer to it. The fused op computes in
// float32 and rounds once; the body rounds each step. In float16 single calls for the steps round in the same way. In
// bfloat16 the body rounds every partial sum, which no call does, so that five calls are not closer than one.
template <typename FusedOp>
static Value fusedOrSteps(OnnxNode &n, ForgeBuilder &b, Value x, int64_t dim) {
  if (!x || n.allowsRounding() || !elementOf(x).isF16())
    return b.create<FusedOp>(x, dim, /*stable=*/true);
  int64_t axis = dim + rankOf(x);
  Value shifted = b.create<SubtractOp>(x, b.reduce<ReduceMaxOp>(x, {axis}, /*keepDims=*/true));
  Value exponential = b.create<ExpOp>(shifted);
  Value sum = b.reduce<ReduceSumOp>(exponential, {axis}, /*keepDims=*/true);
  return std::is_same_v<FusedOp, SoftmaxOp> ? b.create<DivideOp>(exponential, sum)
                                            : b.create<SubtractOp>(shifted, b.create<LogOp>(sum));
}

Value forge::softmax(OnnxNode &n, ForgeBuilder &b, Value x, int64_t dim) {
  return fusedOrSteps<SoftmaxOp>(n, b, x, dim);
}
Value forge::logSoftmax(OnnxNode &n, ForgeBuilder &b, Value x, int64_t dim) {
  return fusedOrSteps<LogSoftmaxOp>(n, b, x, dim);
}

int64_t forge::softmaxAxis(OnnxNode &n, Value x) {
  bool flattens = n.since() < 13;
  int64_t axis = n.intAttr("axis", flattens ? 1 : -1);
  if (n.failed() || (flattens && axis == rankOf(x)))
    return axis;
  return n.axis(axis, rankOf(x));
}

// Softmax, LogSoftmax (since 1, 11, 13). Before 13 the axes from `axis` on (default 1) are normalised together.
template <Value build(OnnxNode &, ForgeBuilder &, Value, int64_t)>
static Values normalise(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = softmaxAxis(n, x);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size();
  if (n.since() >= 13 || axis == rank - 1)
    return {build(n, b, x, axis - rank)};
  return {b.reshape(build(n, b, b.reshape(x, flattenedAt(shape, axis)), -1), shape)};
}

Values forge::convertSoftmax(OnnxNode &n, ForgeBuilder &b) { return normalise<softmax>(n, b); }
Values forge::convertLogSoftmax(OnnxNode &n, ForgeBuilder &b) { return normalise<logSoftmax>(n, b); }
