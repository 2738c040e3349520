//===- LRN.cpp - ONNX LRN -------------------------------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// LRN (since 1, 13): x / (bias + alpha / size * sum of squares over `size` adjacent channels) ^ beta. The sum is an
// average along the channels, padded with zeros. x in its own order, channels first, is an image with channels last
// whose height is the channels, so that nothing is transposed, and the two trailing axes are large. Forge pads all
// sides of a pool alike, so that the zeros are concatenated.
Values forge::convertLRN(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1e-4), beta = n.floatAttr("beta", 0.75), bias = n.floatAttr("bias", 1);
  int64_t size = n.intAttr("size");
  if (size < 1 || size > INT32_MAX)
    n.refuse(Code::AttributeValue, "attribute 'size' must be positive");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() < 2)
    return n.refuse(Code::RankWrong, "the operand must have rank 2 or more");
  SmallVector<int64_t> image(shape);
  image.resize(3, 1);
  image.push_back(ShapedType::getNumElements(ArrayRef(shape).drop_front(std::min<size_t>(shape.size(), 3))));
  Type element = elementOf(x), wide = statisticsType(b, x);
  x = b.cast(x, wide);
  // The window of channel c is c - floor((size-1)/2) .. c + ceil((size-1)/2). What is further out is zero for all c.
  int64_t most = std::max<int64_t>(0, shape[1] - 1);
  int64_t below = std::min((size - 1) / 2, most), above = std::min(size / 2, most), window = below + 1 + above;
  auto zeros = [&](int64_t channels) {
    return b.splat(RankedTensorType::get({image[0], channels, image[2], image[3]}, wide), 0);
  };
  Value squares = b.reshape(b.create<MultiplyOp>(x, x), image);
  Value averages = b.concatenate({zeros(below), squares, zeros(above)}, 1);
  if (window > 1)
    averages = b.create<AvgPool2dOp>(averages, /*kernel_size=*/ArrayRef<int64_t>{window, 1},
                                     /*stride=*/ArrayRef<int64_t>{1, 1}, /*padding=*/ArrayRef<int64_t>{0, 0, 0, 0},
                                     /*ceil_mode=*/false, /*count_include_pad=*/true, /*channel_last=*/true);
  Value scale = b.scalarLike(x, alpha * static_cast<double>(window) / static_cast<double>(size));
  Value sums = b.create<MultiplyOp>(b.reshape(averages, shape), scale);
  Value base = b.create<AddOp>(sums, b.scalarLike(x, bias));
  return {b.cast(b.create<DivideOp>(x, b.create<PowerOp>(base, b.scalarLike(x, beta))), element)};
}
