//===- Logic.cpp - ONNX comparisons, boolean logic, Where -----------------===//

#include "Elementwise.h"

#include <limits>

using namespace mlir;
using namespace forge;

template <typename OpTy>
static Values convertCompare(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  return {b.compare<OpTy>(x, y)};
}

// Booleans are 0 and 1: "and" is their product, "or" their maximum, "xor" says whether they differ.
template <typename OpTy>
static Values convertLogic(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  Type number = b.getBuilder().getI32Type();
  return {b.cast(b.create<OpTy>(b.cast(x, number), b.cast(y, number)), b.getBuilder().getI1Type())};
}

static Values convertNot(OnnxNode &n, ForgeBuilder &b) { return {b.logicalNot(n.input(0))}; }

static Values convertIsNaN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  return {b.compare<NotEqualOp>(x, x)};
}

// IsInf (since 10, 20), of either sign or of one.
static Values convertIsInf(OnnxNode &n, ForgeBuilder &b) {
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

static Values convertWhere(OnnxNode &n, ForgeBuilder &b) {
  return {b.create<WhereOp>(n.input(0), n.input(1), n.input(2))};
}

void forge::registerLogicOps(OnnxRegistry &r) {
  r.add("Equal", {1, 7, 11, 13, 19}, convertCompare<EqualOp>);
  r.add("Greater", {1, 7, 9, 13}, convertCompare<GreaterOp>);
  r.add("GreaterOrEqual", {12, 16}, convertCompare<GreaterEqualOp>);
  r.add("Less", {1, 7, 9, 13}, convertCompare<LessOp>);
  r.add("LessOrEqual", {12, 16}, convertCompare<LessEqualOp>);
  r.add("And", {1, 7}, convertLogic<MultiplyOp>);
  r.add("Or", {1, 7}, convertLogic<MaxOp>);
  r.add("Xor", {1, 7}, convertLogic<NotEqualOp>);
  r.add("Not", {1}, convertNot);
  r.add("IsNaN", {9, 13, 20}, convertIsNaN);
  r.add("IsInf", {10, 20}, convertIsInf);
  r.add("Where", {9, 16}, convertWhere);
}

void forge::registerElementwiseOps(OnnxRegistry &r) {
  registerActivationOps(r);
  registerArithmeticOps(r);
  registerCastOps(r);
  registerIntegerOps(r);
  registerLogicOps(r);
  registerRoundingOps(r);
  registerTrigonometryOps(r);
}
