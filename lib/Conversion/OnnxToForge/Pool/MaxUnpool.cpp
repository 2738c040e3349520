//===- MaxUnpool.cpp - ONNX MaxUnpool -------------------------------------===//

#include "Pool.h"

using namespace mlir;
using namespace forge;

// MaxUnpool (since 9, 11, 22): indices are into the result size that the window implies; `output_shape` pads it.
Values forge::convertMaxUnpool(OnnxNode &n, ForgeBuilder &b) {
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
  if (!isCountable(shape) || ShapedType::getNumElements(shape) > (1 << 26))
    return n.refuse(Code::TooManyElements, "the result has too many elements");
  int64_t elements = ShapedType::getNumElements(shape), count = numElements(x);
  Value rows = wrappedIndices(n, b, b.reshape(indices, {count}), elements);
  Value flat = b.splat(tensorType(x).clone({elements}), 0);
  Value result = b.reshape(scatterRows(n, b, flat, rows, b.reshape(x, {count}), "none"), shape);
  return {b.window(result, before, after, b.scalarLike(x, 0))};
}
