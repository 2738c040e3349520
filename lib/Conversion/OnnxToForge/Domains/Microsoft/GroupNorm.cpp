//===- GroupNorm.cpp - GroupNorm and SkipGroupNorm ------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// x + skip; skip has the shape of x or (batch, channels), with an axis of size 1 for each spatial one or without.
static Value withSkip(OnnxNode &n, ForgeBuilder &b, Value x, Value skip, int64_t channelAxis) {
  ArrayRef<int64_t> shape = shapeOf(x);
  SmallVector<int64_t> perBatch = withSize(sizesAlong(4, channelAxis, shape[channelAxis]), 0, shape[0]);
  if (shapeOf(skip) == ArrayRef<int64_t>{shape[0], shape[channelAxis]})
    skip = b.reshape(skip, perBatch);
  if (shapeOf(skip) != shape && shapeOf(skip) != ArrayRef(perBatch))
    return n.refuse(Code::ShapeMismatch, "skip does not fit an operand of shape " + shapeText(shape));
  return b.create<AddOp>(x, skip);
}

// (x - mean) / deviation of each group, in f32 and in the shape of the operand.
static Value normaliseGroups(ForgeBuilder &b, Value x, int64_t groups, double epsilon, bool channelsLast) {
  // The statistics are computed with channels first.
  x = b.cast(x, b.getF32Type());
  Value front = channelsLast ? b.transpose(x, {0, 3, 1, 2}) : x;
  if (!front)
    return {};
  SmallVector<int64_t> planes(shapeOf(front));
  Value grouped = b.reshape(front, {planes[0], groups, planes[1] / groups * planes[2] * planes[3]});
  Value normal = b.reshape(normalised(b, grouped, {2}, epsilon).result, planes);
  return channelsLast ? b.transpose(normal, {0, 2, 3, 1}) : normal;
}

// GroupNorm, SkipGroupNorm: group normalisation in f32, followed by SiLU if attribute 'activation' is 1. SkipGroupNorm
// adds skip and bias first.
Values forge::microsoft::convertGroupNorm(OnnxNode &n, ForgeBuilder &b) {
  bool skips = n.opType() == "SkipGroupNorm", channelsLast = n.flagAttr("channels_last", true);
  Value x = n.input(0), gamma = n.input(1), beta = n.input(2);
  Value skip = skips ? n.input(3) : Value(), bias = skips ? n.optionalInput(4) : Value();
  double epsilon = n.floatAttr("epsilon", 1e-5);
  int64_t groups = n.intAttr("groups"), activation = n.intAttr("activation"), channelAxis = channelsLast ? 3 : 1;
  if (activation != 0 && activation != 1)
    n.refuse(Code::AttributeValue, "attribute 'activation' must be 0 or 1, but is " + Twine(activation));
  if (n.failed() || !requireFloats(n, {x, gamma, beta, skip, bias}))
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape.size() != 4 || llvm::is_contained(shape, 0) || groups < 1 || shape[channelAxis] % groups != 0)
    return n.refuse(Code::DoesNotDivide,
                    "expected an operand of rank 4 whose channels attribute 'groups' divides, but got " +
                        shapeText(shape));
  int64_t channels = shape[channelAxis];
  auto fits = [&](Value value) { return !value || shapeOf(value) == ArrayRef(channels); };
  if (!fits(gamma) || !fits(beta) || !fits(bias))
    return n.refuse(Code::ShapeMismatch, "expected gamma, beta and bias of " + Twine(channels) + " values");
  auto perChannel = [&](Value value) { return b.reshape(value, sizesAlong(4, channelAxis, channels)); };
  Type element = elementOf(x), f32 = b.getF32Type();
  if (skips)
    x = withSkip(n, b, x, skip, channelAxis);
  if (bias)
    x = b.create<AddOp>(x, perChannel(bias));
  Value normal = normaliseGroups(b, x, groups, epsilon, channelsLast);
  beta = b.cast(perChannel(beta), f32);
  normal = scaledAndShifted(b, normal, b.cast(perChannel(gamma), f32), beta);
  if (activation == 1)
    normal = b.create<MultiplyOp>(normal, b.create<SigmoidOp>(normal));
  return {b.cast(normal, element), skips ? x : Value()};
}
