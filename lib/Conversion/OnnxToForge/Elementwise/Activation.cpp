//===- Activation.cpp - ONNX activations ----------------------------------===//

#include "Elementwise.h"

#include <limits>

using namespace mlir;
using namespace forge;

static APFloat f32(double value) { return APFloat(static_cast<float>(value)); }

// Gelu (since 20): erf form, or its tanh approximation.
static Values convertGelu(OnnxNode &n, ForgeBuilder &b) {
  StringRef approximate = n.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    n.refuse("attribute 'approximate' must be 'none' or 'tanh'");
  Value x = n.input(0);
  return {n.failed() ? Value() : b.create<GeluOp>(x, approximate)};
}

static Values convertLeakyRelu(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  return {b.create<LeakyReluOp>(n.input(0), f32(n.floatAttr("alpha", 0.01)))};
}

// Clip (since 1, 6, 11, 12, 13): bounds are attributes, then optional inputs. The lower bound is applied first, so that
// the upper one wins when they cross.
static Values convertClip(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), low, high;
  if (n.since() < 11) {
    n.ignoreAttr("consumed_inputs");
    if (n.hasAttr("min"))
      low = b.scalarLike(x, n.floatAttr("min"));
    if (n.hasAttr("max"))
      high = b.scalarLike(x, n.floatAttr("max"));
  } else {
    low = n.optionalInput(1);
    high = n.optionalInput(2);
  }
  for (Value bound : {low, high})
    if (x && bound && (tensorType(bound).getNumElements() != 1 ||
                       tensorType(bound).getElementType() != tensorType(x).getElementType()))
      n.refuse("a bound must be one element of the operand's type");
  if (n.failed())
    return {};
  // One call when both bounds are known floats in order.
  auto known = [](Value bound) { return !bound || bound.getDefiningOp<ConstantOp>(); };
  auto bound = [](Value value, double fallback) {
    return value ? numberValues(cast<DenseElementsAttr>(value.getDefiningOp<ConstantOp>().getValue())).front() : fallback;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<FloatType>(tensorType(x).getElementType()) && known(low) && known(high)) {
    double min = bound(low, -infinity), max = bound(high, infinity);
    if (min <= max)
      return {b.create<ClipOp>(x, f32(min), f32(max))};
  }
  if (low)
    x = b.create<MaxOp>(x, low);
  if (high)
    x = b.create<MinOp>(x, high);
  return {x};
}

// Dropout at inference (since 1, 6, 7, 10, 12, 13, 22) is the identity with a mask of ones.
static Values convertDropout(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  n.ignoreAttr("ratio");
  n.ignoreAttr("seed");
  Value x = n.input(0);
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse("training mode (is_test = 0) is random");
  if (n.since() >= 12 && n.hasInput(2) && n.constantScalar(2, "training_mode") != 0)
    n.refuse("training mode is random");
  if (n.failed())
    return {};
  if (!n.hasOutput(1))
    return {x};
  Type maskType = n.since() < 10 ? tensorType(x).getElementType() : b.getBuilder().getI1Type();
  // The mask marks what was kept: before opset 10 as numbers, whose value at inference the standard left open.
  return {x, b.splat(tensorType(x).clone(maskType), 1)};
}

void forge::registerActivationOps(OnnxRegistry &r) {
  r.add("Relu", {1, 6, 13, 14}, convertUnary<ReluOp>);
  r.add("Sigmoid", {1, 6, 13}, convertUnary<SigmoidOp>);
  r.add("Tanh", {1, 6, 13}, convertUnary<TanhOp>);
  r.add("Gelu", {20}, convertGelu);
  r.add("LeakyRelu", {1, 6, 16}, convertLeakyRelu);
  r.add("Clip", {1, 6, 11, 12, 13}, convertClip);
  r.add("Dropout", {1, 6, 7, 10, 12, 13, 22}, convertDropout);
}
