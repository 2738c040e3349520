//===- GroupQueryAttention.cpp - GroupQueryAttention ----------------------===//
//
// Attention over a cache of keys and values, which each batch row may have filled to another length. Everything is
// computed in f32, as onnxruntime's kernels accumulate.
//
//===----------------------------------------------------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

namespace {
/// How far a cache (batch, heads, rows, size) is filled. The valid keys of a batch row are its past ones followed by
/// the new ones, up to the row's length.
struct CacheFill {
  int64_t total = 0;             ///< the largest length of a batch row
  int64_t rows = 0;              ///< rows of the cache with the new keys, filled or not
  std::optional<int64_t> past;   ///< past keys of every batch row, if known
  std::optional<int64_t> length; ///< length of every batch row, if known
  Value pastPerRow, lengths;     ///< (batch, 1, 1, 1) as i64; a prompt has no past
  bool prompt = false;           ///< the cache is empty
  bool shared = false;           ///< the cache is written in place; rows that are not filled are undefined
};

struct Operands {
  Value q, k, v, pastKey, pastValue, lastIndices;
  int64_t queryHeads = 0, keyHeads = 0;
  double scale = 0, softcap = 0, epsilon = 0;
  bool rotary = false, interleaved = false, smooth = false;
  AttentionWindow window = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

static std::optional<int64_t> commonValue(Value value) {
  DenseElementsAttr known = knownValue(value);
  if (!known || known.empty())
    return std::nullopt;
  SmallVector<int64_t> values = intValues(known);
  return llvm::all_equal(values) ? std::optional(values.front()) : std::nullopt;
}

// Determines how `fresh` new keys extend the cache `past` (may be null). The largest length is input 6; `lastIndices`
// are lengths minus 1.
static CacheFill readCacheFill(OnnxNode &n, ForgeBuilder &b, Value past, Value lastIndices, int64_t batch,
                               int64_t fresh) {
  CacheFill fill;
  // Set by the importer for a program that generates tokens; onnxruntime compares the addresses of its buffers.
  fill.shared = n.flagAttr("shared_buffer", false);
  fill.total = n.constantInt(6, "the total sequence length");
  if (n.failed() || !n.requireIntegers(lastIndices, "the lengths of the keys"))
    return fill;
  int64_t capacity = past ? shapeOf(past)[2] : 0;
  if (numElements(lastIndices) != batch)
    n.refuse(Code::ShapeMismatch, "expected one length per batch row, " + Twine(batch) + ", but got shape " +
                                      shapeText(shapeOf(lastIndices)));
  if (fill.total < fresh || (fill.total > capacity && fill.total != capacity + fresh))
    n.refuse(Code::ShapeMismatch, "a total sequence length of " + Twine(fill.total) + " does not fit " + Twine(fresh) +
                                      " new keys and " + Twine(capacity) + " past ones");
  if (n.failed())
    return fill;
  fill.rows = std::max(capacity, fill.total);
  fill.prompt = fill.total == fresh;
  lastIndices = b.reshape(b.cast(lastIndices, b.getI64Type()), {batch, 1, 1, 1});
  fill.lengths = b.create<AddOp>(lastIndices, b.scalarLike(lastIndices, 1));
  fill.length = commonValue(fill.lengths);
  if (fill.prompt) {
    fill.past = 0;
  } else {
    fill.pastPerRow = b.create<SubtractOp>(fill.lengths, b.scalarLike(fill.lengths, fresh));
    fill.past = commonValue(fill.pastPerRow);
  }
  if (fill.length && (*fill.length < 1 || *fill.length > fill.total || *fill.past < 0))
    n.refuse(Code::ShapeMismatch,
             "keys of length " + Twine(*fill.length) + " do not fit a total sequence length of " + Twine(fill.total));
  return fill;
}

// The cache after the new rows are written; rows that are not filled are 0.
static Value extendedCache(OnnxNode &n, ForgeBuilder &b, Value past, Value fresh, const CacheFill &fill) {
  if (!fresh)
    return {};
  SmallVector<int64_t> shape(shapeOf(fresh));
  int64_t count = shape[2];
  auto zeros = [&](int64_t rows) {
    shape[2] = rows;
    return b.splat(tensorType(fresh).clone(shape), 0);
  };
  if (fill.past) {
    Values parts{fresh};
    if (*fill.past > 0)
      parts.insert(parts.begin(), b.slice(past, 2, 0, *fill.past));
    if (int64_t missing = fill.rows - *fill.past - count)
      parts.push_back(zeros(missing));
    return b.concatenate(parts, 2);
  }
  if (fill.shared && count == 1 && shapeOf(past)[2] == fill.rows) {
    Value index = b.reshape(fill.pastPerRow, {shape[0]});
    return b.create<UpdateCacheOp>(past, fresh, b.cast(index, b.getI32Type()), 0);
  }
  if (int64_t missing = fill.rows - shapeOf(past)[2])
    past = b.concatenate({past, zeros(missing)}, 2);
  Value filled = b.compare<LessOp>(b.iota(fill.rows, 2, 4, b.getI64Type()), fill.pastPerRow);
  Value kept = b.create<WhereOp>(filled, past, b.scalarLike(past, 0));
  return overwriteRows(n, b, kept, fresh, fill.pastPerRow, 2);
}

// Positions of the new rows, (batch or 1, rows) as i64: `given`, or if that is null, those after the past rows.
static Value newPositions(OnnxNode &n, ForgeBuilder &b, Value given, const CacheFill &fill, int64_t batch,
                          int64_t fresh) {
  if (!given)
    return fill.past ? b.iota(fresh, 1, 2, b.getI64Type(), *fill.past)
                     : b.create<AddOp>(b.reshape(fill.pastPerRow, {batch, 1}), b.iota(fresh, 1, 2, b.getI64Type()));
  if (n.failed() || !n.requireIntegers(given, "the positions"))
    return {};
  if (shapeOf(given) != ArrayRef<int64_t>{batch, fresh})
    return n.refuse(Code::ShapeMismatch, "expected positions of shape " + shapeText({batch, fresh}) + ", but got " +
                                             shapeText(shapeOf(given)));
  given = b.cast(given, b.getI64Type());
  if (!fill.prompt)
    return given;
  // onnxruntime reads the first position of a prompt only and increments it.
  Value first = b.reshape(b.slice(b.slice(given, 0, 0, 1), 1, 0, 1), {1, 1});
  return b.create<AddOp>(first, b.iota(fresh, 1, 2, b.getI64Type()));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

// Reads operands and attributes. Keys and values are absent if they are packed with the queries along the last axis.
static FailureOr<Operands> readOperands(OnnxNode &n) {
  Operands in{n.input(0), n.optionalInput(1), n.optionalInput(2), n.optionalInput(3), n.optionalInput(4), n.input(5)};
  in.queryHeads = n.intAttr("num_heads");
  in.keyHeads = n.intAttr("kv_num_heads");
  in.scale = n.floatAttr("scale", 0);
  in.softcap = n.floatAttr("softcap", 0);
  in.epsilon = n.floatAttr("qk_norm_epsilon", 1e-6);
  in.rotary = n.flagAttr("do_rotary", false);
  in.interleaved = n.flagAttr("rotary_interleaved", false);
  in.smooth = n.intAttr("smooth_softmax", -1) == 1;
  in.window.causal = n.flagAttr("causal", true);
  int64_t size = n.intAttr("local_window_size", -1);
  if (size != -1 && (size < 1 || !in.window.causal))
    n.refuse(Code::AttributeMismatch,
             "attribute 'local_window_size' must be -1, or positive in causal attention, but is " + Twine(size));
  // The window includes the position of the query.
  in.window.left = size == -1 ? -1 : size - 1;
  if (in.queryHeads < 1 || in.keyHeads < 1 || in.queryHeads % in.keyHeads != 0)
    n.refuse(Code::DoesNotDivide, "expected a number of heads that 'kv_num_heads' divides, but got " +
                                      Twine(in.queryHeads) + " and " + Twine(in.keyHeads));
  if (!(in.scale >= 0) || !(in.softcap >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' or 'softcap' is negative");
  if (n.flagAttr("sliding_window_cache", false))
    n.refuse(Code::VariantUnsupported, "a cache of the size of the window is not supported");
  if (n.stringAttr("k_quant_type", "NONE") != "NONE" || n.stringAttr("v_quant_type", "NONE") != "NONE" ||
      n.hasInput(12) || n.hasInput(13))
    n.refuse(Code::VariantUnsupported, "a quantised cache is not supported");
  n.ignoreAttr("kv_cache_bit_width"); // Applies to quantised caches only.
  if (n.intAttr("qk_output", 0) != 0)
    n.refuse(Code::AttributeUnsupported, "the output of the scores (attribute 'qk_output') is not supported");
  if (!in.k != !in.v || !in.pastKey != !in.pastValue)
    n.refuse(Code::OperandMissing, "keys and values come together");
  if (n.failed() || !requireFloats(n, {in.q, in.k, in.v, in.pastKey, in.pastValue, n.optionalInput(10)}))
    return failure();
  int64_t heads = in.queryHeads + 2 * in.keyHeads;
  if (rankOf(in.q) != 3 || (in.k && shapeOf(in.k) != shapeOf(in.v)))
    n.refuse(Code::RankWrong, "expected a query of rank 3 and keys and values of one shape");
  else if (!in.k && shapeOf(in.q)[2] % heads != 0)
    n.refuse(Code::DoesNotDivide, "the packed operand does not split into " + Twine(heads) + " heads");
  return n.unlessFailed(in);
}

// Applies the rotary embedding at the positions of the new rows.
static void rotate(OnnxNode &n, ForgeBuilder &b, Value &q, Value &k, const CacheFill &fill, bool interleaved) {
  Value cosine = n.input(7), sine = n.input(8);
  if (n.failed() || !requireFloats(n, {cosine, sine}))
    return;
  ArrayRef<int64_t> shape = shapeOf(cosine);
  int64_t size = shapeOf(q)[3];
  if (shape.size() != 2 || shape != shapeOf(sine) || shape[1] < 1 || 2 * shape[1] > size || shape[0] < fill.total) {
    n.refuse(Code::ShapeMismatch, "expected caches of " + Twine(fill.total) + " or more rows of at most " +
                                      Twine(size / 2) + " values, but got " + shapeText(shape) + " and " +
                                      shapeText(shapeOf(sine)));
    return;
  }
  Value positions = newPositions(n, b, n.optionalInput(9), fill, shapeOf(q)[0], shapeOf(q)[2]);
  auto lookup = [&](Value table) {
    if (n.hasInput(9) || !fill.past)
      return takeRows(b, table, positions);
    int64_t rows = shapeOf(q)[2];
    return b.reshape(b.slice(table, 0, *fill.past, *fill.past + rows), {1, rows, shapeOf(table)[1]});
  };
  auto angles = [&](Value cache, bool isSine) {
    return rotaryAngles(b, b.cast(cache, b.getF32Type()), interleaved, isSine, lookup);
  };
  cosine = angles(cosine, /*isSine=*/false);
  sine = angles(sine, /*isSine=*/true);
  q = rotateHeads(b, q, cosine, sine, interleaved);
  k = rotateHeads(b, k, cosine, sine, interleaved);
}

// RMS normalisation of each head.
static void normalise(OnnxNode &n, ForgeBuilder &b, Value &q, Value &k, double epsilon) {
  Value weights[] = {n.optionalInput(14), n.optionalInput(15)};
  if (!weights[0] != !weights[1])
    n.refuse(Code::OperandMissing, "norms of queries and keys come together");
  if (n.failed() || !weights[0] || !requireFloats(n, weights))
    return;
  for (auto [x, weight] : {std::pair(&q, weights[0]), std::pair(&k, weights[1])}) {
    if (shapeOf(weight) != shapeOf(*x).take_back(1)) {
      n.refuse(Code::ShapeMismatch, "the norm of queries or keys does not fit the heads");
      return;
    }
    *x = b.create<MultiplyOp>(rmsNormalised(b, *x, {3}, epsilon).result, b.cast(weight, b.getF32Type()));
  }
}

// The additive bias of the scores; null if every query sees every key.
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const CacheFill &fill, AttentionWindow window,
                       RankedTensorType scores) {
  int64_t fresh = scores.getDimSize(2);
  Value bias;
  if (fill.past && fill.length) {
    window.end = *fill.length;
    // A single query after all keys, or queries that are not causal, need no bias.
    if (window.left >= 0 || *fill.length < fill.rows || (window.causal && fresh > 1))
      bias = positionBias(n, b, window, scores, *fill.past);
  } else {
    Value positions = b.iota(fresh, 2, 4, b.getI64Type());
    if (!fill.prompt)
      positions = b.create<AddOp>(fill.pastPerRow, positions);
    bias = lengthBias(b, window, scores, fill.lengths, positions, /*isWithin=*/!fill.prompt);
  }
  Value given = n.optionalInput(10);
  if (!given || n.failed())
    return bias;
  given = microsoft::givenBias(n, b, given, scores, fill.total);
  return sumOfBiases(b, b.pad(given, {0, 0, 0, 0}, {0, 0, 0, fill.rows - fill.total}, 0), bias);
}

// softmax(scores + bias). A sink per head is added to the denominator but has no value. `seesItself`: no row is fully
// masked.
static Value weigh(OnnxNode &n, ForgeBuilder &b, Value scores, Value bias, bool smooth, bool seesItself) {
  Value sink = n.optionalInput(11);
  if (n.failed() || !requireFloats(n, {sink}))
    return {};
  SmallVector<int64_t> column(shapeOf(scores));
  int64_t keys = std::exchange(column[3], 1), heads = column[1];
  if (sink && shapeOf(sink) != ArrayRef<int64_t>{heads})
    return n.refuse(Code::ShapeMismatch,
                    "expected one sink per head, " + Twine(heads) + ", but got shape " + shapeText(shapeOf(sink)));
  scores = sumOfBiases(b, scores, bias);
  if (!sink && !smooth)
    return zeroFullyMaskedRows(b, softmax(n, b, scores, -1), seesItself ? Value() : bias);
  if (sink)
    sink = b.expand(b.reshape(b.cast(sink, b.getF32Type()), {1, heads, 1, 1}), column);
  else
    sink = b.splat(tensorType(scores).clone(column), 0);
  return b.slice(softmax(n, b, b.concatenate({scores, sink}, 3), -1), 3, 0, keys);
}

// Splits queries, keys and values into (batch, heads, sequence, size) in f32.
static void splitOperands(OnnxNode &n, ForgeBuilder &b, Operands &in) {
  for (Value *operand : {&in.q, &in.k, &in.v, &in.pastKey, &in.pastValue})
    *operand = b.cast(*operand, b.getF32Type());
  if (!in.k && in.q) {
    int64_t size = shapeOf(in.q)[2] / (in.queryHeads + 2 * in.keyHeads), keys = in.keyHeads * size;
    int64_t begin = in.queryHeads * size;
    in.k = b.slice(in.q, 2, begin, begin + keys);
    in.v = b.slice(in.q, 2, begin + keys, begin + 2 * keys);
    in.q = b.slice(in.q, 2, 0, begin);
  }
  in.q = splitHeads(n, b, in.q, in.queryHeads);
  in.k = splitHeads(n, b, in.k, in.keyHeads);
  in.v = splitHeads(n, b, in.v, in.keyHeads);
}

static bool checkHeads(OnnxNode &n, const Operands &in) {
  ArrayRef<int64_t> q = shapeOf(in.q), k = shapeOf(in.k);
  if (k[0] != q[0] || k[2] != q[2] || k[3] != q[3] || llvm::is_contained(k, 0))
    return n.refuse(Code::ShapeMismatch,
                    "the shapes of queries and keys by heads do not fit: " + shapeText(q) + ", " + shapeText(k));
  if (in.pastKey && microsoft::checkPast(n, in.pastKey, in.k) && shapeOf(in.pastValue) != shapeOf(in.pastKey))
    n.refuse(Code::ShapeMismatch, "expected past keys and values of one shape, but got " +
                                      shapeText(shapeOf(in.pastKey)) + " and " + shapeText(shapeOf(in.pastValue)));
  return !n.failed();
}

// The result, split into heads; `keys` and `values` are the caches including the new rows.
static Value attend(OnnxNode &n, ForgeBuilder &b, const Operands &in, Value keys, Value values, const CacheFill &fill) {
  int64_t repeats = in.queryHeads / in.keyHeads;
  double scale = in.scale == 0 ? 1 / std::sqrt(static_cast<double>(shapeOf(in.q)[3])) : in.scale;
  Value scores = softcapped(b, scaledScores(b, in.q, repeatHeads(b, keys, repeats), scale), in.softcap);
  if (n.failed() || !scores)
    return {};
  Value bias = allBiases(n, b, fill, in.window, tensorType(scores));
  // In a program that generates tokens the cache contains the new key at the position of its query.
  bool seesItself = fill.shared && in.window.causal && !n.hasInput(10);
  Value weights = n.failed() ? Value() : weigh(n, b, scores, bias, in.smooth, seesItself);
  return b.matmul(weights, repeatHeads(b, values, repeats));
}

Values forge::microsoft::convertGroupQueryAttention(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Operands> read = readOperands(n);
  if (failed(read))
    return {};
  Operands in = *read;
  Type element = elementOf(in.q);
  splitOperands(n, b, in);
  if (n.failed() || !in.q || !in.k || !in.v || !checkHeads(n, in))
    return {};
  CacheFill fill = readCacheFill(n, b, in.pastKey, in.lastIndices, shapeOf(in.q)[0], shapeOf(in.q)[2]);
  if (!n.failed())
    normalise(n, b, in.q, in.k, in.epsilon);
  if (in.rotary && !n.failed())
    rotate(n, b, in.q, in.k, fill, in.interleaved);
  if (n.failed())
    return {};
  Value keys = extendedCache(n, b, in.pastKey, in.k, fill), values = extendedCache(n, b, in.pastValue, in.v, fill);
  Value result = joinHeads(b, attend(n, b, in, keys, values, fill));
  return {b.cast(result, element), b.cast(keys, element), b.cast(values, element)};
}
