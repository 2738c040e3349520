//===- LinearAttention.cpp - ONNX LinearAttention -------------------------===//

#include "Attention.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Steps that are unrolled.
static constexpr int64_t kMostSteps = 512;

namespace {
// Operands of a linear attention, (batch, heads, sequence, size) in f32.
struct Recurrence {
  Value q, k, v, decay, beta, state;
  double scale = 1;
  int64_t repeats = 1;
};
} // namespace

// Position `t` of (batch, heads, sequence, size), as (batch, heads, 1, size) or its transpose.
static Value rowAt(ForgeBuilder &b, Value x, int64_t t) { return b.slice(x, 2, t, t + 1); }
static Value columnAt(ForgeBuilder &b, Value x, int64_t t) {
  Value row = rowAt(b, x, t);
  return row ? b.reshape(row, {shapeOf(row)[0], shapeOf(row)[1], shapeOf(row)[3], 1}) : Value();
}

// Runs the recurrence; the state is left in `r`.
static Value run(ForgeBuilder &b, Recurrence &r, int64_t steps) {
  Values outputs;
  auto product = [&](Value x, Value y) { return b.create<MatmulOp>(x, y, OptionalOperand()); };
  for (int64_t t = 0; t < steps && r.state; ++t) {
    Value key = columnAt(b, r.k, t), value = rowAt(b, r.v, t);
    if (r.decay)
      r.state = b.create<MultiplyOp>(r.state, b.create<ExpOp>(columnAt(b, r.decay, t)));
    if (r.beta)
      value =
          b.create<MultiplyOp>(rowAt(b, r.beta, t), b.create<SubtractOp>(value, product(rowAt(b, r.k, t), r.state)));
    // An outer product.
    r.state = b.create<AddOp>(r.state, b.create<MultiplyOp>(key, value));
    outputs.push_back(product(rowAt(b, r.q, t), repeatHeads(b, r.state, r.repeats)));
  }
  if (!r.state)
    return {};
  Value all = b.concatenate(outputs, 2);
  return b.create<MultiplyOp>(all, b.scalarLike(all, r.scale));
}

// LinearAttention (since 27), unrolled over the sequence, in f32 throughout.
Values forge::convertLinearAttention(OnnxNode &n, ForgeBuilder &b) {
  Value query = n.input(0), key = n.input(1), value = n.input(2), past = n.optionalInput(3);
  Value decay = n.optionalInput(4), beta = n.optionalInput(5);
  int64_t queryHeads = n.intAttr("q_num_heads"), heads = n.intAttr("kv_num_heads");
  double scale = n.floatAttr("scale", 0);
  StringRef rule = n.stringAttr("update_rule", "gated_delta");
  n.ignoreAttr("chunk_size"); // Only how an implementation cuts its work.
  if (n.failed())
    return {};
  bool gated = rule == "gated" || rule == "gated_delta", corrects = rule == "delta" || rule == "gated_delta";
  if (!gated && !corrects && rule != "linear")
    n.refuse(Code::AttributeValue, "attribute 'update_rule' is unknown");
  if (gated != static_cast<bool>(decay) || corrects != static_cast<bool>(beta))
    n.refuse(Code::AttributeMismatch, "attribute 'update_rule' does not fit the operands 'decay' and 'beta'");
  if (queryHeads < 1 || heads < 1 || queryHeads % heads != 0)
    n.refuse(Code::DoesNotDivide, "attribute 'q_num_heads' must be a multiple of 'kv_num_heads'");
  if (n.failed())
    return {};
  Type f32 = b.getBuilder().getF32Type(), element = tensorType(query).getElementType();
  Type stateType = past ? tensorType(past).getElementType() : element;
  auto split = [&](Value x, int64_t count) { return b.cast(splitHeads(n, b, x, count), f32); };
  Recurrence r;
  r.q = split(query, queryHeads);
  r.k = split(key, heads);
  r.v = split(value, heads);
  // One decay or rate per head, per key, or for all heads.
  if (decay)
    r.decay = split(decay, heads);
  if (beta)
    r.beta = split(beta, tensorType(beta).getRank() == 3 && shapeOf(beta)[2] == 1 ? 1 : heads);
  if (n.failed() || !r.q || !r.k || !r.v)
    return {};
  ArrayRef<int64_t> k = shapeOf(r.k);
  int64_t batch = k[0], steps = k[2], size = k[3];
  SmallVector<int64_t> stateShape{batch, heads, size, shapeOf(r.v)[3]};
  if (shapeOf(r.q) != ArrayRef<int64_t>{batch, queryHeads, steps, size} ||
      shapeOf(r.v).take_front(3) != k.take_front(3) || (past && shapeOf(past) != ArrayRef(stateShape)) || size < 1 ||
      (r.beta && shapeOf(r.beta)[3] != 1) || (r.decay && shapeOf(r.decay)[3] != 1 && shapeOf(r.decay)[3] != size))
    n.refuse(Code::ShapeMismatch, "the shapes of the operands do not fit");
  if (steps < 1 || steps > kMostSteps)
    n.refuse(Code::TooMuchToUnroll, "unrolling " + Twine(steps) + " steps is not supported");
  if (n.failed())
    return {};
  r.state = past ? b.cast(past, f32) : b.splat(RankedTensorType::get(stateShape, f32), 0);
  r.scale = scale == 0 ? 1 / std::sqrt(static_cast<double>(size)) : scale;
  r.repeats = queryHeads / heads;
  Value output = run(b, r, steps);
  return {b.cast(joinHeads(b, output), element), b.cast(r.state, stateType)};
}
