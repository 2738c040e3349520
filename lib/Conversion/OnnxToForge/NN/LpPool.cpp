//===- LpPool.cpp - ONNX LpPool and GlobalLpPool --------------------------===//

#include "NN.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The exponent: a float in version 1.
static double readExponent(OnnxNode &n) {
  double p = n.since() < 2 ? n.floatAttr("p", 2.0) : static_cast<double>(n.intAttr("p", 2));
  if (!(p >= 1) || !std::isfinite(p))
    n.refuse(Code::AttributeValue, "attribute 'p' must be at least 1");
  return p;
}

// |x| to the power of p; products where they are exact.
static Value powered(ForgeBuilder &b, Value x, double p) {
  if (p == 2)
    return b.create<MultiplyOp>(x, x);
  Value absolute = b.create<AbsOp>(x);
  return p == 1 ? absolute : b.create<PowerOp>(absolute, b.scalarLike(x, p));
}

static Value root(ForgeBuilder &b, Value sum, double p) {
  if (p == 1)
    return sum;
  return p == 2 ? b.create<SqrtOp>(sum) : b.create<PowerOp>(sum, b.scalarLike(sum, 1 / p));
}

// LpPool (since 1, 2, 11, 18, 22): the p-norm of each window; pads count as zeros.
Values forge::convertLpPool(OnnxNode &n, ForgeBuilder &b) {
  double p = readExponent(n);
  std::optional<PoolNd> pool = readPoolNd(n, n.input(0), /*firstCeilMode=*/18);
  if (!pool)
    return {};
  Value powers = powered(b, pool->x, p);
  Value sum = foldWindows(n, b, *pool, powers, b.scalarLike(pool->x, 0),
                          [&](Value x, Value y) { return b.create<AddOp>(x, y); });
  return {root(b, sum, p)};
}

// GlobalLpPool (since 1, 2, 22): one window over all spatial axes.
Values forge::convertGlobalLpPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double p = readExponent(n);
  if (n.failed())
    return {};
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, rankOf(x))));
  return {root(b, b.reduce<ReduceSumOp>(powered(b, x, p), axes, /*keepDims=*/true), p)};
}
