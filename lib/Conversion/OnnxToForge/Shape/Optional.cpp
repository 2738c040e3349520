//===- Optional.cpp - ONNX OptionalHasElement and OptionalGetElement ------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// OptionalHasElement (since 15, 18, 28): a tensor that is there is an element; an absent one is none.
Values forge::convertOptionalHasElement(OnnxNode &n, ForgeBuilder &b) {
  bool has = n.hasInput(0);
  if (has && !n.input(0))
    return {};
  return {b.splat(RankedTensorType::get({}, b.getBuilder().getI1Type()), has)};
}

// OptionalGetElement (since 15, 18, 28): of a tensor, the tensor.
Values forge::convertOptionalGetElement(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }
