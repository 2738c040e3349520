//===- Activation.cpp - ONNX activations ----------------------------------===//

#include "Activation.h"

#include "../Elementwise/Elementwise.h"
#include "../RegisterAll.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

// A known operand is folded as a maximum.
static Values convertRelu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  Value x = n.input(0);
  if (x && matchPattern(x, m_Constant()))
    return {b.create<MaxOp>(x, b.scalarLike(x, 0))};
  return {b.create<ReluOp>(x)};
}

static Values convertLeakyRelu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  return {b.create<LeakyReluOp>(n.input(0), f32(n.floatAttr("alpha", 0.01)))};
}

// The forms of ONNX; parameters are rounded to float, as ONNX stores them.
static Values convertElu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double alpha = n.floatAttr("alpha", 1);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return select(x < 0.0, alpha * (exp(x) - 1.0), x); })};
}

// Selu (since 1, 6, 22); version 1 had other defaults.
static Values convertSelu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double alpha = n.floatAttr("alpha", n.since() < 6 ? 1.6732 : 1.67326319217681884765625);
  double gamma = n.floatAttr("gamma", n.since() < 6 ? 1.0507 : 1.05070102214813232421875);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return gamma * select(x <= 0.0, alpha * exp(x) - alpha, x); })};
}

static Values convertCelu(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  if (alpha == 0)
    n.refuse(Code::AttributeValue, "attribute 'alpha' must not be 0");
  if (n.failed())
    return {};
  return {inFloat32({b, n.input(0)},
                    [&](Expr x) { return max(x, 0.0) + min(alpha * (exp(x / x.number(alpha)) - 1.0), 0.0); })};
}

// HardSigmoid (since 1, 6, 22).
static Values convertHardSigmoid(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double alpha = n.floatAttr("alpha", 0.2), beta = n.floatAttr("beta", 0.5);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return max(min(alpha * x + beta, 1.0), 0.0); })};
}

static Expr hardSwish(Expr x) { return x * max(min(x / x.number(6) + 0.5, 1.0), 0.0); }
static Expr mish(Expr x) { return x * tanh(softplus(x)); }
static Expr softPlus(Expr x) { return softplus(x); }
static Expr softSign(Expr x) { return x / (1.0 + abs(x)); }

static Values convertSwish(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return x * sigmoid(alpha * x); })};
}

static Values convertThresholdedRelu(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  Expr x(b, n.input(0));
  return {select(x > alpha, x, 0.0)};
}

void forge::registerActivationOps(OnnxRegistry &registry) {
  registry.add({
      {"LeakyRelu", {1, 6, 16}, convertLeakyRelu},
      {"Relu", {1, 6, 13, 14}, convertRelu},
      {"PRelu", {1, 6, 7, 9, 16}, convertPRelu},
      {"Elu", {1, 6, 22}, convertElu},
      {"Selu", {1, 6, 22}, convertSelu},
      {"Celu", {12, 28}, convertCelu},
      {"Gelu", {20}, convertGelu},
      {"SwiGLU", {28}, convertSwiGLU},
      {"Swish", {24}, convertSwish},
      {"HardSwish", {14, 22}, convertFormula<hardSwish>},
      {"Mish", {18, 22}, convertFormula<mish>},
      {"Sigmoid", {1, 6, 13}, convertUnary<SigmoidOp>},
      {"HardSigmoid", {1, 6, 22}, convertHardSigmoid},
      {"Tanh", {1, 6, 13}, convertUnary<TanhOp>},
      {"Softplus", {1, 22}, convertFormula<softPlus>},
      {"Softsign", {1, 22}, convertFormula<softSign>},
      {"ThresholdedRelu", {10, 22}, convertThresholdedRelu},
      {"Shrink", {9}, convertShrink},
      {"Clip", {1, 6, 11, 12, 13}, convertClip},
      {"Dropout", {1, 6, 7, 10, 12, 13, 22}, convertDropout},
  });
}
