//===- Constants.cpp - dense constants from host numbers ------------------===//

#include "forge/Dialect/Forge/IR/Constants.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

Attribute forge::numberAttr(Type elementType, double value) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(elementType, APInt(elementType.getIntOrFloatBitWidth(), static_cast<int64_t>(value),
                                             /*isSigned=*/true, /*implicitTrunc=*/true));
}

DenseElementsAttr forge::splatAttr(RankedTensorType type, double value) {
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  return DenseElementsAttr::get(type, numberAttr(type.getElementType(), value));
}
