//===- Attention.cpp - ONNX attention -------------------------------------===//

#include "Attention.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

namespace {
// The operands and attributes; those that are absent are null or have their default.
struct Attention {
  Value q, k, v, mask, pastKey, pastValue, lengths;
  int64_t queryHeads = 0, keyHeads = 0; // for operands of rank 3
  std::optional<double> scale = {};     // default: 1 / sqrt(head size)
  double softcap = 0;
  AttentionWindow window = {};
  int64_t mode = 0;
  Type softmaxType = {}; // null for the type of the operands

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
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const Attention &in, RankedTensorType scores) {
  const AttentionWindow &window = in.window;
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
static Values attend(OnnxNode &n, ForgeBuilder &b, const Attention &in) {
  Type element = elementOf(in.q);
  int64_t repeats = shapeOf(in.q)[1] / shapeOf(in.k)[1];
  Value k = repeatHeads(b, in.k, repeats), v = repeatHeads(b, in.v, repeats);
  Value scores = scaledScores(b, in.q, k, in.scaleFor(shapeOf(in.q)[3])), capped = softcapped(b, scores, in.softcap);
  if (!capped)
    return {};
  Value bias = allBiases(n, b, in, tensorType(capped));
  if (n.failed())
    return {};
  Value biased = sumOfBiases(b, capped, bias);
  Value weights = softmax(n, b, b.cast(biased, in.softmaxType ? in.softmaxType : element), -1);
  weights = b.cast(zeroFullyMaskedRows(b, weights, bias), element);
  Value stages[] = {scores, capped, biased, weights};
  return {b.matmul(weights, v), stages[in.mode]};
}

static FailureOr<Attention> readAttention(OnnxNode &n) {
  Attention in{n.input(0),
               n.input(1),
               n.input(2),
               n.optionalInput(3),
               n.optionalInput(4),
               n.optionalInput(5),
               n.since() >= 24 ? n.optionalInput(6) : Value()};
  in.window.causal = n.flagAttr("is_causal", false);
  in.softcap = n.floatAttr("softcap", 0);
  in.mode = n.intAttr("qk_matmul_output_mode", 0);
  if (n.since() >= 25) {
    in.window.left = n.intAttr("left_window_size", -1);
    in.window.right = n.intAttr("right_window_size", -1);
  }
  in.softmaxType = n.floatTypeAttr("softmax_precision");
  if (in.mode < 0 || in.mode > 3)
    n.refuse(Code::AttributeValue, "attribute 'qk_matmul_output_mode' must be 0, 1, 2 or 3");
  if (in.softcap < 0 || in.window.left < -1 || in.window.right < -1)
    n.refuse(Code::AttributeValue, "attribute 'softcap' or a window size is negative");
  in.queryHeads = n.intAttr("q_num_heads", 0);
  in.keyHeads = n.intAttr("kv_num_heads", 0);
  if (n.hasAttr("scale"))
    in.scale = n.floatAttr("scale", 0);
  if (n.failed())
    return failure();
  int64_t rank = rankOf(in.q);
  if ((rank != 3 && rank != 4) || rankOf(in.k) != rank || rankOf(in.v) != rank)
    n.refuse(Code::RankWrong, "Q, K and V must have one rank, 3 or 4");
  if (!in.pastKey != !in.pastValue || (in.pastKey && in.lengths))
    n.refuse(Code::OperandMissing, "past key and past value come together, and without lengths");
  return n.unlessFailed(in);
}

// Q, K and V as (batch, heads, sequence, size), with the past keys and values prepended. Returns whether they fit.
static bool splitOperands(OnnxNode &n, ForgeBuilder &b, Attention &in) {
  if (rankOf(in.q) == 3) {
    in.q = splitHeads(n, b, in.q, in.queryHeads);
    in.k = splitHeads(n, b, in.k, in.keyHeads);
    in.v = splitHeads(n, b, in.v, in.keyHeads);
  }
  if (in.pastKey && !n.failed()) {
    if (rankOf(in.pastKey) != 4 || rankOf(in.pastValue) != 4)
      return n.refuse(Code::RankWrong, "past key and past value must have rank 4");
    in.k = b.concatenate({in.pastKey, in.k}, 2);
    in.v = b.concatenate({in.pastValue, in.v}, 2);
  }
  if (n.failed() || !in.q || !in.k || !in.v)
    return false;
  ArrayRef<int64_t> q = shapeOf(in.q);
  if (!headsFit(in.q, in.k, in.v))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V do not fit");
  else if (in.lengths && numElements(in.lengths) != q[0])
    n.refuse(Code::ShapeMismatch, "there must be one length per batch row");
  else if (!(in.scaleFor(q[3]) >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
  return !n.failed();
}

static Values convertAttention(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Attention> in = readAttention(n);
  if (failed(in))
    return {};
  bool isSplit = rankOf(in->q) == 4;
  if (!splitOperands(n, b, *in))
    return {};
  Values attended = attend(n, b, *in);
  if (attended.empty() || !attended[0])
    return {};
  return {isSplit ? attended[0] : joinHeads(b, attended[0]), in->k, in->v, attended[1]};
}

void forge::registerAttentionOps(OnnxRegistry &registry) {
  registry.add({
      {"Attention", {23, 24, 25}, convertAttention},
      {"LinearAttention", {27}, convertLinearAttention},
      {"CausalConvWithState", {27}, convertCausalConvWithState},
      {"RotaryEmbedding", {23}, convertRotaryEmbedding},
  });
  registry.add({{"FlexAttention", {1}, convertFlexAttention}}, "ai.onnx.preview");
}
