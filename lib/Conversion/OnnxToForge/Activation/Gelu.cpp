//===- Gelu.cpp - ONNX Gelu -----------------------------------------------===//

#include "Activation.h"

using namespace mlir;
using namespace forge;

// Gelu (since 20): erf form, or its tanh approximation.
Values forge::convertGelu(OnnxNode &n, ForgeBuilder &b) {
  StringRef approximate = n.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    n.refuse(Code::AttributeValue, "attribute 'approximate' must be 'none' or 'tanh'");
  Value x = n.input(0);
  return {n.failed() ? Value() : b.create<GeluOp>(x, approximate)};
}
