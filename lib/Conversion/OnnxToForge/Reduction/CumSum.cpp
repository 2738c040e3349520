//===- CumSum.cpp - ONNX CumSum and CumProd -------------------------------===//

#include "Reduction.h"

using namespace mlir;
using namespace forge;

// Shifts `x` by `distance` towards the end of `axis`; `fill` is shifted in.
static Expr shifted(Expr x, int64_t axis, int64_t distance, double fill) {
  ForgeBuilder &b = x.getBuilder();
  if (!x)
    return x;
  Value filled = b.splat(tensorType(x).clone(withSize(shapeOf(x), axis, distance)), fill);
  return {b, b.concatenate({filled, b.slice(x, axis, 0, shapeOf(x)[axis] - distance)}, axis)};
}

static Expr runningSum(Expr x, int64_t axis) {
  if (!x)
    return x;
  ForgeBuilder &b = x.getBuilder();
  return {b, b.create<CumSumOp>(Value(x), axis - rankOf(x))};
}

// A prefix product in log2(size) steps, each of which doubles the length of the products.
static Expr runningProduct(Expr x, int64_t axis) {
  for (int64_t distance = 1; x && distance < shapeOf(x)[axis]; distance *= 2)
    x = x * shifted(x, axis, distance, 1);
  return x;
}

// CumSum (since 11, 14), CumProd (since 26): inclusive unless `exclusive`, from the end if `reverse`.
template <Expr (*Running)(Expr, int64_t), int Neutral>
static Values cumulative(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  int64_t axis = n.constantInt(1, "axis");
  bool exclusive = n.flagAttr("exclusive", false), reverse = n.flagAttr("reverse", false);
  if (n.failed())
    return {};
  axis = n.axis(axis, rankOf(x));
  if (!n.failed() && x.elementType().isUnsignedInteger())
    n.refuse(Code::IntegerRange, "a result of an unsigned type may not fit Int32 on the device; cast to int32 first");
  if (n.failed() || numElements(x) == 0)
    return {n.failed() ? Value() : x};
  if (reverse)
    x = flip(x, axis);
  if (exclusive)
    x = shifted(x, axis, 1, Neutral);
  x = inFloat32(x, [&](Expr operand) { return Running(operand, axis); });
  return {reverse ? flip(x, axis) : x};
}

Values forge::convertCumSum(OnnxNode &n, ForgeBuilder &b) { return cumulative<runningSum, 0>(n, b); }
Values forge::convertCumProd(OnnxNode &n, ForgeBuilder &b) { return cumulative<runningProduct, 1>(n, b); }
