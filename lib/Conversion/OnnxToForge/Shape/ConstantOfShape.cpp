//===- ConstantOfShape.cpp - ONNX ConstantOfShape -------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// ConstantOfShape (since 9, 20, 21, 23, 24, 25): a splat, however large.
Values forge::convertConstantOfShape(OnnxNode &n, ForgeBuilder &b) {
  SmallVector<int64_t> shape = n.constantInts(0, "shape");
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(elements, size, elements)) {
      n.refuse(Code::SizeInvalid, "the shape has a negative size or too many elements");
      return {};
    }
  if (n.failed())
    return {};
  if (!n.hasAttr("value"))
    return {b.splat(RankedTensorType::get(shape, b.getBuilder().getF32Type()), 0)};
  DenseElementsAttr value = n.tensorAttr("value");
  if (!value || value.getNumElements() != 1) {
    n.refuse(Code::ElementCount, "attribute 'value' must be a tensor with one element");
    return {};
  }
  Type element = convertElementType(value.getElementType());
  if (!element) {
    n.refuse(Code::TypeNotHeld, "the device has no such element type");
    return {};
  }
  return {b.constant(withElementType(value, element).resizeSplat(RankedTensorType::get(shape, element)))};
}
