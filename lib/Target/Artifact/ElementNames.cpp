//===- ElementNames.cpp - element types as numpy calls them ---------------===//

#include "ElementNames.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

std::string forge::numpyName(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 ? "bool"
                                   : (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth());
  if (type.isBF16())
    return "bfloat16";
  return isa<FloatType>(type) ? "float" + std::to_string(type.getIntOrFloatBitWidth()) : "unknown";
}

Type forge::typeNamed(StringRef name, MLIRContext *context) {
  Builder b(context);
  SmallVector<Type> types{b.getI1Type(), b.getBF16Type(), b.getF16Type(), b.getF32Type(), b.getF64Type()};
  for (unsigned width : {4, 8, 16, 32, 64})
    for (auto sign : {IntegerType::Signed, IntegerType::Unsigned})
      types.push_back(IntegerType::get(context, width, sign));
  for (Type type : types)
    if (numpyName(type) == name)
      return type;
  return {};
}
