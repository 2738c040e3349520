//===- CenterCropPad.cpp - ONNX CenterCropPad -----------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// CenterCropPad (since 18): the odd element of a crop or pad is at the end.
Values forge::convertCenterCropPad(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.constantInts(1, "shape");
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes = n.axes(n.intsAttr("axes", allAxes(rank)), rank);
  if (!n.failed() &&
      (axes.size() != shape.size() || llvm::any_of(shape, [](int64_t size) { return size < 0 || size > INT32_MAX; })))
    n.refuse(Code::SizeInvalid, "shape must have one size per axis, none negative");
  if (n.failed())
    return {};
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  for (auto [axis, size] : llvm::zip_equal(axes, shape)) {
    int64_t missing = size - shapeOf(x)[axis];
    before[axis] = missing / 2; // rounds towards zero, so that the rest is at the end
    after[axis] = missing - before[axis];
  }
  return {b.window(x, before, after, b.scalarLike(x, 0))};
}
