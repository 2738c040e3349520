//===- Logic.cpp - ONNX comparisons, boolean logic, Where -----------------===//

#include "Elementwise.h"

#include <limits>

using namespace mlir;
using namespace forge;

template <typename OpTy>
static Values compare(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  return {b.compare<OpTy>(x, y)};
}

// Booleans are 0 and 1: "and" is their product, "or" their maximum, "xor" says whether they differ.
template <typename OpTy>
static Values logic(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  Type number = b.getBuilder().getI32Type();
  return {b.cast(b.create<OpTy>(b.cast(x, number), b.cast(y, number)), b.getBuilder().getI1Type())};
}

Values forge::convertNot(OnnxNode &n, ForgeBuilder &b) { return {b.logicalNot(n.input(0))}; }

Values forge::convertIsNaN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  return {b.compare<NotEqualOp>(x, x)};
}

// IsInf (since 10, 20), of either sign or of one.
Values forge::convertIsInf(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  bool negative = n.flagAttr("detect_negative", true), positive = n.flagAttr("detect_positive", true);
  if (n.failed())
    return {};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!negative && !positive)
    return {b.splat(tensorType(x).clone(b.getBuilder().getI1Type()), 0)};
  if (negative && positive)
    return {abs(x) == infinity};
  return {x == (positive ? infinity : -infinity)};
}

Values forge::convertWhere(OnnxNode &n, ForgeBuilder &b) {
  return {b.create<WhereOp>(n.input(0), n.input(1), n.input(2))};
}

Values forge::convertEqual(OnnxNode &n, ForgeBuilder &b) { return compare<EqualOp>(n, b); }
Values forge::convertGreater(OnnxNode &n, ForgeBuilder &b) { return compare<GreaterOp>(n, b); }
Values forge::convertGreaterOrEqual(OnnxNode &n, ForgeBuilder &b) { return compare<GreaterEqualOp>(n, b); }
Values forge::convertLess(OnnxNode &n, ForgeBuilder &b) { return compare<LessOp>(n, b); }
Values forge::convertLessOrEqual(OnnxNode &n, ForgeBuilder &b) { return compare<LessEqualOp>(n, b); }
Values forge::convertAnd(OnnxNode &n, ForgeBuilder &b) { return logic<MultiplyOp>(n, b); }
Values forge::convertOr(OnnxNode &n, ForgeBuilder &b) { return logic<MaxOp>(n, b); }
Values forge::convertXor(OnnxNode &n, ForgeBuilder &b) { return logic<NotEqualOp>(n, b); }
