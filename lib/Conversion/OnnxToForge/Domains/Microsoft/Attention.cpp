//===- Attention.cpp - com.microsoft.Attention, and what attentions share -===//
//
// Everything is computed in f32: onnxruntime supports only float32 on the CPU, and its kernels for narrow types
// accumulate in float32.
//
//===----------------------------------------------------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

void microsoft::readOptions(OnnxNode &n, AttentionOperands &in) {
  in.heads = n.intAttr("num_heads");
  in.scale = n.floatAttr("scale", 0);
  in.filter = n.floatAttr("mask_filter_value", -10000);
  in.unidirectional = n.flagAttr("unidirectional", false);
  if (in.heads < 1)
    n.refuse(Code::AttributeValue, "attribute 'num_heads' must be positive, but is " + Twine(in.heads));
  if (!(in.scale >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
}

bool microsoft::checkPast(OnnxNode &n, Value past, Value fresh) {
  SmallVector<int64_t> expected(shapeOf(fresh));
  if (rankOf(past) == 4)
    expected[2] = shapeOf(past)[2];
  if (shapeOf(past) == ArrayRef(expected))
    return true;
  return n.refuse(Code::ShapeMismatch, "expected past keys or values of shape " + shapeText(expected) + ", but got " +
                                           shapeText(shapeOf(past)));
}

Value microsoft::givenBias(OnnxNode &n, ForgeBuilder &b, Value bias, RankedTensorType scores, int64_t keys) {
  ArrayRef<int64_t> shape = shapeOf(bias), of = scores.getShape();
  auto fits = [&](int64_t axis) { return shape[axis] == 1 || shape[axis] == of[axis]; };
  if (shape.size() == 4 && fits(0) && fits(1) && shape[2] == of[2] && shape[3] == keys)
    return b.cast(bias, scores.getElementType());
  return n.refuse(Code::ShapeMismatch, "expected an attention bias of (1 or batch, 1 or heads, " + Twine(of[2]) + ", " +
                                           Twine(keys) + "), but got " + shapeText(shape));
}

// The mask as an additive bias. It has a length per batch row, or says which keys are visible to a row or a query.
static Value maskBias(OnnxNode &n, ForgeBuilder &b, Value mask, RankedTensorType scores, double filter) {
  if (!n.requireIntegers(mask, "the mask"))
    return {};
  int64_t batch = scores.getDimSize(0), queries = scores.getDimSize(2), keys = scores.getDimSize(3);
  ArrayRef<int64_t> shape = shapeOf(mask);
  Value seen;
  if (shape == ArrayRef<int64_t>{batch}) {
    Value lengths = b.cast(b.reshape(mask, {batch, 1, 1, 1}), b.getI64Type());
    seen = b.compare<LessOp>(b.iota(keys, 3, 4, b.getI64Type()), lengths);
  } else if (shape == ArrayRef<int64_t>{batch, keys} || shape == ArrayRef<int64_t>{batch, queries, keys}) {
    mask = b.reshape(mask, {batch, 1, shape.size() == 2 ? 1 : queries, keys});
    seen = b.compare<GreaterOp>(mask, b.scalarLike(mask, 0));
  } else
    return n.refuse(Code::ShapeMismatch, "expected a mask of shape " + shapeText({batch}) + ", " +
                                             shapeText({batch, keys}) + " or " + shapeText({batch, queries, keys}) +
                                             ", but got " + shapeText(shape));
  return biasWhere(b, seen, scores.getElementType(), filter);
}

// The sum of the biases of all masks; null if there are none.
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const microsoft::AttentionOperands &in, RankedTensorType scores) {
  int64_t queries = scores.getDimSize(2), keys = scores.getDimSize(3), past = in.pastKey ? shapeOf(in.pastKey)[2] : 0;
  Value bias;
  if (in.mask)
    bias = maskBias(n, b, in.mask, scores, in.filter);
  if (in.unidirectional && queries > 1) {
    if (keys - past != queries)
      return n.refuse(Code::AttributeMismatch, "attribute 'unidirectional' needs as many new keys as queries, " +
                                                   Twine(queries) + ", but there are " + Twine(keys - past));
    // As in onnxruntime, the minimum of both biases, not their sum.
    AttentionWindow window;
    window.causal = true;
    Value causal = positionBias(n, b, window, scores, past, std::numeric_limits<float>::lowest());
    bias = bias ? b.create<MinOp>(bias, causal) : causal;
  }
  Value given = in.bias ? microsoft::givenBias(n, b, in.bias, scores, keys) : Value();
  return sumOfBiases(b, given, bias);
}

Values microsoft::attended(OnnxNode &n, ForgeBuilder &b, AttentionOperands in) {
  if (!in.pastKey != !in.pastValue)
    n.refuse(Code::OperandMissing, "past key and past value come together");
  if (n.failed() || !in.q || !in.k || !in.v)
    return {};
  for (auto [fresh, past] : {std::pair(&in.k, in.pastKey), std::pair(&in.v, in.pastValue)})
    if (past && !n.failed() && microsoft::checkPast(n, past, *fresh))
      *fresh = b.concatenate({b.cast(past, b.getF32Type()), *fresh}, 2);
  if (n.failed() || !in.k || !in.v)
    return {};
  if (!headsFit(in.q, in.k, in.v) || shapeOf(in.q)[1] != shapeOf(in.k)[1])
    return n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V by heads do not fit: " + shapeText(shapeOf(in.q)) +
                                             ", " + shapeText(shapeOf(in.k)) + ", " + shapeText(shapeOf(in.v)));
  double scale = in.scale == 0 ? 1 / std::sqrt(static_cast<double>(shapeOf(in.q)[3])) : in.scale;
  Value scores = scaledScores(b, in.q, in.k, scale);
  Value bias = scores ? allBiases(n, b, in, tensorType(scores)) : Value();
  if (n.failed())
    return {};
  Value weights = softmax(n, b, sumOfBiases(b, scores, bias), -1);
  return {joinHeads(b, b.matmul(weights, in.v)), in.k, in.v};
}

//===----------------------------------------------------------------------===//
// Attention: Q, K and V are projections of one operand
//===----------------------------------------------------------------------===//

// Checks the operands of Attention, and sets the missing `sizes` of Q, K and V in the columns of the weights.
static bool checkProjection(OnnxNode &n, Value x, Value weights, Value bias, Value past, SmallVector<int64_t> &sizes) {
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(weights);
  if (from.size() != 3 || to.size() != 2 || to[0] != from[2])
    return n.refuse(Code::RankWrong,
                    "expected an operand (batch, sequence, size) and weights (size, projected), but got " +
                        shapeText(from) + " and " + shapeText(to));
  int64_t total = to[1];
  if (sizes.empty())
    sizes.assign(3, total / 3);
  if (sizes.size() != 3 || llvm::any_of(sizes, [](int64_t size) { return size < 1; }) ||
      sizes[0] + sizes[1] + sizes[2] != total || (bias && shapeOf(bias) != ArrayRef(total)))
    return n.refuse(Code::AttributeMismatch, "weights, bias and attribute 'qkv_hidden_sizes' do not fit: " +
                                                 Twine(total) + " columns for " + shapeText(sizes));
  if (past && (rankOf(past) != 5 || shapeOf(past)[0] != 2))
    return n.refuse(Code::ShapeMismatch, "expected past keys and values (2, batch, heads, sequence, size), but got " +
                                             shapeText(shapeOf(past)));
  return true;
}

// Stacks keys and values as (2, batch, heads, sequence, size).
static Value present(OnnxNode &n, ForgeBuilder &b, Value keys, Value values, Type element) {
  if (shapeOf(keys) != shapeOf(values))
    return n.refuse(Code::ShapeMismatch, "present keys and values of different sizes do not fit into one output");
  SmallVector<int64_t> shape = withAxis(shapeOf(keys), 0);
  Value first = b.reshape(b.cast(keys, element), shape);
  return b.concatenate({first, b.reshape(b.cast(values, element), shape)}, 0);
}

Values forge::microsoft::convertAttention(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), bias = n.optionalInput(2), past = n.optionalInput(4);
  AttentionOperands in;
  in.mask = n.optionalInput(3);
  in.bias = n.optionalInput(5);
  readOptions(n, in);
  SmallVector<int64_t> sizes = n.intsAttr("qkv_hidden_sizes", ArrayRef<int64_t>{});
  n.ignoreAttr("rotary_embedding_dim"); // Applies with do_rotary only.
  if (n.flagAttr("do_rotary", false))
    n.refuse(Code::AttributeUnsupported, "attribute 'do_rotary' is not supported");
  if (n.flagAttr("past_present_share_buffer", false) || n.hasInput(6))
    n.refuse(Code::VariantUnsupported, "a buffer that past and present share is not supported");
  if (n.failed() || !requireFloats(n, {x, weights, bias, past, in.bias}) ||
      !checkProjection(n, x, weights, bias, past, sizes))
    return {};
  Type element = elementOf(x), f32 = b.getF32Type();
  Value projected = b.matmul(b.cast(x, f32), b.cast(weights, f32));
  if (bias)
    projected = b.create<AddOp>(projected, b.cast(bias, f32));
  Value *parts[] = {&in.q, &in.k, &in.v};
  int64_t begin = 0;
  for (auto [part, size] : llvm::zip_equal(parts, sizes)) {
    *part = splitHeads(n, b, b.slice(projected, 2, begin, begin + size), in.heads);
    begin += size;
  }
  if (past) {
    ArrayRef<int64_t> shape = shapeOf(past).drop_front();
    in.pastKey = b.reshape(b.slice(past, 0, 0, 1), shape);
    in.pastValue = b.reshape(b.slice(past, 0, 1, 2), shape);
  }
  Values results = attended(n, b, in);
  if (results.empty() || !results[0])
    return {};
  Value cache = n.usesOutput(1) ? present(n, b, results[1], results[2], element) : Value();
  return {b.cast(results[0], element), cache};
}
