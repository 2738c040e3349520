//===- ArgMax.cpp - ONNX ArgMax and ArgMin --------------------------------===//

#include "Reduction.h"

using namespace mlir;
using namespace forge;

Expr forge::flip(Expr x, int64_t axis) {
  ForgeBuilder &b = x.getBuilder();
  if (!x || shapeOf(x)[axis] <= 1)
    return x;
  return {b, b.create<StridedSliceOp>(Value(x), ArrayRef{axis}, ArrayRef<int64_t>{-1}, ArrayRef<int64_t>{INT64_MIN},
                                      ArrayRef<int64_t>{-1})};
}

Expr forge::iota(ForgeBuilder &b, int64_t size, int64_t axis, int64_t rank) {
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = size;
  auto values = llvm::to_vector(llvm::map_range(llvm::seq<int64_t>(0, size), [](int64_t i) { return int32_t(i); }));
  auto type = RankedTensorType::get(shape, b.getBuilder().getI32Type());
  return {b, b.constant(DenseElementsAttr::get(type, ArrayRef<int32_t>(values)))};
}

Expr forge::argMax(Expr x, int64_t axis, bool last) {
  ForgeBuilder &b = x.getBuilder();
  if (!x)
    return x;
  OpBuilder &attributes = b.getBuilder();
  int64_t rank = tensorType(x).getRank();
  double size = static_cast<double>(shapeOf(x)[axis]);
  Expr index(b, b.create<ArgmaxOp>(Value(last ? flip(x, axis) : x), attributes.getI64IntegerAttr(axis - rank),
                                   attributes.getBoolAttr(true)));
  return last ? size - 1.0 - index : index;
}

// ArgMax, ArgMin (since 1, 11, 12, 13): the first or, since 12 and with select_last_index, the last one, as int64.
template <bool IsMin>
static Values argReduce(OnnxNode &n, ForgeBuilder &b) {
  Value input = n.input(0);
  int64_t axis = n.intAttr("axis", 0);
  bool keepDims = n.flagAttr("keepdims", true);
  bool last = n.since() >= 12 && n.flagAttr("select_last_index", false);
  if (n.failed())
    return {};
  axis = n.axis(axis, tensorType(input).getRank());
  if (!n.failed() && shapeOf(input)[axis] == 0)
    n.refuse(Code::ResultUndefined, "an empty axis has no extremum");
  if (n.failed())
    return {};
  Expr x = comparable({b, input});
  Expr index = argMax(IsMin ? orderReversed(x) : x, axis, last);
  SmallVector<int64_t> shape(shapeOf(input));
  if (keepDims)
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  return {b.cast(b.reshape(index, shape), b.getBuilder().getI64Type())};
}

Values forge::convertArgMax(OnnxNode &n, ForgeBuilder &b) { return argReduce<false>(n, b); }
Values forge::convertArgMin(OnnxNode &n, ForgeBuilder &b) { return argReduce<true>(n, b); }
