//===- GroupNorm.cpp - GroupNorm and SkipGroupNorm ------------------------===//

#include "Microsoft.h"

#include "../../Norm/Norm.h"

using namespace mlir;
using namespace forge;

namespace {
// The checked operands and attributes of GroupNorm or SkipGroupNorm.
struct GroupNorm {
  Value x, gamma, beta, skip, bias;
  double epsilon;
  int64_t groups, activation;
  bool channelsLast;

  int64_t channelAxis() const { return channelsLast ? 3 : 1; }
  int64_t channels() const { return shapeOf(x)[channelAxis()]; }
};
} // namespace

template <bool Skips>
static FailureOr<GroupNorm> readGroupNorm(OnnxNode &n) {
  GroupNorm g{n.input(0),
              n.input(1),
              n.input(2),
              Skips ? n.input(3) : Value(),
              Skips ? n.optionalInput(4) : Value(),
              n.floatAttr("epsilon", 1e-5),
              n.intAttr("groups"),
              n.intAttr("activation"),
              n.flagAttr("channels_last", true)};
  if (g.activation != 0 && g.activation != 1)
    n.refuse(Code::AttributeValue, "attribute 'activation' must be 0 or 1, but is " + Twine(g.activation));
  if (n.failed() || !requireFloats(n, {g.x, g.gamma, g.beta, g.skip, g.bias}))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(g.x);
  if (shape.size() != 4 || llvm::is_contained(shape, 0) || g.groups < 1 || g.channels() % g.groups != 0)
    return n.refuse(Code::DoesNotDivide,
                    "expected an operand of rank 4 whose channels attribute 'groups' divides, but got " +
                        shapeText(shape));
  auto fits = [&](Value value) { return !value || shapeOf(value) == ArrayRef<int64_t>{g.channels()}; };
  if (!fits(g.gamma) || !fits(g.beta) || !fits(g.bias))
    return n.refuse(Code::ShapeMismatch, "expected gamma, beta and bias of " + Twine(g.channels()) + " values");
  return g;
}

// Reshapes a per-channel value so that it broadcasts to the operand.
static Value perChannel(ForgeBuilder &b, const GroupNorm &g, Value value) {
  return b.reshape(value, sizesAlong(4, g.channelAxis(), g.channels()));
}

// x + skip + bias; skip has the shape of x or (batch, channels).
static Value withSkip(OnnxNode &n, ForgeBuilder &b, const GroupNorm &g) {
  ArrayRef<int64_t> shape = shapeOf(g.x);
  SmallVector<int64_t> perBatch = withSize(sizesAlong(4, g.channelAxis(), g.channels()), 0, shape[0]);
  Value skip = g.skip;
  if (shapeOf(skip) == ArrayRef<int64_t>{shape[0], g.channels()})
    skip = b.reshape(skip, perBatch);
  if (shapeOf(skip) != shape && shapeOf(skip) != ArrayRef(perBatch))
    return n.refuse(Code::ShapeMismatch, "skip does not fit an operand of shape " + shapeText(shape));
  Value sum = b.create<AddOp>(g.x, skip);
  return g.bias ? b.create<AddOp>(sum, perChannel(b, g, g.bias)) : sum;
}

// (x - mean) / deviation of each group, in f32 and in the shape of the operand.
static Value normalisedGroups(ForgeBuilder &b, const GroupNorm &g, Value x) {
  // The statistics are computed with channels first.
  x = b.cast(x, b.getF32Type());
  Value front = g.channelsLast ? b.transpose(x, {0, 3, 1, 2}) : x;
  if (!front)
    return {};
  SmallVector<int64_t> planes(shapeOf(front));
  Moments m = moments(b, b.reshape(front, {planes[0], g.groups, planes[1] / g.groups * planes[2] * planes[3]}), {2});
  Value normal = b.reshape(b.create<DivideOp>(m.centred, deviation(b, m.variance, g.epsilon)), planes);
  return g.channelsLast ? b.transpose(normal, {0, 2, 3, 1}) : normal;
}

// GroupNorm, SkipGroupNorm: group normalisation in f32, followed by SiLU if attribute 'activation' is 1. SkipGroupNorm
// adds skip and bias first.
template <bool Skips>
static Values groupNorm(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<GroupNorm> g = readGroupNorm<Skips>(n);
  if (failed(g))
    return {};
  Value x = Skips ? withSkip(n, b, *g) : g->x;
  if (n.failed())
    return {};
  Type element = elementOf(g->x), f32 = b.getF32Type();
  Value normal = normalisedGroups(b, *g, x);
  Value beta = b.cast(perChannel(b, *g, g->beta), f32), gamma = b.cast(perChannel(b, *g, g->gamma), f32);
  normal = b.create<AddOp>(b.create<MultiplyOp>(normal, gamma), beta);
  if (g->activation == 1)
    normal = b.create<MultiplyOp>(normal, b.create<SigmoidOp>(normal));
  return {b.cast(normal, element), Skips ? x : Value()};
}

Values forge::microsoft::convertGroupNorm(OnnxNode &n, ForgeBuilder &b) { return groupNorm<false>(n, b); }
Values forge::microsoft::convertSkipGroupNorm(OnnxNode &n, ForgeBuilder &b) { return groupNorm<true>(n, b); }
