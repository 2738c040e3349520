//===- ArgMax.cpp - ONNX ArgMax and ArgMin --------------------------------===//

#include "Reduction.h"

using namespace mlir;
using namespace forge;

Expr forge::iota(ForgeBuilder &b, int64_t size, int64_t axis, int64_t rank) {
  return {b, b.iota(size, axis, rank, b.getI32Type())};
}

Expr forge::argMax(Expr x, int64_t axis, bool last) {
  ForgeBuilder &b = x.getBuilder();
  if (!x)
    return x;
  OpBuilder &attributes = b.getBuilder();
  int64_t rank = rankOf(x);
  double size = static_cast<double>(shapeOf(x)[axis]);
  Expr index(b, b.create<ArgmaxOp>(Value(last ? flip(x, axis) : x), attributes.getI64IntegerAttr(axis - rank),
                                   attributes.getBoolAttr(true)));
  return last ? size - 1.0 - index : index;
}

// ArgMax, ArgMin (since 1, 11, 12, 13): the first index or, with select_last_index (since 12), the last one, as int64.
template <bool IsMin>
static Values argReduce(OnnxNode &n, ForgeBuilder &b) {
  Value input = n.input(0);
  bool keepDims = n.flagAttr("keepdims", true);
  bool last = n.since() >= 12 && n.flagAttr("select_last_index", false);
  int64_t axis = n.axisAttr(input, 0);
  if (!n.failed() && shapeOf(input)[axis] == 0)
    n.refuse(Code::ResultUndefined, "an empty axis has no extremum");
  if (n.failed())
    return {};
  Expr x = comparable({b, input});
  Expr index = argMax(IsMin ? orderReversed(x) : x, axis, last);
  ArrayRef<int64_t> shape = shapeOf(input);
  return {b.cast(b.reshape(index, keepDims ? withSize(shape, axis, 1) : withoutAxis(shape, axis)), b.getI64Type())};
}

Values forge::convertArgMax(OnnxNode &n, ForgeBuilder &b) { return argReduce<false>(n, b); }
Values forge::convertArgMin(OnnxNode &n, ForgeBuilder &b) { return argReduce<true>(n, b); }
