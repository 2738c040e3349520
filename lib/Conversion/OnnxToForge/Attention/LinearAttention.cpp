//===- LinearAttention.cpp - ONNX LinearAttention -------------------------===//

#include "Attention.h"

using namespace mlir;
using namespace forge;

// The most steps that are unrolled.
static constexpr int64_t kMostSteps = 512;

namespace {
// The operands, of which past, decay and beta may be null, and the attributes.
struct LinearAttention {
  Value q, k, v, past, decay, beta;
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

// Computes the outputs of all steps from the operands as (batch, heads, sequence, size); leaves the final state in
// `state`.
static Value run(ForgeBuilder &b, const LinearAttention &a, Value &state, double scale) {
  Values outputs;
  for (int64_t t = 0, steps = shapeOf(a.k)[2]; t < steps && state; ++t) {
    Value key = columnAt(b, a.k, t), value = rowAt(b, a.v, t);
    if (a.decay)
      state = b.create<MultiplyOp>(state, b.create<ExpOp>(columnAt(b, a.decay, t)));
    if (a.beta)
      value = b.create<MultiplyOp>(rowAt(b, a.beta, t), b.create<SubtractOp>(value, b.matmul(rowAt(b, a.k, t), state)));
    // An outer product.
    state = b.create<AddOp>(state, b.create<MultiplyOp>(key, value));
    outputs.push_back(b.matmul(rowAt(b, a.q, t), repeatHeads(b, state, a.queryHeads / a.heads)));
  }
  if (!state)
    return {};
  Value all = b.concatenate(outputs, 2);
  return b.create<MultiplyOp>(all, b.scalarLike(all, scale));
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

static void checkShapes(OnnxNode &n, const LinearAttention &a, ArrayRef<int64_t> stateShape) {
  ArrayRef<int64_t> k = shapeOf(a.k);
  int64_t steps = k[2], size = k[3];
  if (shapeOf(a.q) != ArrayRef<int64_t>{k[0], a.queryHeads, steps, size} ||
      shapeOf(a.v).take_front(3) != k.take_front(3) || (a.past && shapeOf(a.past) != stateShape) || size < 1 ||
      (a.beta && shapeOf(a.beta)[3] != 1) || (a.decay && shapeOf(a.decay)[3] != 1 && shapeOf(a.decay)[3] != size))
    n.refuse(Code::ShapeMismatch, "the shapes of the operands do not fit");
  if (steps < 1 || steps > kMostSteps)
    n.refuse(Code::TooMuchToUnroll, "unrolling " + Twine(steps) + " steps is not supported");
}

// LinearAttention (since 27), unrolled over the sequence, in f32 throughout.
Values forge::convertLinearAttention(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<LinearAttention> read = readLinearAttention(n);
  if (failed(read))
    return {};
  LinearAttention a = *read;
  Type f32 = b.getF32Type(), element = elementOf(a.q);
  auto split = [&](Value x, int64_t count) { return b.cast(splitHeads(n, b, x, count), f32); };
  a.q = split(a.q, a.queryHeads);
  a.k = split(a.k, a.heads);
  a.v = split(a.v, a.heads);
  // Decay and rate are per key, per head, or one for all heads.
  a.decay = split(a.decay, a.heads);
  if (a.beta)
    a.beta = split(a.beta, rankOf(a.beta) == 3 && shapeOf(a.beta)[2] == 1 ? 1 : a.heads);
  if (n.failed() || !a.q || !a.k || !a.v)
    return {};
  int64_t size = shapeOf(a.k)[3];
  SmallVector<int64_t> stateShape{shapeOf(a.k)[0], a.heads, size, shapeOf(a.v)[3]};
  checkShapes(n, a, stateShape);
  if (n.failed())
    return {};
  Value state = a.past ? b.cast(a.past, f32) : b.splat(RankedTensorType::get(stateShape, f32), 0);
  Value output = run(b, a, state, a.scale == 0 ? 1 / std::sqrt(static_cast<double>(size)) : a.scale);
  return {b.cast(joinHeads(b, output), element), b.cast(state, a.past ? elementOf(a.past) : element)};
}
