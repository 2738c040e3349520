//===- Gelu.cpp - Gelu, BiasGelu, FastGelu, QuickGelu ---------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// Gelu, BiasGelu (erf form) and FastGelu (tanh form); the bias is added first.
template <bool HasBias>
static Values gelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), bias = HasBias ? n.optionalInput(1) : Value();
  StringRef form = n.opType() == "FastGelu" ? "tanh" : "none";
  if (n.failed())
    return {};
  return {b.create<GeluOp>(bias ? b.create<AddOp>(x, bias) : x, form)};
}

// QuickGelu: x * sigmoid(alpha * x).
Values forge::microsoft::convertQuickGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.702);
  return {b.create<MultiplyOp>(x, b.create<SigmoidOp>(b.create<MultiplyOp>(x, b.scalarLike(x, alpha))))};
}

Values forge::microsoft::convertGelu(OnnxNode &n, ForgeBuilder &b) { return gelu<false>(n, b); }
Values forge::microsoft::convertBiasGelu(OnnxNode &n, ForgeBuilder &b) { return gelu<true>(n, b); }
Values forge::microsoft::convertFastGelu(OnnxNode &n, ForgeBuilder &b) { return gelu<true>(n, b); }
