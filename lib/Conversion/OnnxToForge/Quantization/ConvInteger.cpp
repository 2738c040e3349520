//===- ConvInteger.cpp - ONNX ConvInteger ---------------------------------===//

#include "Quantization.h"

using namespace mlir;
using namespace forge;

Value forge::integerConv(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value zeroX, Value zeroW) {
  int64_t groups = n.intAttr("group", 1), rank = rankOf(x);
  if (rank < 3 || rank > 5 || rank != rankOf(weights))
    return n.refuse(Code::VariantUnsupported,
                    "integer convolutions over other than 1, 2 or 3 spatial axes are not supported on the device");
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (groups < 1 || shapeOf(x)[1] % groups != 0 || shapeOf(weights)[1] != shapeOf(x)[1] / groups)
    return n.refuse(Code::ShapeMismatch, "the weights do not fit the operand and attribute 'group'");
  if (rank == 3)
    raiseTo2d(b, x, weights, window);
  SmallVector<int64_t> zeroShape;
  if (zeroW && numElements(zeroW) != 1) {
    zeroShape.assign(rankOf(weights), 1);
    zeroShape[0] = numElements(zeroW);
  }
  Centred a = centred(n, b, x, zeroX, {}), c = centred(n, b, weights, zeroW, zeroShape);
  if (!a.value || !c.value)
    return {};
  int64_t channels = shapeOf(weights)[1], area = ShapedType::getNumElements(window.kernel);
  int64_t perChunk = exactTerms(a, c, channels * area) / area;
  if (groups != 1 && perChunk < channels)
    perChunk = 0;
  // ONNX pads with the zero point, so that the padding of the centred operand is 0.
  return sumOfChunks(n, b, channels, perChunk, [&](int64_t begin, int64_t end) {
    bool whole = begin == 0 && end == channels;
    Value part = whole ? a.value : b.slice(a.value, 1, begin, end);
    Value kernels = b.slice(c.value, 1, begin, end);
    if (rank == 5)
      return conv3d(n, b, part, kernels, {}, window, groups);
    return conv2d(b, part, kernels, {}, window, groups, /*channelsLast=*/false);
  });
}

Values forge::convertConvInteger(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), zeroX = n.optionalInput(2), zeroW = n.optionalInput(3);
  if (n.failed())
    return {};
  Value sums = integerConv(n, b, x, weights, zeroX, zeroW);
  return {rankOf(x) == 3 ? loweredTo1d(b, sums) : sums};
}
