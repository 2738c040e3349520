//===- Clip.cpp - ONNX Clip -----------------------------------------------===//

#include "Activation.h"

#include <limits>

using namespace mlir;
using namespace forge;

// Clip (since 1, 6, 11, 12, 13): bounds are attributes, inputs since 11. In versions 6 to 10 the default bounds are
// finite, so that infinities are clipped. The lower bound is applied first, so that the upper bound takes precedence if
// it is smaller.
Values forge::convertClip(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), low, high;
  if (n.since() < 11) {
    constexpr double greatest = std::numeric_limits<float>::max();
    auto bound = [&](StringRef name, double fallback) {
      return n.since() == 6 || n.hasAttr(name) ? b.scalarLike(x, n.floatAttr(name, fallback)) : Value();
    };
    low = bound("min", -greatest);
    high = bound("max", greatest);
  } else {
    low = n.optionalInput(1);
    high = n.optionalInput(2);
  }
  for (Value bound : {low, high})
    if (x && bound && (numElements(bound) != 1 || elementOf(bound) != elementOf(x)))
      n.refuse(Code::ElementCount, "a bound must be one element of the operand's type");
  if (n.failed())
    return {};
  // forge.clip if both bounds are constant floats in order.
  DenseElementsAttr least = knownValue(low), most = knownValue(high);
  if (isa<FloatType>(elementOf(x)) && (least || !low) && (most || !high)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double min = least ? numberValues(least).front() : -infinity, max = most ? numberValues(most).front() : infinity;
    if (min <= max)
      return {b.create<ClipOp>(x, f32(min), f32(max))};
  }
  if (low)
    x = b.create<MaxOp>(x, low);
  if (high)
    x = b.create<MinOp>(x, high);
  return {x};
}
