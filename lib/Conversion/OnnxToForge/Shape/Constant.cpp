//===- Constant.cpp - ONNX Constant and ConstantOfShape -------------------===//

#include "Shape.h"

#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace forge;

// The same elements with the signless element type of this dialect.
static DenseElementsAttr withElementType(DenseElementsAttr value, Type element) {
  return value.getElementType() == element ? value : value.bitcast(element);
}

// An initializer: in the IR if small, otherwise a key into the importer's weight table.
static Values convertTensor(OnnxNode &n, ForgeBuilder &b, Attribute raw) {
  auto elements = dyn_cast<ElementsAttr>(raw);
  auto declared = elements ? dyn_cast<RankedTensorType>(elements.getType()) : RankedTensorType();
  Type element = declared ? convertElementType(declared.getElementType()) : Type();
  if (!element)
    return n.refuse(Code::TypeNotHeld, "attribute 'value' is not a tensor the device can hold");
  RankedTensorType type = declared.clone(element);
  if (auto dense = dyn_cast<DenseElementsAttr>(raw))
    return {b.constant(withElementType(dense, element))};
  auto resource = dyn_cast<DenseResourceElementsAttr>(raw);
  if (!resource)
    return n.refuse(Code::AttributeKind, "attribute 'value' has an unknown form");
  StringRef key = resource.getRawHandle().getKey();
  ParameterOp parameter = ParameterOp::create(b.getBuilder(), b.getLoc(), type, key);
  // forge-mlir's importer does not put the bytes into the IR.
  if (blobOf(resource))
    parameter.setBlobAttr(resource);
  return {parameter.getResult()};
}

// Constant (since 1, 9, 11, 12, 13, 19, 21, 23, 24, 25) and initializers.
Values forge::convertConstant(OnnxNode &n, ForgeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  if (Attribute raw = n.rawAttr("value"))
    return convertTensor(n, b, raw);
  if (n.hasAttr("value_int"))
    return {
        b.constant(DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), n.intAttr("value_int")))};
  if (n.hasAttr("value_float"))
    return {b.splat(RankedTensorType::get({}, builder.getF32Type()), n.floatAttr("value_float"))};
  if (n.hasAttr("value_ints"))
    return {b.ints(n.intsAttr("value_ints"))};
  if (n.hasAttr("value_floats")) {
    SmallVector<float> values(
        llvm::map_range(n.floatsAttr("value_floats"), [](double v) { return static_cast<float>(v); }));
    return {b.floats(static_cast<int64_t>(values.size()), values)};
  }
  if (n.hasAttr("value_string") || n.hasAttr("value_strings"))
    n.refuse(Code::TypeNotHeld, "the device cannot hold strings");
  else
    n.refuse(Code::AttributeUnsupported, "only 'value', 'value_int(s)' and 'value_float(s)' are supported");
  return {};
}

// ConstantOfShape (since 9, 20, 21, 23, 24, 25): a splat, however large.
Values forge::convertConstantOfShape(OnnxNode &n, ForgeBuilder &b) {
  SmallVector<int64_t> shape = n.constantInts(0, "shape");
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(elements, size, elements))
      return n.refuse(Code::SizeInvalid, "the shape has a negative size or too many elements");
  if (n.failed())
    return {};
  if (!n.hasAttr("value"))
    return {b.splat(RankedTensorType::get(shape, b.getF32Type()), 0)};
  DenseElementsAttr value = n.tensorAttr("value");
  if (!value || value.getNumElements() != 1)
    return n.refuse(Code::AttributeValue, "attribute 'value' must be a tensor with one element");
  Type element = convertElementType(value.getElementType());
  if (!element)
    return n.refuse(Code::TypeNotHeld, "the device has no such element type");
  return {b.constant(withElementType(value, element).resizeSplat(RankedTensorType::get(shape, element)))};
}
