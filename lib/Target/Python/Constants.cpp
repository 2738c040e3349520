//===- Constants.cpp - how constants and weights are written in Python ----===//

#include "EmissionPlan.h"
#include "forge/Target/Artifact/Weights.h"

using namespace mlir;
using namespace forge;

static StringRef dataFormat(Type element) {
  if (element.isF16())
    return "forge.DataFormat.Float16";
  if (element.isBF16())
    return "forge.DataFormat.Float16_b";
  return isa<FloatType>(element) ? "forge.DataFormat.Float32" : "forge.DataFormat.Int32";
}

std::string forge::pyAttribute(ForgeCallOpInterface call, StringRef name, Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value))
    return pyBool(flag.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return std::to_string(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(value))
    return pyFloat(number.getValue().convertToFloat());
  if (auto text = dyn_cast<StringAttr>(value))
    return pyString(text.getValue());
  if (auto type = dyn_cast<TypeAttr>(value))
    return dataFormat(type.getValue()).str();
  ArrayRef<int64_t> list = cast<DenseI64ArrayAttr>(value).asArrayRef();
  return call.isTuple(name) ? pyTuple(list) : pyList(list);
}

std::string forge::pyDeclaration(StringRef name, const PlannedWeight &weight) {
  if (weight.isParameter)
    return ("self.add_parameter(" + name + ", forge.Parameter(" + pyArguments(weight.type.getShape()) +
            ", requires_grad=False, dev_data_format=" + dataFormat(weight.type.getElementType()) + "))\n")
        .str();
  return ("self.add_constant(" + name + ", shape=" + pyTuple(weight.type.getShape()) + ", dtype=torch." +
          numpyName(weight.type.getElementType()) + ")\n")
      .str();
}

std::string forge::pyGetter(StringRef name, const PlannedWeight &weight) {
  return ("self." + Twine(weight.isParameter ? "get_parameter(" : "get_constant(") + name + ")").str();
}
