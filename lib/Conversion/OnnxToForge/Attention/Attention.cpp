//===- Attention.cpp - ONNX attention -------------------------------------===//

#include "Attention.h"

#include "../Norm/Norm.h"
#include "../RegisterAll.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// CausalConvWithState (since 27): a depthwise convolution of the concatenation of state and operand.
static Values convertCausalConv(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), bias = n.optionalInput(2), past = n.optionalInput(3);
  StringRef activation = n.stringAttr("activation", "none");
  bool swish = activation == "silu" || activation == "swish";
  if (!swish && activation != "none")
    n.refuse(Code::AttributeValue, "attribute 'activation' must be 'none', 'silu' or 'swish'");
  if (n.failed())
    return {};
  if (rankOf(x) != 3 || rankOf(weights) != 3)
    return n.refuse(Code::RankWrong, "the operand and the weights must have rank 3");
  int64_t batch = shapeOf(x)[0], channels = shapeOf(x)[1], length = shapeOf(x)[2], kernel = shapeOf(weights)[2];
  SmallVector<int64_t> stateShape{batch, channels, kernel - 1};
  if (kernel < 1 || shapeOf(weights) != ArrayRef<int64_t>{channels, 1, kernel} || numElements(x) == 0 ||
      (past && shapeOf(past) != ArrayRef(stateShape)))
    return n.refuse(Code::ShapeMismatch, "the weights or the state do not fit the operand");
  Value padded = x;
  if (kernel > 1)
    padded = b.concatenate({past ? past : b.splat(tensorType(x).clone(stateShape), 0), x}, 2);
  SmallVector<int64_t> ones{1, 1}, zeros(4, 0);
  Value result = b.create<Conv2dOp>(b.reshape(padded, {batch, channels, 1, length + kernel - 1}),
                                    b.reshape(weights, {channels, 1, 1, kernel}), OptionalOperand{bias}, ArrayRef(ones),
                                    ArrayRef(zeros), ArrayRef(ones), channels, /*channel_last=*/false);
  result = b.reshape(result, {batch, channels, length});
  if (swish) {
    Value wide = b.cast(result, b.getF32Type());
    result = b.cast(b.create<MultiplyOp>(wide, b.create<SigmoidOp>(wide)), elementOf(x));
  }
  return {result, b.slice(padded, 2, length, length + kernel - 1)};
}

static void checkFlexOperands(OnnxNode &n, ArrayRef<Value> operands) {
  Type element = elementOf(operands[0]);
  auto isWrong = [&](Value x) { return !isa<FloatType>(element) || elementOf(x) != element; };
  if (llvm::any_of(operands, isWrong))
    n.refuse(Code::OperandType, "Q, K and V must have one floating-point type");
  else if (llvm::any_of(operands, [](Value x) { return rankOf(x) != 4; }))
    n.refuse(Code::RankWrong, "Q, K and V must have rank 4");
  else if (!headsFit(operands[0], operands[1], operands[2]))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V do not fit");
}

// The factor of both Q and K: the root of the scale, which ONNX computes in float32 for every type.
static double scaleRoot(OnnxNode &n, int64_t headSize) {
  float scale = 1 / std::sqrt(static_cast<float>(headSize));
  if (n.hasAttr("scale"))
    scale = static_cast<float>(n.floatAttr("scale"));
  if (!(scale >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
  return std::sqrt(scale);
}

// The result of the subgraph in attribute `name` for `x`; `x` without a subgraph.
static Value modified(OnnxNode &n, std::optional<unsigned> subgraph, StringRef name, Value x) {
  if (!x || !subgraph)
    return x;
  auto yields = n.inlineSubgraph(*subgraph, {x});
  if (!yields)
    return {};
  if (yields->size() == 1 && yields->front() && yields->front().getType() == x.getType())
    return yields->front();
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "subgraph '" << name << "' must give one " << x.getType() << ", but gives ";
  llvm::interleaveComma(*yields, stream, [&](Value y) { y ? stream << y.getType() : stream << "nothing"; });
  return n.refuse(Code::ResultMismatch, text);
}

// ai.onnx.preview.FlexAttention (since 1): prob_mod(softmax(score_mod(scale * Q K'))) V. Scores have the type of the
// operands; everything from score_mod on has the type of the softmax.
static Values convertFlexAttention(OnnxNode &n, ForgeBuilder &b) {
  Values operands{n.input(0), n.input(1), n.input(2)};
  auto modifiers = n.subgraphs({"prob_mod", "score_mod"});
  Type type = softmaxPrecision(n, b);
  if (n.failed())
    return {};
  checkFlexOperands(n, operands);
  if (n.failed())
    return {};
  Value q = operands[0], k = operands[1], v = operands[2];
  double root = scaleRoot(n, shapeOf(q)[3]);
  if (n.failed())
    return {};
  Type element = elementOf(q);
  if (!type)
    type = element.isF64() ? element : b.getF32Type();
  int64_t repeats = shapeOf(q)[1] / shapeOf(k)[1];
  // The square of a float32 is exact in a double.
  Value scores = b.cast(scaledScores(b, q, repeatHeads(b, k, repeats), root * root), type);
  scores = modified(n, modifiers[1], "score_mod", scores);
  if (!scores)
    return {};
  Value weights = modified(n, modifiers[0], "prob_mod", softmax(n, b, scores, -1));
  if (!weights)
    return {};
  return {b.cast(b.matmul(weights, b.cast(repeatHeads(b, v, repeats), type)), element)};
}

namespace {
struct Operands {
  Value q, k, v, mask, pastKey, pastValue, lengths;
};

struct Options {
  int64_t queryHeads = 0, keyHeads = 0; // for operands of rank 3
  std::optional<double> scale;          // default: 1 / sqrt(head size)
  double softcap = 0;
  AttentionWindow window;
  int64_t mode = 0;
  Type softmaxType; // null for the type of the operands

  double scaleFor(int64_t headSize) const { return scale ? *scale : 1 / std::sqrt(static_cast<double>(headSize)); }
};
} // namespace

// The mask as an additive bias, with its last axis padded to the number of keys.
static Value maskBias(OnnxNode &n, ForgeBuilder &b, Value mask, RankedTensorType scores) {
  Type element = scores.getElementType();
  if (elementOf(mask).isInteger(1))
    mask = biasWhere(b, mask, element);
  mask = b.cast(mask, element);
  if (!mask)
    return {};
  int64_t rank = rankOf(mask), keys = scores.getDimSize(3);
  if (rank >= 1 && shapeOf(mask).back() < keys) {
    SmallVector<int64_t> missing(shapeOf(mask));
    missing.back() = keys - missing.back();
    mask = b.concatenate({mask, b.splat(tensorType(mask).clone(missing), -kInfinity)}, rank - 1);
  }
  auto fits = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(mask), scores.getShape());
  if (failed(fits) || ArrayRef(*fits) != scores.getShape())
    return n.refuse(Code::ShapeMismatch, "the mask does not fit the scores");
  return mask;
}

// The sum of the biases of all masks; null if there are none.
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const Operands &in, const AttentionWindow &window,
                       RankedTensorType scores) {
  Value bias;
  if (in.mask)
    bias = maskBias(n, b, in.mask, scores);
  if (in.lengths) {
    int64_t queries = scores.getDimSize(2);
    Value lengths = b.cast(b.reshape(in.lengths, {scores.getDimSize(0), 1, 1, 1}), b.getI64Type());
    // Query i has the position length - queries + i.
    Value positions = b.create<AddOp>(lengths, b.iota(queries, 2, 4, b.getI64Type(), -queries));
    return sumOfBiases(b, bias, lengthBias(b, window, scores, lengths, positions, /*isWithin=*/true));
  }
  if (window.causal || window.left >= 0 || window.right >= 0)
    bias = sumOfBiases(b, bias, positionBias(n, b, window, scores, in.pastKey ? shapeOf(in.pastKey)[2] : 0));
  return bias;
}

// softmax(softcap(scale * Q K') + bias) V, and the scores at the stage that `mode` selects.
static Values attend(OnnxNode &n, ForgeBuilder &b, const Operands &in, const Options &o) {
  Type element = elementOf(in.q);
  int64_t repeats = shapeOf(in.q)[1] / shapeOf(in.k)[1];
  Value k = repeatHeads(b, in.k, repeats), v = repeatHeads(b, in.v, repeats);
  Value scores = scaledScores(b, in.q, k, o.scaleFor(shapeOf(in.q)[3])), shown = scores;
  scores = softcapped(b, scores, o.softcap);
  if (!scores)
    return {};
  if (o.mode == 1)
    shown = scores;
  Value bias = allBiases(n, b, in, o.window, tensorType(scores));
  if (n.failed())
    return {};
  scores = sumOfBiases(b, scores, bias);
  if (o.mode == 2)
    shown = scores;
  Value weights = softmax(n, b, b.cast(scores, o.softmaxType ? o.softmaxType : element), -1);
  weights = b.cast(zeroFullyMaskedRows(b, weights, bias), element);
  if (o.mode == 3)
    shown = weights;
  return {b.matmul(weights, v), shown};
}

static Options readOptions(OnnxNode &n, ForgeBuilder &b) {
  Options o;
  o.window.causal = n.flagAttr("is_causal", false);
  o.softcap = n.floatAttr("softcap", 0);
  o.mode = n.intAttr("qk_matmul_output_mode", 0);
  if (n.since() >= 25) {
    o.window.left = n.intAttr("left_window_size", -1);
    o.window.right = n.intAttr("right_window_size", -1);
  }
  o.softmaxType = softmaxPrecision(n, b);
  if (o.mode < 0 || o.mode > 3)
    n.refuse(Code::AttributeValue, "attribute 'qk_matmul_output_mode' must be 0, 1, 2 or 3");
  if (o.softcap < 0 || o.window.left < -1 || o.window.right < -1)
    n.refuse(Code::AttributeValue, "attribute 'softcap' or a window size is negative");
  o.queryHeads = n.intAttr("q_num_heads", 0);
  o.keyHeads = n.intAttr("kv_num_heads", 0);
  if (n.hasAttr("scale"))
    o.scale = n.floatAttr("scale", 0);
  return o;
}

static Operands readOperands(OnnxNode &n) {
  Operands in{n.input(0), n.input(1), n.input(2), n.optionalInput(3), n.optionalInput(4), n.optionalInput(5), {}};
  if (n.since() >= 24)
    in.lengths = n.optionalInput(6);
  return in;
}

static void checkOperands(OnnxNode &n, const Operands &in) {
  int64_t rank = rankOf(in.q);
  if ((rank != 3 && rank != 4) || rankOf(in.k) != rank || rankOf(in.v) != rank)
    n.refuse(Code::RankWrong, "Q, K and V must have one rank, 3 or 4");
  if (!in.pastKey != !in.pastValue || (in.pastKey && in.lengths))
    n.refuse(Code::OperandMissing, "past key and past value come together, and without lengths");
}

// Q, K and V as (batch, heads, sequence, size), with the past keys and values prepended.
static void splitOperands(OnnxNode &n, ForgeBuilder &b, Operands &in, const Options &o) {
  if (rankOf(in.q) == 3) {
    in.q = splitHeads(n, b, in.q, o.queryHeads);
    in.k = splitHeads(n, b, in.k, o.keyHeads);
    in.v = splitHeads(n, b, in.v, o.keyHeads);
  }
  if (n.failed() || !in.pastKey)
    return;
  if (rankOf(in.pastKey) != 4 || rankOf(in.pastValue) != 4) {
    n.refuse(Code::RankWrong, "past key and past value must have rank 4");
    return;
  }
  in.k = b.concatenate({in.pastKey, in.k}, 2);
  in.v = b.concatenate({in.pastValue, in.v}, 2);
}

static void checkHeads(OnnxNode &n, const Operands &in, const Options &o) {
  ArrayRef<int64_t> q = shapeOf(in.q);
  if (!headsFit(in.q, in.k, in.v))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V do not fit");
  else if (in.lengths && numElements(in.lengths) != q[0])
    n.refuse(Code::ShapeMismatch, "there must be one length per batch row");
  else if (!(o.scaleFor(q[3]) >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
}

static Values convertAttention(OnnxNode &n, ForgeBuilder &b) {
  Operands in = readOperands(n);
  Options o = readOptions(n, b);
  if (!n.failed())
    checkOperands(n, in);
  if (n.failed())
    return {};
  int64_t rank = rankOf(in.q);
  splitOperands(n, b, in, o);
  if (n.failed() || !in.q || !in.k || !in.v)
    return {};
  checkHeads(n, in, o);
  if (n.failed())
    return {};
  Values attended = attend(n, b, in, o);
  if (attended.empty() || !attended[0])
    return {};
  Value y = rank == 3 ? joinHeads(b, attended[0]) : attended[0];
  return {y, in.k, in.v, attended[1]};
}

void forge::registerAttentionOps(OnnxRegistry &registry) {
  registry.add({
      {"Attention", {23, 24, 25}, convertAttention},
      {"LinearAttention", {27}, convertLinearAttention},
      {"CausalConvWithState", {27}, convertCausalConv},
      {"RotaryEmbedding", {23}, convertRotaryEmbedding},
  });
  registry.add({{"FlexAttention", {1}, convertFlexAttention}}, "ai.onnx.preview");
}
