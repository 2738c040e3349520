//===- LinearAttention.cpp - ONNX LinearAttention -------------------------===//

#include "Attention.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The most steps that are unrolled.
static constexpr int64_t kMostSteps = 512;

namespace {
// Operands as (batch, heads, sequence, size) in f32.
struct Recurrence {
  Value q, k, v, decay, beta, state;
  double scale = 1;
  int64_t repeats = 1;
};

// Operands and attributes; shapes are not checked yet.
struct LinearAttention {
  Value query, key, value, past, decay, beta;
  int64_t queryHeads = 0, heads = 0;
  double scale = 0; // 0 for the default, 1 / sqrt(head size)
};
} // namespace

// Position `t` of (batch, heads, sequence, size), as (batch, heads, 1, size) or transposed.
static Value rowAt(ForgeBuilder &b, Value x, int64_t t) { return b.slice(x, 2, t, t + 1); }
static Value columnAt(ForgeBuilder &b, Value x, int64_t t) {
  Value row = rowAt(b, x, t);
  return row ? b.reshape(row, {shapeOf(row)[0], shapeOf(row)[1], shapeOf(row)[3], 1}) : Value();
}

// Computes the outputs; leaves the final state in `r`.
static Value run(ForgeBuilder &b, Recurrence &r, int64_t steps) {
  Values outputs;
  for (int64_t t = 0; t < steps && r.state; ++t) {
    Value key = columnAt(b, r.k, t), value = rowAt(b, r.v, t);
    if (r.decay)
      r.state = b.create<MultiplyOp>(r.state, b.create<ExpOp>(columnAt(b, r.decay, t)));
    if (r.beta)
      value =
          b.create<MultiplyOp>(rowAt(b, r.beta, t), b.create<SubtractOp>(value, b.matmul(rowAt(b, r.k, t), r.state)));
    // An outer product.
    r.state = b.create<AddOp>(r.state, b.create<MultiplyOp>(key, value));
    outputs.push_back(b.matmul(rowAt(b, r.q, t), repeatHeads(b, r.state, r.repeats)));
  }
  if (!r.state)
    return {};
  Value all = b.concatenate(outputs, 2);
  return b.create<MultiplyOp>(all, b.scalarLike(all, r.scale));
}

static FailureOr<LinearAttention> readLinearAttention(OnnxNode &n) {
  LinearAttention a{n.input(0), n.input(1), n.input(2), n.optionalInput(3), n.optionalInput(4), n.optionalInput(5)};
  a.queryHeads = n.intAttr("q_num_heads");
  a.heads = n.intAttr("kv_num_heads");
  a.scale = n.floatAttr("scale", 0);
  StringRef rule = n.choiceAttr("update_rule", {"gated_delta", "gated", "delta", "linear"});
  n.ignoreAttr("chunk_size"); // A hint for tiling.
  if (n.failed())
    return failure();
  bool gated = rule == "gated" || rule == "gated_delta", corrects = rule == "delta" || rule == "gated_delta";
  if (gated != static_cast<bool>(a.decay) || corrects != static_cast<bool>(a.beta))
    n.refuse(Code::AttributeMismatch, "attribute 'update_rule' does not fit the operands 'decay' and 'beta'");
  if (a.queryHeads < 1 || a.heads < 1 || a.queryHeads % a.heads != 0)
    n.refuse(Code::DoesNotDivide, "attribute 'q_num_heads' must be a multiple of 'kv_num_heads'");
  return n.unlessFailed(a);
}

// The operands in f32, split into heads; the state is not set.
static Recurrence splitOperands(OnnxNode &n, ForgeBuilder &b, const LinearAttention &a) {
  auto split = [&](Value x, int64_t count) { return b.cast(splitHeads(n, b, x, count), b.getF32Type()); };
  Recurrence r;
  r.q = split(a.query, a.queryHeads);
  r.k = split(a.key, a.heads);
  r.v = split(a.value, a.heads);
  // Decay and rate are per key, per head, or one for all heads.
  if (a.decay)
    r.decay = split(a.decay, a.heads);
  if (a.beta)
    r.beta = split(a.beta, rankOf(a.beta) == 3 && shapeOf(a.beta)[2] == 1 ? 1 : a.heads);
  r.repeats = a.queryHeads / a.heads;
  return r;
}

static void checkShapes(OnnxNode &n, const LinearAttention &a, const Recurrence &r, ArrayRef<int64_t> stateShape) {
  ArrayRef<int64_t> k = shapeOf(r.k);
  int64_t steps = k[2], size = k[3];
  if (shapeOf(r.q) != ArrayRef<int64_t>{k[0], a.queryHeads, steps, size} ||
      shapeOf(r.v).take_front(3) != k.take_front(3) || (a.past && shapeOf(a.past) != stateShape) || size < 1 ||
      (r.beta && shapeOf(r.beta)[3] != 1) || (r.decay && shapeOf(r.decay)[3] != 1 && shapeOf(r.decay)[3] != size))
    n.refuse(Code::ShapeMismatch, "the shapes of the operands do not fit");
  if (steps < 1 || steps > kMostSteps)
    n.refuse(Code::TooMuchToUnroll, "unrolling " + Twine(steps) + " steps is not supported");
}

// LinearAttention (since 27), unrolled over the sequence, in f32 throughout.
Values forge::convertLinearAttention(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<LinearAttention> a = readLinearAttention(n);
  if (failed(a))
    return {};
  Recurrence r = splitOperands(n, b, *a);
  if (n.failed() || !r.q || !r.k || !r.v)
    return {};
  int64_t size = shapeOf(r.k)[3];
  SmallVector<int64_t> stateShape{shapeOf(r.k)[0], a->heads, size, shapeOf(r.v)[3]};
  checkShapes(n, *a, r, stateShape);
  if (n.failed())
    return {};
  Type f32 = b.getF32Type(), element = elementOf(a->query);
  r.state = a->past ? b.cast(a->past, f32) : b.splat(RankedTensorType::get(stateShape, f32), 0);
  r.scale = a->scale == 0 ? 1 / std::sqrt(static_cast<double>(size)) : a->scale;
  Value output = run(b, r, shapeOf(r.k)[2]);
  return {b.cast(joinHeads(b, output), element), b.cast(r.state, a->past ? elementOf(a->past) : element)};
}
