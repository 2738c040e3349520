//===- Microsoft.cpp - onnxruntime's own ops, domain com.microsoft --------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

bool forge::requireFloats(OnnxNode &n, ArrayRef<Value> values) {
  for (Value value : values)
    if (value && !(isa<FloatType>(tensorType(value).getElementType()) &&
                   tensorType(value).getElementType().getIntOrFloatBitWidth() <= 32)) {
      n.refuse("expected floats of at most 32 bits");
      return false;
    }
  return !n.failed();
}

std::string forge::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "(";
  llvm::interleaveComma(shape, stream);
  stream << ")";
  return text;
}

// Gelu, BiasGelu (erf form) and FastGelu (tanh form); the bias is added first.
template <bool HasBias>
static Values convertGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), bias = HasBias ? n.optionalInput(1) : Value();
  StringRef form = n.opType() == "FastGelu" ? "tanh" : "none";
  if (n.failed())
    return {};
  return {b.create<GeluOp>(bias ? b.create<AddOp>(x, bias) : x, form)};
}

// QuickGelu: x * sigmoid(alpha * x).
static Values convertQuickGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.702);
  return {b.create<MultiplyOp>(x, b.create<SigmoidOp>(b.create<MultiplyOp>(x, b.scalarLike(x, alpha))))};
}

void forge::registerDomainOps(OnnxRegistry &r) {
  r.add("Gelu", {1}, convertGelu<false>, kMicrosoft);
  r.add("BiasGelu", {1}, convertGelu<true>, kMicrosoft);
  r.add("FastGelu", {1}, convertGelu<true>, kMicrosoft);
  r.add("QuickGelu", {1}, convertQuickGelu, kMicrosoft);
  registerMicrosoftAttentionOps(r);
  registerMicrosoftFusedOps(r);
  registerMicrosoftGroupQueryOps(r);
  registerMicrosoftMatmulOps(r);
  registerMicrosoftNormOps(r);
  registerMicrosoftQuantOps(r);
  registerMicrosoftRotaryOps(r);
}
