//===- Softmax.cpp - ONNX Softmax and LogSoftmax --------------------------===//

#include "Norm.h"

#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

namespace {
/// The steps of ONNX's function body, which subtract the maximum first.
struct Steps {
  Value shifted, exponential, sum;

  Steps(ForgeBuilder &b, Value x, int64_t dim) {
    int64_t axis = dim + rankOf(x);
    shifted = b.create<SubtractOp>(x, b.reduce<ReduceMaxOp>(x, {axis}, /*keepDims=*/true));
    exponential = b.create<ExpOp>(shifted);
    sum = b.reduce<ReduceSumOp>(exponential, {axis}, /*keepDims=*/true);
  }
};
} // namespace

// The fused op computes in float32 and rounds once; the body rounds each step. In float16 single calls for the steps
// round in the same way. In bfloat16 the body rounds every partial sum, which no call does, so that five calls are not
// closer than one.
static bool roundsEachStep(OnnxNode &n, Value x) { return elementOf(x).isF16() && !n.allowsRounding(); }

Value forge::softmax(OnnxNode &n, ForgeBuilder &b, Value x, int64_t dim) {
  if (!x || !roundsEachStep(n, x))
    return b.create<SoftmaxOp>(x, dim, /*stable=*/true);
  Steps steps(b, x, dim);
  return b.create<DivideOp>(steps.exponential, steps.sum);
}

// LogSoftmaxOp is not used: on the device it is the logarithm of a softmax, which is -infinity where the softmax
// underflows.
Value forge::logSoftmax(OnnxNode &n, ForgeBuilder &b, Value x, int64_t dim) {
  auto formula = [&](Expr operand) -> Expr {
    Steps steps(b, operand, dim);
    return {b, b.create<SubtractOp>(steps.shifted, b.create<LogOp>(steps.sum))};
  };
  if (!x || !isa<FloatType>(elementOf(x)))
    return n.refuse(Code::OperandType, "expected a floating-point operand");
  Expr operand(b, x);
  return roundsEachStep(n, x) ? formula(operand) : inFloat32(operand, formula);
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
