//===- Cells.cpp - one step of RNN, LSTM and GRU --------------------------===//

#include "Recurrent.h"

using namespace mlir;
using namespace forge;

Value Cell::activate(ForgeBuilder &b, unsigned i, Value x) const {
  if (clip > 0)
    x = b.create<ClipOp>(x, f32(-clip), f32(clip));
  return applyActivation(b, activations[i], x);
}

Value Cell::part(ForgeBuilder &b, Value x, int64_t i) const {
  return x ? b.slice(x, rankOf(x) - 1, i * hidden, (i + 1) * hidden) : Value();
}

// h = f(x W' + h R' + b).
void forge::stepRNN(ForgeBuilder &b, const Cell &cell, ArrayRef<Value> inputs, Values &states) {
  states[0] = cell.activate(b, 0, b.create<AddOp>(inputs[0], b.matmul(states[0], cell.recurrent)));
}

// Gates i, o, f, c; activations f (gates), g (candidate), h (output). The output gate's peephole reads the new state.
void forge::stepLSTM(ForgeBuilder &b, const Cell &cell, ArrayRef<Value> inputs, Values &states) {
  Value h = states[0], c = states[1];
  Value sums = b.create<AddOp>(inputs[0], cell.timesRecurrent(h));
  // Without peepholes, one call activates all gates. It also activates the columns of the candidate, which are not
  // used; that is cheaper than another call.
  Value gates = cell.peepholes ? Value() : cell.activate(b, 0, sums);
  auto gate = [&](int64_t i, int64_t peephole, Value state) {
    if (gates)
      return cell.part(b, gates, i);
    Value term = b.create<MultiplyOp>(cell.part(b, cell.peepholes, peephole), state);
    return cell.activate(b, 0, b.create<AddOp>(cell.part(b, sums, i), term));
  };
  Value inputGate = gate(0, 0, c);
  Value forgetGate = cell.inputForget ? b.create<SubtractOp>(b.scalarLike(inputGate, 1), inputGate) : gate(2, 2, c);
  Value candidate = cell.activate(b, 1, cell.part(b, sums, 3));
  Value next = b.create<AddOp>(b.create<MultiplyOp>(forgetGate, c), b.create<MultiplyOp>(inputGate, candidate));
  Value outputGate = gate(1, 1, next);
  // `clip` applies to the inputs of the gates and of the candidate, not to the state, as in onnxruntime.
  states = {b.create<MultiplyOp>(outputGate, applyActivation(b, cell.activations[2], next)), next};
}

// Gates z and r, then h; activations f (gates) and g (candidate).
void forge::stepGRU(ForgeBuilder &b, const Cell &cell, ArrayRef<Value> inputs, Values &states) {
  Value h = states[0];
  int64_t axis = rankOf(cell.recurrent) - 1, split = 2 * cell.hidden, end = 3 * cell.hidden;
  // If the candidate's recurrence has a bias, it is part of the product of the gates. The device's compiler merges
  // products of one operand and does not support merging them if their biases have different shapes.
  bool isJoined = shapeOf(inputs[0]).back() == end;
  Value candidateWeights = b.slice(cell.recurrent, axis, split, end);
  Value weights = isJoined ? cell.recurrent : b.slice(cell.recurrent, axis, 0, split);
  Value sums = b.create<AddOp>(inputs[0], b.matmul(h, weights));
  Value gates = cell.activate(b, 0, sums);
  Value update = cell.part(b, gates, 0), reset = cell.part(b, gates, 1);
  // The recurrent product of the candidate, computed before or after the reset of the state.
  auto recurrence = [&] {
    if (!cell.linearBeforeReset)
      return b.matmul(b.create<MultiplyOp>(reset, h), candidateWeights);
    return b.create<MultiplyOp>(reset, isJoined ? cell.part(b, sums, 2) : b.matmul(h, candidateWeights));
  };
  Value candidate = cell.activate(b, 1, b.create<AddOp>(inputs[1], recurrence()));
  // (1 - z) * candidate + z * h; for a bounded candidate in three calls. A large one would cancel in h - candidate.
  if (!cell.activations[1].isBounded()) {
    Value rest = b.create<SubtractOp>(b.scalarLike(update, 1), update);
    states[0] = b.create<AddOp>(b.create<MultiplyOp>(rest, candidate), b.create<MultiplyOp>(update, h));
    return;
  }
  Value step = b.create<MultiplyOp>(update, b.create<SubtractOp>(h, candidate));
  states[0] = b.create<AddOp>(candidate, step);
}
