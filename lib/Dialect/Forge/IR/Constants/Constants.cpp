//===- Constants.cpp - dense constants from host numbers ------------------===//

#include "forge/Dialect/Forge/IR/Constants/Constants.h"

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

void forge::forEachNumber(DenseElementsAttr value, llvm::function_ref<void(double)> visit) {
  Type element = value.getElementType();
  auto visitAll = [&](auto &&values, auto asDouble) {
    for (const auto &each : values) {
      visit(asDouble(each));
      if (value.isSplat())
        break;
    }
  };
  if (element.isF32())
    return visitAll(value.getValues<float>(), [](float each) { return static_cast<double>(each); });
  if (isa<FloatType>(element))
    return visitAll(value.getValues<APFloat>(), [](const APFloat &each) { return each.convertToDouble(); });
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  visitAll(value.getValues<APInt>(), [&](const APInt &each) { return each.roundToDouble(!isUnsigned); });
}
