//===- LpNormalization.cpp - ONNX LpNormalization -------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// LpNormalization (since 1, 22): x divided by its 1- or 2-norm along one axis; 0 if the norm is 0.
Values forge::convertLpNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t p = n.intAttr("p", 2);
  if (p != 1 && p != 2)
    n.refuse(Code::AttributeValue, "attribute 'p' must be 1 or 2");
  if (n.failed() || !checkFilled(n, x, 1))
    return {};
  int64_t axis = n.axisAttr(x, -1);
  if (n.failed())
    return {};
  Type element = elementOf(x);
  x = b.cast(x, statisticsType(b, x));
  Value powers = p == 1 ? b.create<AbsOp>(x) : b.create<MultiplyOp>(x, x);
  Value norm = b.reduce<ReduceSumOp>(powers, {axis}, /*keepDims=*/true);
  if (p == 2)
    norm = b.create<SqrtOp>(norm);
  Value zero = b.scalarLike(x, 0);
  Value result = b.create<WhereOp>(b.compare<EqualOp>(norm, zero), zero, b.create<DivideOp>(x, norm));
  return {b.cast(result, element)};
}
