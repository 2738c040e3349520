//===- LpPool.cpp - ONNX LpPool and GlobalLpPool --------------------------===//

#include "Pool.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The exponent p, a float in version 1.
static double readExponent(OnnxNode &n) {
  double p = n.since() < 2 ? n.floatAttr("p", 2.0) : static_cast<double>(n.intAttr("p", 2));
  if (!(p >= 1) || !std::isfinite(p))
    n.refuse(Code::AttributeValue, "attribute 'p' must be at least 1");
  return p;
}

// The p-norm of `x`, of which `sum` adds the powers |x|^p. It is computed in f32, because powers of 16-bit floats
// overflow or become 0.
static Expr pNorm(Expr x, double p, llvm::function_ref<Value(Value powers)> sum) {
  auto power = [](Expr base, double exponent) { return Expr::binary<PowerOp>(base, base.number(exponent)); };
  return inFloat32(x, [&](Expr x) {
    Expr powers = p == 1 ? abs(x) : p == 2 ? x * x : power(abs(x), p);
    Expr total(x.getBuilder(), sum(powers));
    return p == 1 ? total : p == 2 ? sqrt(total) : power(total, 1 / p);
  });
}

// LpPool (since 1, 2, 11, 18, 22): the p-norm of each window; padding counts as zeros.
Values forge::convertLpPool(OnnxNode &n, ForgeBuilder &b) {
  double p = readExponent(n);
  std::optional<PoolNd> pool = readPoolNd(n, n.input(0), /*firstCeilMode=*/18);
  if (!pool)
    return {};
  return {pNorm({b, pool->x}, p, [&](Value powers) {
    return foldWindows(n, b, *pool, powers, b.scalarLike(powers, 0),
                       [&](Value x, Value y) { return b.create<AddOp>(x, y); });
  })};
}

// GlobalLpPool (since 1, 2, 22): the p-norm over all spatial axes.
Values forge::convertGlobalLpPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double p = readExponent(n);
  if (n.failed())
    return {};
  return {
      pNorm({b, x}, p, [&](Value powers) { return b.reduce<ReduceSumOp>(powers, spatialAxes(x), /*keepDims=*/true); })};
}
