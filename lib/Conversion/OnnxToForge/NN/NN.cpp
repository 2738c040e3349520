//===- NN.cpp - ONNX global pools, LpPool, MaxUnpool and Det --------------===//

#include "NN.h"

#include "../Indexing/Indexing.h"
#include "../Reduction/Reduction.h"
#include "../RegisterAll.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static SmallVector<int64_t> spatialAxes(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, rankOf(x))));
}

// GlobalAveragePool and GlobalMaxPool (since 1, 22): reductions over all spatial axes.
template <typename OpTy>
static Values globalPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  if (llvm::is_contained(shapeOf(x).drop_front(std::min<int64_t>(2, rankOf(x))), 0))
    return n.refuse(Code::EmptyAxis, "a pool over an empty axis is not supported");
  return {b.reduce<OpTy>(x, spatialAxes(x), /*keepDims=*/true)};
}

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
static Values convertLpPool(OnnxNode &n, ForgeBuilder &b) {
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
static Values convertGlobalLpPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double p = readExponent(n);
  if (n.failed())
    return {};
  return {
      pNorm({b, x}, p, [&](Value powers) { return b.reduce<ReduceSumOp>(powers, spatialAxes(x), /*keepDims=*/true); })};
}

// Determinants of (batch, size, size) by elimination with partial pivoting, as in LAPACK.
static Expr determinants(Expr x) {
  ForgeBuilder &b = x.getBuilder();
  auto part = [&](Expr value, int64_t axis, int64_t begin, int64_t end) {
    return Expr(b, b.slice(value, axis, begin, end));
  };
  std::optional<Expr> product;
  for (int64_t size = shapeOf(x)[1]; size > 1; --size) {
    Expr at = argMax(abs(part(x, 2, 0, 1)), 1), chosen = iota(b, size, 1, 3) == at;
    Expr pivotRow(b, b.reduce<ReduceSumOp>(select(chosen, x, 0.0), {1}, true)), pivot = part(pivotRow, 2, 0, 1);
    // The first row replaces that of the pivot. A swap of two rows changes the sign.
    Expr rest = part(select(chosen, part(x, 1, 0, 1), x), 1, 1, size);
    Expr signedPivot = select(at == 0.0, pivot, -pivot);
    product = product ? *product * signedPivot : signedPivot;
    Expr factors = part(rest, 2, 0, 1) / select(pivot == 0.0, 1.0, pivot);
    x = part(rest, 2, 1, size) - factors * part(pivotRow, 2, 1, size);
  }
  return product ? *product * x : x;
}

static Values convertDet(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (n.failed())
    return {};
  // Each row is a dozen calls; the small matrices of geometry are worth that.
  constexpr int64_t kMostRows = 3;
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size(), size = rank < 2 ? 0 : shape[rank - 1];
  if (rank < 2 || size != shape[rank - 2] || size == 0 || !isa<FloatType>(elementOf(x)))
    return n.refuse(Code::ShapeMismatch, "expected square floating-point matrices that are not empty");
  if (size > kMostRows)
    return n.refuse(Code::TooMuchToUnroll, "a matrix of more than " + Twine(kMostRows) + " rows is too much to unroll");
  int64_t batch = numElements(x) / (size * size);
  Expr result = inFloat32({b, b.reshape(x, {batch, size, size})}, determinants);
  return {b.reshape(result, ArrayRef(shape).drop_back(2))};
}

// MaxUnpool (since 9, 11, 22): indices are into the result size that the window implies; `output_shape` pads it.
static Values convertMaxUnpool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  SmallVector<int64_t> kernel = n.intsAttr("kernel_shape");
  SmallVector<int64_t> ones(kernel.size(), 1), zeros(2 * kernel.size(), 0);
  SmallVector<int64_t> strides = n.intsAttr("strides", ArrayRef(ones)), pads = n.intsAttr("pads", ArrayRef(zeros));
  SmallVector<int64_t> target = n.hasInput(2) ? n.constantInts(2, "output_shape") : SmallVector<int64_t>();
  if (n.failed())
    return {};
  size_t spatial = kernel.size();
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() != spatial + 2 || strides.size() != spatial || pads.size() != 2 * spatial ||
      shapeOf(indices) != shapeOf(x) || (!target.empty() && target.size() != shape.size()))
    return n.refuse(Code::ShapeMismatch, "the operand, the indices and the window do not fit each other");
  SmallVector<int64_t> before(shape.size(), 0), after(shape.size(), 0);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i >= 2)
      shape[i] = (shape[i] - 1) * strides[i - 2] + kernel[i - 2] - pads[i - 2] - pads[spatial + i - 2];
    if (shape[i] < 1 || shape[i] > INT16_MAX || (!target.empty() && target[i] < shape[i]))
      return n.refuse(Code::SizeInvalid, "the result has an axis of size " + Twine(shape[i]) + ", which does not fit");
    after[i] = target.empty() ? 0 : target[i] - shape[i];
  }
  int64_t total = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(total, size, total) || total > (1 << 26))
      return n.refuse(Code::TooManyElements, "the result has too many elements");
  int64_t elements = total, count = numElements(x);
  Value rows = wrappedIndices(n, b, b.reshape(indices, {count}), elements);
  Value flat = b.splat(tensorType(x).clone({elements}), 0);
  Value result = b.reshape(scatterRows(n, b, flat, rows, b.reshape(x, {count}), "none"), shape);
  return {b.window(result, before, after, b.scalarLike(x, 0))};
}

void forge::registerNNOps(OnnxRegistry &registry) {
  registry.add({
      {"MatMul", {1, 9, 13}, convertMatMul},
      {"Gemm", {1, 6, 7, 9, 11, 13}, convertGemm},
      {"Conv", {1, 11, 22}, convertConv},
      {"ConvTranspose", {1, 11, 22}, convertConvTranspose},
      {"MaxPool", {1, 8, 10, 11, 12, 22}, convertMaxPool},
      {"AveragePool", {1, 7, 10, 11, 19, 22}, convertAveragePool},
      {"LpPool", {1, 2, 11, 18, 22}, convertLpPool},
      {"GlobalMaxPool", {1, 22}, globalPool<ReduceMaxOp>},
      {"GlobalAveragePool", {1, 22}, globalPool<ReduceAvgOp>},
      {"GlobalLpPool", {1, 2, 22}, convertGlobalLpPool},
      {"MaxUnpool", {9, 11, 22}, convertMaxUnpool},
      {"Det", {11, 22}, convertDet},
  });
}
