//===- Activation.cpp - ONNX activations ----------------------------------===//

#include "Activation.h"

#include "../Elementwise/Elementwise.h"
#include "../RegisterAll.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Gelu (since 20): with erf, or its tanh approximation.
static Values convertGelu(OnnxNode &n, ForgeBuilder &b) {
  StringRef approximate = n.choiceAttr("approximate", {"none", "tanh"});
  Value x = n.input(0);
  return {n.failed() ? Value() : b.create<GeluOp>(x, *symbolizeGeluApproximation(approximate))};
}

// PRelu (since 1, 6, 7, 9, 16): the slope broadcasts to x; before 7 it was a scalar or per channel.
static Values convertPRelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), slope = n.input(1);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (n.since() < 7 && rankOf(slope) == 1 && rank > 1)
    slope = b.reshape(slope, sizesAlong(rank, 1, shapeOf(slope)[0]));
  // The product must not leave Int32 even where it is not selected.
  Value result = wrappingBinary(
      n, b, x, slope, [](Expr x, Expr slope) { return select(x < 0.0, (x.isFloat() ? x : min(x, 0.0)) * slope, x); });
  if (result && shapeOf(result) != shapeOf(x))
    n.refuse(Code::ShapeMismatch, "the slope does not broadcast to the shape of the operand");
  return {result};
}

// Shrink (since 9). For integers, a fractional bound is rounded towards zero, which selects the same elements.
static Values convertShrink(OnnxNode &n, ForgeBuilder &b) {
  double bias = n.floatAttr("bias", 0), lambda = n.floatAttr("lambd", 0.5);
  Value x = n.input(0);
  bool isFloat = x && isa<FloatType>(elementOf(x));
  constexpr double limit = 1 << 30;
  if (!isFloat && (bias != std::trunc(bias) || !(std::abs(bias) < limit) || !(std::abs(lambda) < limit)))
    n.refuse(Code::IntegerRange, "a shrink of integers needs a whole 'bias', and parameters that fit Int32");
  if (n.failed())
    return {};
  double low = isFloat ? -lambda : std::ceil(-lambda), high = isFloat ? lambda : std::floor(lambda);
  // Narrow types, also of constants, are computed in i32: they may not have the bounds.
  bool direct = computesDirectly(elementOf(x));
  Expr operand = direct ? Expr(b, x) : asInt32({b, x});
  Expr result = select(operand < low, operand + bias, select(operand > high, operand - bias, operand.number(0)));
  return {direct ? result : wrapTo(n, result, elementOf(x))};
}

// SwiGLU (since 28): swish(gate) * value.
static Values convertSwiGLU(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  Value gate = n.input(0), value = n.input(1);
  if (n.failed())
    return {};
  if (gate.getType() != value.getType())
    return n.refuse(Code::OperandType, "the gate and the value must have one type");
  return {
      inFloat32({b, gate}, [&](Expr x) { return x * sigmoid(alpha * x) * Expr(b, b.cast(value, x.elementType())); })};
}

// Relu is a maximum for a constant operand, so that it folds.
static Values convertRelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && matchPattern(x, m_Constant()))
    return {b.create<MaxOp>(x, b.scalarLike(x, 0))};
  return {b.create<ReluOp>(x)};
}

static Values convertLeakyRelu(OnnxNode &n, ForgeBuilder &b) {
  return {b.create<LeakyReluOp>(n.input(0), f32(n.floatAttr("alpha", 0.01)))};
}

// As ONNX defines it; parameters are rounded to float, the type of ONNX's attributes.
static Values convertElu(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return select(x < 0.0, alpha * (exp(x) - 1.0), x); })};
}

// Selu (since 1, 6, 22); version 1 has other defaults.
static Values convertSelu(OnnxNode &n, ForgeBuilder &b) {
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

static Values convertHardSigmoid(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 0.2), beta = n.floatAttr("beta", 0.5);
  return {inFloat32({b, n.input(0)}, [&](Expr x) { return max(min(alpha * x + beta, 1.0), 0.0); })};
}

static Expr hardSwish(Expr x) { return x * max(min(x / x.number(6) + 0.5, 1.0), 0.0); }

static Expr mish(Expr x) { return x * tanh(softplus(x)); }

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
      {"Softplus", {1, 22}, convertFormula<softplus>},
      {"Softsign", {1, 22}, convertFormula<softSign>},
      {"ThresholdedRelu", {10, 22}, convertThresholdedRelu},
      {"Shrink", {9}, convertShrink},
      {"Clip", {1, 6, 11, 12, 13}, convertClip},
      {"Dropout", {1, 6, 7, 10, 12, 13, 22}, convertDropout},
  });
}
