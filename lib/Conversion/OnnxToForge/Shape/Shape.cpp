//===- Shape.cpp - ONNX Shape, Size, and ops without effect ---------------===//

#include "Shape.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// Shape (since 1, 13, 15, 19, 21, 23, 24, 25): shapes are static; `start` and `end` are clamped as for a slice.
static Values convertShape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  auto bound = [&](int64_t value) { return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank); };
  int64_t start = bound(n.intAttr("start", 0)), end = bound(n.intAttr("end", rank));
  return {b.ints(start < end ? shapeOf(x).slice(start, end - start) : ArrayRef<int64_t>())};
}

static Values convertSize(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  auto type = RankedTensorType::get({}, b.getI64Type());
  return {b.constant(DenseElementsAttr::get(type, numElements(x)))};
}

// Identity, and OptionalGetElement of a tensor.
static Values convertIdentity(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }

// OptionalHasElement (since 15, 18, 28): true for a tensor, false for an absent input.
static Values convertOptionalHasElement(OnnxNode &n, ForgeBuilder &b) {
  bool has = n.hasInput(0);
  if (has && !n.input(0))
    return {};
  return {b.splat(RankedTensorType::get({}, b.getI1Type()), has)};
}

void forge::registerShapeOps(OnnxRegistry &registry) {
  registry.add({
      {"Constant", {1, 9, 11, 12, 13, 19, 21, 23, 24, 25}, convertConstant},
      {"ConstantOfShape", {9, 20, 21, 23, 24, 25}, convertConstantOfShape},
      {"Range", {11, 27}, convertRange},
      {"EyeLike", {9, 22}, convertEyeLike},
      {"Shape", {1, 13, 15, 19, 21, 23, 24, 25}, convertShape},
      {"Size", {1, 13, 19, 21, 23, 24, 25}, convertSize},
      {"Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, convertIdentity},
      {"Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, convertReshape},
      {"Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, convertFlatten},
      {"Squeeze", {1, 11, 13, 21, 23, 24, 25}, convertSqueeze},
      {"Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, convertUnsqueeze},
      {"OptionalHasElement", {15, 18, 28}, convertOptionalHasElement},
      {"OptionalGetElement", {15, 18, 28}, convertIdentity},
  });
}
