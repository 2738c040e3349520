//===- Flatten.cpp - ONNX Flatten -----------------------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// Flatten (since 1, 9, 11, 13, 21, 23, 24, 25): the dims before and from `axis`, which may equal the rank.
Values forge::convertFlatten(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 1);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  if (axis < -rank || axis > rank || (axis < 0 && n.since() < 11)) {
    n.refuse(Code::OutOfRange, "attribute 'axis' " + Twine(axis) + " is outside rank " + Twine(rank));
    return {};
  }
  axis = axis < 0 ? axis + rank : axis;
  auto product = [](ArrayRef<int64_t> sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  };
  return {b.reshape(x, {product(shapeOf(x).take_front(axis)), product(shapeOf(x).drop_front(axis))})};
}
