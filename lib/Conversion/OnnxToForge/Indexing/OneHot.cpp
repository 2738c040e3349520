//===- OneHot.cpp - ONNX OneHot -------------------------------------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

// OneHot (since 9, 11, 28): `values` is [off, on]. An index outside [-depth, depth) gives a row of off values.
Values forge::convertOneHot(OnnxNode &n, ForgeBuilder &b) {
  Value indices = n.input(0), values = n.input(2);
  double depthValue = n.constantScalar(1, "depth");
  int64_t axis = n.intAttr("axis", -1);
  if (n.failed())
    return {};
  int64_t rank = rankOf(indices) + 1;
  axis = n.axis(axis, rank);
  if (!(depthValue >= 1 && depthValue <= (1 << 24)))
    n.refuse(Code::SizeInvalid, "depth must be positive and at most 2^24");
  if (rankOf(values) != 1 || shapeOf(values)[0] != 2)
    n.refuse(Code::ElementCount, "values must have two elements");
  if (n.failed())
    return {};
  int64_t depth = static_cast<int64_t>(depthValue);
  indices = b.cast(indices, b.getI64Type()); // ONNX truncates fractions.
  if (!indices)
    return {};
  // Compares negative indices with negative positions, because adding the depth to a large index might overflow Int32.
  Expr index(b, b.reshape(indices, withAxis(shapeOf(indices), axis))),
      fromFront(b, b.iota(depth, axis, rank, b.getI64Type()));
  Value hot = eitherOf(index == fromFront, index == fromFront - static_cast<double>(depth));
  SmallVector<int64_t> one(rank, 1);
  Value off = b.reshape(b.slice(values, 0, 0, 1), one), on = b.reshape(b.slice(values, 0, 1, 2), one);
  return {b.create<WhereOp>(hot, on, off)};
}
