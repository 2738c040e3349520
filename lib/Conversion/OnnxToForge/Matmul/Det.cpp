//===- Det.cpp - ONNX Det -------------------------------------------------===//

#include "Matmul.h"

using namespace mlir;
using namespace forge;

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

Values forge::convertDet(OnnxNode &n, ForgeBuilder &b) {
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
