//===- Constant.cpp - ONNX Constant ---------------------------------------===//

#include "Shape.h"

#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace forge;

DenseElementsAttr forge::withElementType(DenseElementsAttr value, Type element) {
  return value.getElementType() == element ? value : value.bitcast(element);
}

// An initializer: in the IR when small, else a key into the importer's weight table.
static Values convertTensor(OnnxNode &n, ForgeBuilder &b, Attribute raw) {
  auto elements = dyn_cast<ElementsAttr>(raw);
  auto declared = elements ? dyn_cast<RankedTensorType>(elements.getType()) : RankedTensorType();
  Type element = declared ? convertElementType(declared.getElementType()) : Type();
  if (!element) {
    n.refuse(Code::TypeNotHeld, "attribute 'value' is not a tensor the device can hold");
    return {};
  }
  RankedTensorType type = declared.clone(element);
  if (auto dense = dyn_cast<DenseElementsAttr>(raw))
    return {b.constant(withElementType(dense, element))};
  auto resource = dyn_cast<DenseResourceElementsAttr>(raw);
  if (!resource) {
    n.refuse(Code::AttributeKind, "attribute 'value' has an unknown form");
    return {};
  }
  StringRef key = resource.getRawHandle().getKey();
  ParameterOp parameter = ParameterOp::create(b.getBuilder(), b.getLoc(), type, key);
  // forge-mlir's importer leaves the bytes where they are.
  if (blobOf(resource))
    parameter.setBlobAttr(resource);
  return {parameter.getResult()};
}

// Constant (since 1, 9, 11, 12, 13, 19, 21, 23, 24, 25) and initializers.
Values forge::convertConstant(OnnxNode &n, ForgeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  if (Attribute raw = n.rawAttr("value"))
    return convertTensor(n, b, raw);
  auto vectorOf = [&](size_t size, Type type) { return RankedTensorType::get({static_cast<int64_t>(size)}, type); };
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
    return {b.constant(DenseElementsAttr::get(vectorOf(values.size(), builder.getF32Type()), ArrayRef(values)))};
  }
  if (n.hasAttr("value_string") || n.hasAttr("value_strings"))
    n.refuse(Code::TypeNotHeld, "the device cannot hold strings");
  else
    n.refuse(Code::AttributeUnsupported, "only 'value', 'value_int(s)' and 'value_float(s)' are supported");
  return {};
}
