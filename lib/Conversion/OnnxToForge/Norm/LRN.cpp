//===- LRN.cpp - ONNX LRN -------------------------------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// LRN (since 1, 13): x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ^ beta. The sum is a
// convolution along the channels with a kernel that holds alpha / size.
Values forge::convertLRN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1e-4), beta = n.floatAttr("beta", 0.75), bias = n.floatAttr("bias", 1);
  int64_t size = n.intAttr("size");
  if (size < 1 || size > INT32_MAX)
    n.refuse(Code::AttributeValue, "attribute 'size' must be positive");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() < 2) {
    n.refuse(Code::RankWrong, "the operand must have rank 2 or more");
    return {};
  }
  int64_t spatial = ShapedType::getNumElements(ArrayRef(shape).drop_front(2));
  Type element = tensorType(x).getElementType();
  Value squares = b.reshape(b.create<MultiplyOp>(x, x), {shape[0], 1, shape[1], spatial});
  Value kernel = b.splat(RankedTensorType::get({1, 1, size, 1}, element), alpha / static_cast<double>(size));
  // The window of channel c is c - floor((size-1)/2) .. c + ceil((size-1)/2).
  SmallVector<int64_t> ones{1, 1}, padding{(size - 1) / 2, 0, size / 2, 0};
  Value sums = b.create<Conv2dOp>(squares, kernel, OptionalOperand(), ArrayRef(ones), ArrayRef(padding), ArrayRef(ones),
                                  1, false);
  Value base = b.create<AddOp>(b.reshape(sums, shape), b.scalarLike(x, bias));
  return {b.create<DivideOp>(x, b.create<PowerOp>(base, b.scalarLike(x, beta)))};
}
