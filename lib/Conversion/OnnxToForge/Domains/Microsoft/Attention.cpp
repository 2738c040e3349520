//===- Attention.cpp - Attention, MultiHeadAttention ----------------------===//
//
// Everything is computed in f32: onnxruntime supports only float32 on the CPU, and its kernels for narrow types
// accumulate in float32.
//
//===----------------------------------------------------------------------===//

#include "Microsoft.h"

#include "../../Attention/Attention.h"
#include "../../Norm/Norm.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
// Q, K and V as (batch, heads, sequence, size) in f32, and the masks and biases of the scores.
struct Operands {
  Value q, k, v, pastKey, pastValue, mask, bias;
};

struct Options {
  int64_t heads = 0;
  double scale = 0;       // 0 for the default, 1 / sqrt(head size)
  double filter = -10000; // the bias of masked keys
  bool unidirectional = false;
};

// The checked operands and attributes.
struct Projection {
  Value x, weights, bias, past, mask, scoreBias;
  Options options;
  SmallVector<int64_t> sizes; // columns of the weights for Q, K and V
};
} // namespace

static Options readOptions(OnnxNode &n) {
  Options o;
  o.heads = n.intAttr("num_heads");
  o.scale = n.floatAttr("scale", 0);
  o.filter = n.floatAttr("mask_filter_value", -10000);
  o.unidirectional = n.flagAttr("unidirectional", false);
  if (o.heads < 1)
    n.refuse(Code::AttributeValue, "attribute 'num_heads' must be positive, but is " + Twine(o.heads));
  if (!(o.scale >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
  return o;
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
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const Operands &in, const Options &o, RankedTensorType scores) {
  int64_t queries = scores.getDimSize(2), keys = scores.getDimSize(3), past = in.pastKey ? shapeOf(in.pastKey)[2] : 0;
  Value bias;
  if (in.mask)
    bias = maskBias(n, b, in.mask, scores, o.filter);
  if (o.unidirectional && queries > 1) {
    if (keys - past != queries)
      return n.refuse(Code::AttributeMismatch, "attribute 'unidirectional' needs as many new keys as queries, " +
                                                   Twine(queries) + ", but there are " + Twine(keys - past));
    // As in onnxruntime, the minimum of both biases, not their sum.
    AttentionWindow window;
    window.causal = true;
    Value causal = positionBias(n, b, window, scores, past, std::numeric_limits<float>::lowest());
    bias = bias ? b.create<MinOp>(bias, causal) : causal;
  }
  if (in.bias) {
    ArrayRef<int64_t> shape = shapeOf(in.bias);
    auto fits = [&](int64_t axis) { return shape[axis] == 1 || shape[axis] == scores.getDimSize(axis); };
    if (shape.size() != 4 || !fits(0) || !fits(1) || shape.drop_front(2) != scores.getShape().drop_front(2))
      return n.refuse(Code::ShapeMismatch, "expected an attention bias that broadcasts to " +
                                               shapeText(scores.getShape()) + " in its first two dims, " + "but got " +
                                               shapeText(shape));
    bias = sumOfBiases(b, b.cast(in.bias, scores.getElementType()), bias);
  }
  return bias;
}

// Prepends the past keys and values.
static void prependPast(OnnxNode &n, ForgeBuilder &b, Operands &in) {
  for (auto [fresh, past] : {std::pair(&in.k, in.pastKey), std::pair(&in.v, in.pastValue)}) {
    if (!past)
      continue;
    SmallVector<int64_t> expected(shapeOf(*fresh));
    if (rankOf(past) == 4)
      expected[2] = shapeOf(past)[2];
    if (shapeOf(past) != ArrayRef(expected)) {
      n.refuse(Code::ShapeMismatch, "expected past keys or values of shape " + shapeText(expected) + ", but got " +
                                        shapeText(shapeOf(past)));
      return;
    }
    *fresh = b.concatenate({b.cast(past, b.getF32Type()), *fresh}, 2);
  }
}

static void checkHeads(OnnxNode &n, const Operands &in) {
  ArrayRef<int64_t> q = shapeOf(in.q), k = shapeOf(in.k), v = shapeOf(in.v);
  if (q[3] != k[3] || q[0] != k[0] || q[0] != v[0] || k[2] != v[2] || q[1] != k[1] || q[1] != v[1] ||
      llvm::is_contained(q, 0) || llvm::is_contained(k, 0) || llvm::is_contained(v, 0))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V by heads do not fit: " + shapeText(q) + ", " +
                                      shapeText(k) + ", " + shapeText(v));
}

// Returns (batch, queries, heads * size), and the keys and values including the past ones.
static Values attend(OnnxNode &n, ForgeBuilder &b, Operands in, const Options &o) {
  if (!in.pastKey != !in.pastValue)
    n.refuse(Code::OperandMissing, "past key and past value come together");
  if (n.failed() || !in.q || !in.k || !in.v)
    return {};
  prependPast(n, b, in);
  if (n.failed() || !in.k || !in.v)
    return {};
  checkHeads(n, in);
  if (n.failed())
    return {};
  double scale = o.scale == 0 ? 1 / std::sqrt(static_cast<double>(shapeOf(in.q)[3])) : o.scale;
  Value scores = scaledScores(b, in.q, in.k, scale);
  Value bias = scores ? allBiases(n, b, in, o, tensorType(scores)) : Value();
  if (n.failed())
    return {};
  Value weights = softmax(n, b, sumOfBiases(b, scores, bias), -1);
  return {joinHeads(b, b.matmul(weights, in.v)), in.k, in.v};
}

//===----------------------------------------------------------------------===//
// Attention: Q, K and V are projections of one operand
//===----------------------------------------------------------------------===//

static void checkShapes(OnnxNode &n, Projection &p) {
  ArrayRef<int64_t> x = shapeOf(p.x), weights = shapeOf(p.weights);
  if (x.size() != 3 || weights.size() != 2 || weights[0] != x[2]) {
    n.refuse(Code::RankWrong, "expected an operand (batch, sequence, size) and weights (size, projected), but got " +
                                  shapeText(x) + " and " + shapeText(weights));
    return;
  }
  int64_t total = weights[1];
  if (p.sizes.empty())
    p.sizes.assign(3, total / 3);
  if (p.sizes.size() != 3 || llvm::any_of(p.sizes, [](int64_t size) { return size < 1; }) ||
      p.sizes[0] + p.sizes[1] + p.sizes[2] != total || (p.bias && shapeOf(p.bias) != ArrayRef<int64_t>{total})) {
    n.refuse(Code::AttributeMismatch, "weights, bias and attribute 'qkv_hidden_sizes' do not fit: " + Twine(total) +
                                          " columns for " + shapeText(p.sizes));
    return;
  }
  if (p.past && (rankOf(p.past) != 5 || shapeOf(p.past)[0] != 2))
    n.refuse(Code::ShapeMismatch,
             "expected past keys and values (2, batch, heads, sequence, size), but got " + shapeText(shapeOf(p.past)));
}

static FailureOr<Projection> readAttention(OnnxNode &n) {
  Projection p{n.input(0),         n.input(1),         n.optionalInput(2), n.optionalInput(4),
               n.optionalInput(3), n.optionalInput(5), readOptions(n),     {}};
  p.sizes = n.intsAttr("qkv_hidden_sizes", ArrayRef<int64_t>{});
  n.ignoreAttr("rotary_embedding_dim"); // Applies with do_rotary only.
  if (n.flagAttr("do_rotary", false))
    n.refuse(Code::AttributeUnsupported, "attribute 'do_rotary' is not supported");
  if (n.flagAttr("past_present_share_buffer", false) || n.hasInput(6))
    n.refuse(Code::VariantUnsupported, "a buffer that past and present share is not supported");
  if (!n.failed() && requireFloats(n, {p.x, p.weights, p.bias, p.past, p.scoreBias}))
    checkShapes(n, p);
  return n.unlessFailed(p);
}

// Projects the operand to Q, K and V, split into heads.
static Operands project(OnnxNode &n, ForgeBuilder &b, const Projection &p) {
  Type f32 = b.getF32Type();
  Value projected = b.matmul(b.cast(p.x, f32), b.cast(p.weights, f32));
  if (p.bias)
    projected = b.create<AddOp>(projected, b.cast(p.bias, f32));
  Operands in;
  in.mask = p.mask;
  in.bias = p.scoreBias;
  Value *parts[] = {&in.q, &in.k, &in.v};
  int64_t begin = 0;
  for (auto [part, size] : llvm::zip_equal(parts, p.sizes)) {
    *part = splitHeads(n, b, b.slice(projected, 2, begin, begin + size), p.options.heads);
    begin += size;
  }
  if (p.past) {
    ArrayRef<int64_t> shape = shapeOf(p.past).drop_front();
    in.pastKey = b.reshape(b.slice(p.past, 0, 0, 1), shape);
    in.pastValue = b.reshape(b.slice(p.past, 0, 1, 2), shape);
  }
  return in;
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
  FailureOr<Projection> p = readAttention(n);
  if (failed(p))
    return {};
  Type element = elementOf(p->x);
  Values attended = attend(n, b, project(n, b, *p), p->options);
  if (attended.empty() || !attended[0])
    return {};
  Value cache = n.usesOutput(1) ? present(n, b, attended[1], attended[2], element) : Value();
  return {b.cast(attended[0], element), cache};
}

//===----------------------------------------------------------------------===//
// MultiHeadAttention: the operands are projections
//===----------------------------------------------------------------------===//

// Unpacks (batch, sequence, heads, parts, size) into `parts` tensors (batch, sequence, heads * size).
static SmallVector<Value> unpacked(OnnxNode &n, ForgeBuilder &b, Value packed, int64_t heads, int64_t count) {
  SmallVector<int64_t> shape(shapeOf(packed));
  if (shape[2] != heads || shape[3] != count) {
    n.refuse(Code::ShapeMismatch, "expected packed operands (batch, sequence, " + Twine(heads) + ", " + Twine(count) +
                                      ", size), but got " + shapeText(shape));
    return SmallVector<Value>(count);
  }
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(b.reshape(b.slice(packed, 3, i, i + 1), {shape[0], shape[1], heads * shape[4]}));
  return parts;
}

// Unpacks packed Q, K and V, or packed K and V.
static void unpackOperands(OnnxNode &n, ForgeBuilder &b, Operands &in, int64_t heads) {
  auto rank = [](Value value) { return value ? rankOf(value) : 0; };
  int64_t q = rank(in.q), k = rank(in.k), v = rank(in.v);
  if (q == 5 && !in.k && !in.v) {
    SmallVector<Value> parts = unpacked(n, b, in.q, heads, 3);
    in.q = parts[0];
    in.k = parts[1];
    in.v = parts[2];
  } else if (q == 3 && k == 5 && !in.v) {
    SmallVector<Value> parts = unpacked(n, b, in.k, heads, 2);
    in.k = parts[0];
    in.v = parts[1];
  } else if (q != 3 || k != v || (k != 3 && k != 4)) {
    n.refuse(Code::VariantUnsupported, "query, key and value of ranks " + Twine(q) + ", " + Twine(k) + " and " +
                                           Twine(v) +
                                           " are not supported; 3, 3, 3 and 3, 4, 4 and packed ones (5 and 3, 5) are");
  }
}

// Splits `bias` by the sizes of Q, K and V, and adds each slice to its projection in `parts`.
static void addBias(OnnxNode &n, ForgeBuilder &b, ArrayRef<Value *> parts, Value bias, ArrayRef<int64_t> sizes) {
  int64_t total = sizes[0] + sizes[1] + sizes[2], begin = 0;
  if (shapeOf(bias) != ArrayRef<int64_t>{total}) {
    n.refuse(Code::ShapeMismatch,
             "expected a bias of " + Twine(total) + " values, but got shape " + shapeText(shapeOf(bias)));
    return;
  }
  for (auto [part, count] : llvm::zip(parts, sizes)) {
    *part = b.create<AddOp>(*part, b.slice(bias, 0, begin, begin + count));
    begin += count;
  }
}

// Converts all layouts of Q, K and V to heads: all packed, K and V packed, K and V already in heads.
static void splitOperands(OnnxNode &n, ForgeBuilder &b, Operands &in, Value bias, int64_t heads) {
  bool byHeads = in.k && rankOf(in.k) == 4;
  unpackOperands(n, b, in, heads);
  if (n.failed() || !in.q || !in.k || !in.v)
    return;
  // Keys and values in heads come from a cache and include their bias.
  SmallVector<Value *> parts{&in.q};
  if (!byHeads)
    parts.append({&in.k, &in.v});
  if (bias) {
    ArrayRef<int64_t> v = shapeOf(in.v);
    int64_t size = shapeOf(in.q)[2];
    addBias(n, b, parts, bias, {size, size, byHeads ? v[1] * v[3] : v[2]});
  }
  if (n.failed())
    return;
  for (Value *part : parts)
    *part = splitHeads(n, b, *part, heads);
}

Values forge::microsoft::convertMultiHeadAttention(OnnxNode &n, ForgeBuilder &b) {
  Operands in{n.input(0),         n.optionalInput(1), n.optionalInput(2), n.optionalInput(6),
              n.optionalInput(7), n.optionalInput(4), n.optionalInput(5)};
  Value bias = n.optionalInput(3);
  Options o = readOptions(n);
  if (n.hasInput(8) || n.hasInput(9))
    n.refuse(Code::VariantUnsupported, "a buffer that past and present share, or beams, are not supported");
  if (n.failed() || !requireFloats(n, {in.q, in.k, in.v, in.pastKey, in.pastValue, in.bias, bias}))
    return {};
  Type element = elementOf(in.q), f32 = b.getF32Type();
  for (Value *operand : {&in.q, &in.k, &in.v, &bias})
    *operand = b.cast(*operand, f32);
  splitOperands(n, b, in, bias, o.heads);
  Values results = attend(n, b, in, o);
  for (Value &result : results)
    result = b.cast(result, element);
  return results;
}
