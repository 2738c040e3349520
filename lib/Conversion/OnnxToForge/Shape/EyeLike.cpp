//===- EyeLike.cpp - ONNX EyeLike -----------------------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// EyeLike (since 9, 22): only the shape of the operand is used.
Values forge::convertEyeLike(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t k = n.intAttr("k", 0);
  int64_t dtype = n.intAttr("dtype", 0);
  if (n.failed())
    return {};
  Type element = n.hasAttr("dtype") ? elementTypeOfCode(dtype, b.getBuilder().getContext()) : elementOf(x);
  if (!element || rankOf(x) != 2 || numElements(x) > (1 << 24))
    return n.refuse(
        Code::RankWrong,
        "the operand must have rank 2 and not too many elements, and the result a type the device can hold");
  return {b.cast(b.diagonals(shapeOf(x)[0], shapeOf(x)[1], [&](int64_t offset) { return offset == k; }), element)};
}
