//===- Recurrent.cpp - ONNX RNN, LSTM and GRU, unrolled -------------------===//

#include "Recurrent.h"

#include "../Quant/Quant.h"
#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// Steps in all directions that are unrolled.
static constexpr int64_t kMostSteps = 512;

namespace {
// What tells the three ops apart.
struct Kind {
  SmallVector<int64_t> inputs; ///< gates of each part of the inputs that a step reads apart
  StepFunction step;
  SmallVector<StringRef> activations;
  unsigned states; ///< h, or h and c
  /// Weights are 8-bit integers [directions, from, to], and what they multiply is quantised on the way.
  bool quantised = false;

  int64_t gates() const { return llvm::sum_of(inputs); }
};

// 8-bit weights with a scale and a zero point (may be null), one each or one per column; a matrix of floats where there
// is no scale.
struct QuantisedMatrix {
  Value matrix, scale, zeroPoint;
};

// The whole operator.
struct Network {
  Value x, weights, recurrent, bias, lengths, peepholes;
  QuantisedMatrix ofWeights, ofRecurrent; ///< of all directions, without the matrix
  Values initial;
  SmallVector<CellActivation> activations;
  double clip = 0;
  int64_t steps = 0, batch = 0, hidden = 0, directions = 1;
  bool inputForget = false, linearBeforeReset = false;
};

struct DirectionResult {
  Value outputs; // [steps, batch, hidden]
  Values finals; // [1, batch, hidden] each
};
} // namespace

// Row `direction` of an operand with one per direction, without that axis.
static Value rowOf(ForgeBuilder &b, Value x, int64_t direction) {
  if (!x)
    return {};
  return b.reshape(b.slice(x, 0, direction, direction + 1), shapeOf(x).drop_front());
}

// The weights of one direction, ready to multiply from the right.
static QuantisedMatrix matrixOf(ForgeBuilder &b, const Kind &kind, Value weights, QuantisedMatrix parameters,
                                int64_t direction) {
  Value matrix = rowOf(b, weights, direction);
  if (!kind.quantised)
    return {b.transpose(matrix, {1, 0}), {}, {}};
  return {matrix, rowOf(b, parameters.scale, direction), rowOf(b, parameters.zeroPoint, direction)};
}

// `x` [times, batch, from] times weights. Quantised ones multiply `x` as bytes over the range of all its values, as
// onnxruntime does.
static Value timesWeights(OnnxNode &n, ForgeBuilder &b, Value x, const QuantisedMatrix &weights) {
  if (!weights.scale)
    return b.create<MatmulOp>(x, weights.matrix, OptionalOperand());
  SmallVector<int64_t> shape(shapeOf(x));
  Quantised q = quantiseDynamically(n, b, b.reshape(x, {shape[0] * shape[1], shape[2]}));
  if (n.failed() || !q.bytes)
    return {};
  Value sums = integerMatmul(n, b, q.bytes, weights.matrix, q.zeroPoint, weights.zeroPoint);
  if (!sums)
    return {};
  Value scale = b.create<MultiplyOp>(q.scale, weights.scale);
  shape[2] = shapeOf(sums).back();
  return b.reshape(b.create<MultiplyOp>(b.cast(sums, b.getBuilder().getF32Type()), scale), shape);
}

// One direction: all products of the inputs at once, then step by step. `backward` goes from the last time to the
// first; what lies beyond a row's length leaves its state as it is, so that its sequence starts at its own end.
static DirectionResult runDirection(OnnxNode &n, ForgeBuilder &b, const Kind &kind, const Network &net,
                                    int64_t direction, bool backward) {
  int64_t width = kind.gates() * net.hidden;
  size_t perDirection = kind.activations.size();
  Cell cell;
  cell.activations = ArrayRef(net.activations).slice(direction * perDirection, perDirection);
  cell.clip = net.clip;
  cell.hidden = net.hidden;
  cell.inputForget = net.inputForget;
  cell.linearBeforeReset = net.linearBeforeReset;
  QuantisedMatrix recurrent = matrixOf(b, kind, net.recurrent, net.ofRecurrent, direction);
  cell.recurrent = recurrent.matrix;
  cell.timesRecurrent = [&, recurrent](Value h) { return timesWeights(n, b, h, recurrent); };
  cell.peepholes = rowOf(b, net.peepholes, direction);
  Value sums = timesWeights(n, b, net.x, matrixOf(b, kind, net.weights, net.ofWeights, direction));
  if (Value bias = rowOf(b, net.bias, direction)) {
    Value recurrentBias = b.slice(bias, 0, width, 2 * width);
    // A reset gate that comes after the product scales the candidate's recurrent bias, so it stays apart there.
    if (net.linearBeforeReset) {
      cell.recurrentBias = recurrentBias;
      Value none = b.splat(RankedTensorType::get({net.hidden}, tensorType(bias).getElementType()), 0);
      recurrentBias = b.concatenate({b.slice(recurrentBias, 0, 0, 2 * net.hidden), none}, 0);
    }
    // The weights' own sum is computed with them.
    sums = b.create<AddOp>(sums, b.create<AddOp>(b.slice(bias, 0, 0, width), recurrentBias));
  }
  Values states;
  for (Value initial : net.initial)
    states.push_back(b.slice(initial, 0, direction, direction + 1));
  // Columns that a step reads apart are cut for all times at once.
  Values columns;
  int64_t column = 0;
  for (int64_t gates : kind.inputs) {
    columns.push_back(b.slice(sums, 2, column, column + gates * net.hidden));
    column += gates * net.hidden;
  }
  Values outputs(net.steps);
  for (int64_t i = 0; i < net.steps; ++i) {
    int64_t t = backward ? net.steps - 1 - i : i;
    Values previous = states;
    kind.step(b, cell, llvm::map_to_vector(columns, [&](Value part) { return b.slice(part, 0, t, t + 1); }), states);
    Value output = states[0];
    if (net.lengths) {
      Value active = b.compare<GreaterOp>(net.lengths, b.scalarLike(net.lengths, static_cast<double>(t)));
      for (auto [state, old] : llvm::zip_equal(states, previous))
        state = b.create<WhereOp>(active, state, old);
      output = b.create<WhereOp>(active, output, b.scalarLike(output, 0));
    }
    if (!output)
      return {};
    outputs[t] = output;
  }
  return {b.concatenate(outputs, 0), states};
}

static Value batchFirst(ForgeBuilder &b, Value x) { return x ? b.transpose(x, {1, 0, 2}) : x; }

static void readOperands(OnnxNode &n, Network &net, const Kind &kind) {
  net.x = n.input(0);
  net.weights = n.input(1);
  net.recurrent = n.input(2);
  net.bias = n.optionalInput(3);
  net.lengths = n.optionalInput(4);
  for (unsigned i = 0; i < kind.states; ++i)
    net.initial.push_back(n.optionalInput(5 + i));
  if (kind.states == 2)
    net.peepholes = n.optionalInput(7);
  if (kind.quantised) {
    net.ofWeights = {{}, n.input(8), n.optionalInput(9)};
    net.ofRecurrent = {{}, n.input(10), n.optionalInput(11)};
  }
}

static void checkShapes(OnnxNode &n, const Network &net, const Kind &kind) {
  int64_t width = kind.gates() * net.hidden;
  auto check = [&](Value value, ArrayRef<int64_t> shape, StringRef name) {
    if (value && shapeOf(value) != shape)
      n.refuse(Code::ShapeMismatch,
               name + " does not have the shape that X, the hidden size and the directions ask for");
  };
  auto checkWeights = [&](Value weights, int64_t from, StringRef name) {
    if (kind.quantised)
      check(weights, {net.directions, from, width}, name);
    else
      check(weights, {net.directions, width, from}, name);
  };
  auto checkParameter = [&](Value value, StringRef name) {
    if (value && tensorType(value).getRank() != 1)
      check(value, {net.directions, width}, name);
    else
      check(value, {net.directions}, name);
  };
  checkWeights(net.weights, shapeOf(net.x)[2], "W");
  checkWeights(net.recurrent, net.hidden, "R");
  for (const QuantisedMatrix &quantised : {net.ofWeights, net.ofRecurrent}) {
    checkParameter(quantised.scale, "a scale");
    checkParameter(quantised.zeroPoint, "a zero point");
  }
  check(net.bias, {net.directions, 2 * width}, "B");
  check(net.lengths, {net.batch}, "sequence_lens");
  check(net.peepholes, {net.directions, 3 * net.hidden}, "P");
  for (Value initial : net.initial)
    check(initial, {net.directions, net.batch, net.hidden}, "an initial state");
  if (net.hidden < 1 || tensorType(net.x).getNumElements() == 0 || !isa<FloatType>(tensorType(net.x).getElementType()))
    n.refuse(Code::OperandType, "X must be floating point and not empty");
  if (net.steps > kMostSteps / net.directions)
    n.refuse(Code::TooMuchToUnroll, "unrolling " + Twine(net.steps) + " steps is not supported");
}

// Reads and checks the operands; the batch is the second axis afterwards.
static Network readNetwork(OnnxNode &n, ForgeBuilder &b, const Kind &kind, bool layout, int64_t directions) {
  Network net;
  net.directions = directions;
  readOperands(n, net, kind);
  net.activations = readActivations(n, kind.activations, directions);
  if (n.hasAttr("clip") && !((net.clip = n.floatAttr("clip")) > 0))
    n.refuse(Code::AttributeValue, "attribute 'clip' must be positive");
  if (n.failed())
    return net;
  if (tensorType(net.x).getRank() != 3 || tensorType(net.recurrent).getRank() != 3) {
    n.refuse(Code::RankWrong, "X, W and R must have rank 3");
    return net;
  }
  if (layout) {
    net.x = batchFirst(b, net.x);
    for (Value &initial : net.initial)
      if (initial && tensorType(initial).getRank() == 3)
        initial = batchFirst(b, initial);
  }
  net.steps = shapeOf(net.x)[0];
  net.batch = shapeOf(net.x)[1];
  net.hidden = n.intAttr("hidden_size", shapeOf(net.recurrent)[kind.quantised ? 1 : 2]);
  checkShapes(n, net, kind);
  if (n.failed())
    return net;
  for (Value &initial : net.initial)
    if (!initial)
      initial = b.splat(tensorType(net.x).clone({directions, net.batch, net.hidden}), 0);
  if (net.lengths)
    net.lengths = b.reshape(net.lengths, {net.batch, 1});
  return net;
}

static Values convertRecurrent(OnnxNode &n, ForgeBuilder &b, const Kind &kind) {
  n.ignoreAttr("output_sequence"); // Before opset 7: whether Y is wanted, which the outputs say too.
  StringRef direction = n.stringAttr("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    n.refuse(Code::AttributeValue, "attribute 'direction' must be 'forward', 'reverse' or 'bidirectional'");
    return {};
  }
  int64_t directions = direction == "bidirectional" ? 2 : 1;
  bool layout = n.since() >= 14 && n.flagAttr("layout", false);
  Network net = readNetwork(n, b, kind, layout, directions);
  if (kind.states == 2)
    net.inputForget = n.flagAttr("input_forget", false);
  if (kind.gates() == 3 && n.since() >= 3)
    net.linearBeforeReset = n.flagAttr("linear_before_reset", false);
  if (n.failed())
    return {};
  Values outputs;
  SmallVector<Values> finals(kind.states);
  for (int64_t i = 0; i < directions; ++i) {
    DirectionResult result = runDirection(n, b, kind, net, i, direction == "reverse" || i == 1);
    if (!result.outputs)
      return {};
    outputs.push_back(b.reshape(result.outputs, {net.steps, 1, net.batch, net.hidden}));
    for (unsigned k = 0; k < kind.states; ++k)
      finals[k].push_back(result.finals[k]);
  }
  Values results{b.concatenate(outputs, 1)};
  for (Values &state : finals)
    results.push_back(b.concatenate(state, 0));
  if (layout) {
    results[0] = results[0] ? b.transpose(results[0], {2, 0, 1, 3}) : Value();
    for (Value &state : MutableArrayRef(results).drop_front())
      state = batchFirst(b, state);
  }
  return results;
}

// RNN (since 1, 7, 14, 22).
static Values convertRNN(OnnxNode &n, ForgeBuilder &b) { return convertRecurrent(n, b, {{1}, stepRNN, {"tanh"}, 1}); }

// LSTM (since 1, 7, 14, 22).
static Values convertLSTM(OnnxNode &n, ForgeBuilder &b) {
  return convertRecurrent(n, b, {{4}, stepLSTM, {"sigmoid", "tanh", "tanh"}, 2});
}

// com.microsoft.DynamicQuantizeLSTM (since 1).
static Values convertDynamicQuantizeLSTM(OnnxNode &n, ForgeBuilder &b) {
  return convertRecurrent(n, b, {{4}, stepLSTM, {"sigmoid", "tanh", "tanh"}, 2, /*quantised=*/true});
}

// GRU (since 1, 3, 7, 14, 22).
static Values convertGRU(OnnxNode &n, ForgeBuilder &b) {
  return convertRecurrent(n, b, {{2, 1}, stepGRU, {"sigmoid", "tanh"}, 1});
}

void forge::registerRecurrentOps(OnnxRegistry &registry) {
  registry.add({
      {"RNN", {1, 7, 14, 22}, convertRNN},
      {"LSTM", {1, 7, 14, 22}, convertLSTM},
      {"GRU", {1, 3, 7, 14, 22}, convertGRU},
  });
  registry.add({{"DynamicQuantizeLSTM", {1}, convertDynamicQuantizeLSTM}}, "com.microsoft");
}
