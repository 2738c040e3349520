//===- FusedConv.cpp - FusedConv and FusedGemm ----------------------------===//

#include "Microsoft.h"

#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

// An activation by its name in the default domain. `parameters` are its attributes in the order of its schema.
static Value activate(OnnxNode &n, ForgeBuilder &b, Value x, StringRef name, ArrayRef<double> parameters) {
  size_t expected = llvm::StringSwitch<size_t>(name)
                        .Case("LeakyRelu", 1)
                        .Cases({"Clip", "HardSigmoid"}, 2)
                        .Cases({"Relu", "Sigmoid", "Tanh"}, 0)
                        .Default(SIZE_MAX);
  if (expected == SIZE_MAX)
    n.refuse(Code::AttributeUnsupported,
             "activation '" + name + "' is not supported; Relu, Sigmoid, Tanh, LeakyRelu, Clip and HardSigmoid are");
  else if (parameters.size() != expected)
    n.refuse(Code::AttributeMismatch, "expected " + Twine(expected) + " parameters for activation '" + name +
                                          "', but got " + Twine(parameters.size()));
  if (n.failed() || !x)
    return {};
  if (name == "LeakyRelu")
    return b.create<LeakyReluOp>(x, f32(parameters[0]));
  if (name == "Clip")
    return b.create<ClipOp>(x, f32(parameters[0]), f32(parameters[1]));
  if (name == "HardSigmoid")
    return inFloat32({b, x}, [&](Expr x) { return max(min(parameters[0] * x + parameters[1], 1.0), 0.0); });
  if (name == "Relu")
    return b.create<ReluOp>(x);
  return name == "Tanh" ? b.create<TanhOp>(x) : b.create<SigmoidOp>(x);
}

// FusedConv: Conv, a residual (input 3) and an activation.
Values forge::microsoft::convertFusedConv(OnnxNode &n, ForgeBuilder &b) {
  Value residual = n.optionalInput(3);
  StringRef activation = n.stringAttr("activation", "");
  SmallVector<double> parameters = n.floatsAttr("activation_params", ArrayRef<double>());
  Values result = forge::convertConv(n, b);
  if (n.failed() || result.empty() || !result[0])
    return {};
  if (residual && residual.getType() != result[0].getType())
    return n.refuse(Code::ShapeMismatch, "expected a residual of shape " + shapeText(shapeOf(result[0])) +
                                             ", but got " + shapeText(shapeOf(residual)));
  if (residual)
    result[0] = b.create<AddOp>(result[0], residual);
  return {activation.empty() ? result[0] : activate(n, b, result[0], activation, parameters)};
}

// FusedGemm: Gemm and an activation.
Values forge::microsoft::convertFusedGemm(OnnxNode &n, ForgeBuilder &b) {
  StringRef activation = n.stringAttr("activation", "");
  SmallVector<double> parameters;
  for (StringRef name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (n.hasAttr(name))
      parameters.push_back(n.floatAttr(name));
  // onnxruntime leaves parameters on other activations too, which ignore them.
  if (activation != "LeakyRelu" && activation != "HardSigmoid")
    parameters.clear();
  Value result = gemm(n, b, n.optionalInput(2), /*broadcast=*/true);
  return {activation.empty() ? result : activate(n, b, result, activation, parameters)};
}
