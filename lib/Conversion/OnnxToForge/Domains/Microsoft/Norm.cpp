//===- Norm.cpp - norms with a residual or an embedding -------------------===//

#include "Microsoft.h"

#include "../../Attention/Attention.h"
#include "../../Indexing/Indexing.h"
#include "../../Norm/Norm.h"

using namespace mlir;
using namespace forge;

namespace {
// The outputs of a norm over the trailing axis, in f32.
struct Normal {
  Value result, mean, inverseRoot;
};

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

// Whether gamma and beta (may be null) have one value per element of the trailing axis.
static bool checkParameters(OnnxNode &n, Value x, Value gamma, Value beta) {
  ArrayRef<int64_t> shape = shapeOf(x);
  if (!shape.empty() && !llvm::is_contained(shape, 0) && shapeOf(gamma) == shape.take_back(1) &&
      (!beta || shapeOf(beta) == shape.take_back(1)))
    return true;
  return n.refuse(Code::ShapeMismatch, "gamma or beta does not fit an operand of shape " + shapeText(shape));
}

// `simplified`: an RMS norm, without mean and beta.
static Normal normalised(ForgeBuilder &b, Value x, Value gamma, Value beta, double epsilon, bool simplified) {
  if (!x)
    return {};
  Type wide = b.getF32Type();
  int64_t last = rankOf(x) - 1;
  Normal out;
  Value root;
  x = b.cast(x, wide);
  if (simplified) {
    root = deviation(b, b.reduce<ReduceAvgOp>(b.create<MultiplyOp>(x, x), {last}, /*keepDims=*/true), epsilon);
    out.result = b.create<DivideOp>(x, root);
  } else {
    Moments m = moments(b, x, {last});
    root = deviation(b, m.variance, epsilon);
    out.result = b.create<DivideOp>(m.centred, root);
    out.mean = m.mean;
  }
  out.result = b.create<MultiplyOp>(out.result, b.cast(gamma, wide));
  if (beta)
    out.result = b.create<AddOp>(out.result, b.cast(beta, wide));
  out.inverseRoot = b.create<DivideOp>(b.scalarLike(root, 1), root);
  return out;
}

// SkipLayerNormalization, SkipSimplifiedLayerNormalization: a norm of input + skip (+ bias).
template <bool Simplified>
static Values skipNorm(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), skip = n.input(1), gamma = n.input(2);
  Value beta = Simplified ? Value() : n.optionalInput(3), bias = n.optionalInput(Simplified ? 3 : 4);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  if (n.failed() || !requireFloats(n, {x, skip, gamma, beta, bias}) || !checkParameters(n, x, gamma, beta))
    return {};
  Type element = elementOf(x);
  // Skip may have one batch row that is broadcast.
  bool fits = rankOf(skip) >= 2 && shapeOf(skip).take_back(2) == shapeOf(x).take_back(2);
  Value sum = fits ? b.create<AddOp>(x, skip) : Value();
  if (sum && bias)
    sum = b.create<AddOp>(sum, bias);
  if (!sum || shapeOf(sum) != shapeOf(x))
    return n.refuse(Code::ShapeMismatch, "skip or bias does not fit an operand of shape " + shapeText(shapeOf(x)));
  Normal out = normalised(b, sum, gamma, beta, epsilon, Simplified);
  return {b.cast(out.result, element), out.mean, out.inverseRoot, sum};
}

// EmbedLayerNormalization: a norm of the sum of word, position and segment embeddings.
static Values convertEmbedLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value ids = n.input(0), segments = n.optionalInput(1), words = n.input(2), positionTable = n.input(3),
        segmentTable = n.optionalInput(4), gamma = n.input(5), beta = n.input(6), mask = n.optionalInput(7),
        positions = n.optionalInput(8);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  n.ignoreAttr("mask_index_type"); // onnxruntime ignores it too.
  if (n.failed() || !requireFloats(n, {words, positionTable, segmentTable, gamma, beta}))
    return {};
  for (Value value : {ids, segments, mask, positions})
    n.requireIntegers(value, "ids, positions and masks");
  if (n.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(ids);
  auto hasShape = [&](Value value) { return !value || shapeOf(value) == shape; };
  auto isTable = [&](Value value) {
    return !value || (rankOf(value) == 2 && shapeOf(value)[1] == shapeOf(gamma).back());
  };
  if (shape.size() != 2 || llvm::is_contained(shape, 0) || !hasShape(segments) || !hasShape(mask) ||
      (positions && shapeOf(positions) != ArrayRef<int64_t>{1, shape[1]} && !hasShape(positions)))
    n.refuse(Code::ShapeMismatch, "expected ids, segments, mask and positions of one shape (batch, sequence)");
  else if (rankOf(gamma) != 1 || !isTable(words) || !isTable(positionTable) || !isTable(segmentTable))
    n.refuse(Code::ShapeMismatch, "expected tables with rows of the size of gamma");
  else if (!segments != !segmentTable)
    n.refuse(Code::OperandMissing, "segments and their embedding come together");
  else if (!positions && shapeOf(positionTable)[0] < shape[1])
    n.refuse(Code::ShapeMismatch, "a table of " + Twine(shapeOf(positionTable)[0]) +
                                      " positions is too short for a sequence of " + Twine(shape[1]));
  if (n.failed())
    return {};
  Value positionRows = positions ? takeRows(b, positionTable, positions) : b.slice(positionTable, 0, 0, shape[1]);
  Value sum = b.create<AddOp>(takeRows(b, words, ids), positionRows);
  if (segments)
    sum = b.create<AddOp>(sum, takeRows(b, segmentTable, segments));
  if (!sum || !checkParameters(n, sum, gamma, beta))
    return {};
  Normal out = normalised(b, sum, gamma, beta, epsilon, /*simplified=*/false);
  // The number of unmasked keys of each row.
  Value lengths;
  if (mask && n.usesOutput(1)) {
    Value ones = b.cast(b.create<EqualOp>(mask, b.scalarLike(mask, 1)), b.getF32Type());
    lengths = b.cast(b.reduce<ReduceSumOp>(ones, {1}, /*keepDims=*/false), b.getI32Type());
  } else {
    lengths = b.splat(RankedTensorType::get({shape[0]}, b.getI32Type()), 0);
  }
  return {b.cast(out.result, elementOf(words)), lengths, sum};
}

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

void forge::microsoft::registerNorms(OnnxRegistry &registry) {
  registry.add(
      {
          {"SkipLayerNormalization", {1}, skipNorm<false>},
          {"SkipSimplifiedLayerNormalization", {1}, skipNorm<true>},
          {"EmbedLayerNormalization", {1}, convertEmbedLayerNormalization},
          {"GroupNorm", {1}, groupNorm<false>},
          {"SkipGroupNorm", {1}, groupNorm<true>},
      },
      kMicrosoft);
}
