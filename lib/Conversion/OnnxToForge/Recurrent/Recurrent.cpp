//===- Recurrent.cpp - ONNX RNN, LSTM and GRU, unrolled -------------------===//

#include "Recurrent.h"

#include "../Quantization/Quantization.h"
#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// The most steps, summed over the directions, that are unrolled.
static constexpr int64_t kMostSteps = 512;

namespace {
// How RNN, LSTM and GRU differ.
struct Kind {
  SmallVector<int64_t> inputs; ///< the gates in each slice of the input products that a step reads separately
  StepFunction step;
  SmallVector<StringRef> activations;
  unsigned states; ///< h, or h and c
  /// Weights are 8-bit integers [directions, from, to], and their left operands are quantised at run time.
  bool quantised = false;

  int64_t gates() const { return llvm::sum_of(inputs); }
};

// 8-bit weights with a scale and a zero point (may be null), either scalars or per column. Without a scale, float
// weights.
struct QuantisedMatrix {
  Value matrix, scale, zeroPoint;
};

// The checked operands and attributes.
struct Network : CellOptions {
  Value x, weights, recurrent, bias, lengths, peepholes;
  QuantisedMatrix ofWeights, ofRecurrent; ///< scales and zero points of all directions; the matrix is not set
  Values initial;
  SmallVector<CellActivation> activations;
  int64_t steps = 0, batch = 0, directions = 1;
};

// Directions that are computed together: step i of all lanes is computed by the same calls. With two lanes, tensors
// have a leading axis of size 2; with one, weights have no such axis and states have one of size 1.
struct Lanes {
  int64_t first;              ///< the direction of the first lane
  SmallVector<bool> backward; ///< per lane: whether it runs from the last time step to the first

  int64_t size() const { return backward.size(); }
  bool isSingle() const { return backward.size() == 1; }
};
} // namespace

// The slice of `x` (directions first) for the lanes: without that axis for one lane, of rank 3 for two.
static Value rowsOf(ForgeBuilder &b, Value x, const Lanes &lanes) {
  if (!x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (lanes.isSingle())
    return b.reshape(b.slice(x, 0, lanes.first, lanes.first + 1), shape.drop_front());
  return shape.size() == 3 ? x : b.reshape(x, {shape[0], 1, shape[1]});
}

// The weights of the lanes, transposed for a product from the right.
static QuantisedMatrix matrixOf(ForgeBuilder &b, const Kind &kind, Value weights, QuantisedMatrix parameters,
                                const Lanes &lanes) {
  Value matrix = rowsOf(b, weights, lanes);
  if (!kind.quantised)
    return {lanes.isSingle() ? b.transpose(matrix, {1, 0}) : b.transpose(matrix, {0, 2, 1}), {}, {}};
  return {matrix, rowsOf(b, parameters.scale, lanes), rowsOf(b, parameters.zeroPoint, lanes)};
}

// `x` [times, batch, from] times weights. For quantised weights, `x` is quantised with one range for all of its values,
// as in onnxruntime.
static Value timesWeights(OnnxNode &n, ForgeBuilder &b, Value x, const QuantisedMatrix &weights) {
  if (!weights.scale)
    return b.matmul(x, weights.matrix);
  SmallVector<int64_t> shape(shapeOf(x));
  Quantised q = quantiseDynamically(n, b, b.reshape(x, {shape[0] * shape[1], shape[2]}));
  if (n.failed() || !q.bytes)
    return {};
  Value sums = integerMatmul(n, b, q.bytes, weights.matrix, q.zeroPoint, weights.zeroPoint);
  if (!sums)
    return {};
  Value scale = b.create<MultiplyOp>(q.scale, weights.scale);
  shape[2] = shapeOf(sums).back();
  return b.reshape(b.create<MultiplyOp>(b.cast(sums, b.getF32Type()), scale), shape);
}

// The biases of the lanes: the sum of those of inputs and recurrence, and the recurrent bias of the candidate, which
// with linear_before_reset stays separate because the reset gate scales it. Null if there are none.
static std::pair<Value, Value> biasesOf(ForgeBuilder &b, const Kind &kind, const Network &net, const Lanes &lanes) {
  Value bias = rowsOf(b, net.bias, lanes);
  if (!bias)
    return {};
  int64_t width = kind.gates() * net.hidden, last = rankOf(bias) - 1;
  Values halves = b.slices(bias, last, {width, width});
  if (!net.linearBeforeReset)
    return {b.create<AddOp>(halves[0], halves[1]), {}};
  int64_t gates = width - net.hidden;
  Value none = b.splat(tensorType(bias).clone(withSize(shapeOf(bias), last, net.hidden)), 0);
  Value ofGates = b.concatenate({b.slice(halves[1], last, 0, gates), none}, last);
  return {b.create<AddOp>(halves[0], ofGates), b.slice(halves[1], last, gates, width)};
}

// The data that all steps of the lanes share.
static Cell cellOf(OnnxNode &n, ForgeBuilder &b, const Kind &kind, const Network &net, const Lanes &lanes) {
  size_t perDirection = kind.activations.size();
  QuantisedMatrix recurrent = matrixOf(b, kind, net.recurrent, net.ofRecurrent, lanes);
  return {net, ArrayRef(net.activations).slice(lanes.first * perDirection, perDirection), recurrent.matrix,
          [&n, &b, recurrent](Value h) { return timesWeights(n, b, h, recurrent); }, rowsOf(b, net.peepholes, lanes)};
}

// The input products x W' + b, each [lanes * steps, batch, gates * hidden], where the steps of the second lane follow
// those of the first. Columns that a step reads separately are sliced once for all steps.
static Values inputsOf(OnnxNode &n, ForgeBuilder &b, const Kind &kind, const Network &net, const Lanes &lanes) {
  int64_t rows = net.steps * net.batch;
  // A single product of all rows: the device does not broadcast the batch axes of both operands.
  Value x = lanes.isSingle() ? net.x : b.reshape(net.x, {1, rows, shapeOf(net.x)[2]});
  Value sums = timesWeights(n, b, x, matrixOf(b, kind, net.weights, net.ofWeights, lanes));
  auto [ofSums, ofCandidate] = biasesOf(b, kind, net, lanes);
  if (ofSums)
    sums = b.create<AddOp>(sums, ofSums);
  auto atTimes = [&](Value x) {
    return b.reshape(x, {lanes.size() * net.steps, net.batch, x ? shapeOf(x).back() : 0});
  };
  auto widths = llvm::map_to_vector(kind.inputs, [&](int64_t gates) { return gates * net.hidden; });
  Values columns = b.slices(atTimes(sums), 2, widths);
  // Adds the bias of the candidate's recurrence to the product with the gates.
  if (ofCandidate) {
    Value row = b.reshape(ofCandidate, {lanes.size(), 1, net.hidden});
    columns[0] = b.concatenate({columns[0], atTimes(b.expand(row, {lanes.size(), rows, net.hidden}))}, 2);
  }
  return columns;
}

// Whether each batch row has elements at these times, [times, batch, 1].
static Value activeAt(ForgeBuilder &b, const Network &net, ArrayRef<int64_t> times) {
  auto type = RankedTensorType::get({static_cast<int64_t>(times.size()), 1, 1}, b.getI64Type());
  Value bounds = b.constant(DenseElementsAttr::get(type, times));
  return b.compare<GreaterOp>(net.lengths, b.cast(bounds, elementOf(net.lengths)));
}

// The states after each step as [steps, lanes, batch, hidden], in the order of time; 0 after the end of a row.
static Value inOrderOfTime(ForgeBuilder &b, const Network &net, const Lanes &lanes, Values outputs) {
  auto masked = [&](Value x) {
    return net.lengths
               ? b.create<WhereOp>(activeAt(b, net, llvm::to_vector(llvm::seq(net.steps))), x, b.scalarLike(x, 0))
               : x;
  };
  Values reversed(llvm::reverse(outputs));
  if (lanes.isSingle())
    return b.reshape(masked(b.concatenate(lanes.backward[0] ? reversed : outputs, 0)),
                     {net.steps, 1, net.batch, net.hidden});
  // Concatenated by step, the rows of the lanes alternate. Most models concatenate the lanes along the columns.
  Value forward = b.stridedSlice(b.concatenate(outputs, 0), 0, 0, net.steps, 2);
  Value backward = b.stridedSlice(b.concatenate(reversed, 0), 0, 1, net.steps, 2);
  Value columns = masked(b.concatenate({forward, backward}, 2));
  return b.transpose(b.reshape(columns, {net.steps, net.batch, 2, net.hidden}), {0, 2, 1, 3});
}

// Returns the states after each step, [steps, lanes, batch, hidden], and the final states, [lanes, batch, hidden] each.
// Computes the input products in one call, then the steps one after another. Steps beyond the length of a row leave its
// state unchanged, so that the backward direction starts at the end of each row's sequence.
static Values runLanes(OnnxNode &n, ForgeBuilder &b, const Kind &kind, const Network &net, const Lanes &lanes) {
  Cell cell = cellOf(n, b, kind, net, lanes);
  Values inputs = inputsOf(n, b, kind, net, lanes), states, outputs;
  if (llvm::is_contained(inputs, Value()))
    return {};
  for (Value initial : net.initial)
    states.push_back(b.slice(initial, 0, lanes.first, lanes.first + lanes.size()));
  for (int64_t i = 0; i < net.steps; ++i) {
    SmallVector<int64_t> times;
    for (bool backward : lanes.backward)
      times.push_back(backward ? net.steps - 1 - i : i);
    // The two time steps of a step of both lanes are one slice with a stride.
    auto atTimes = [&](Value x) {
      return b.stridedSlice(x, 0, times.front(), lanes.size(), net.steps + times.back() - times.front());
    };
    Values previous = states;
    kind.step(b, cell, llvm::map_to_vector(inputs, atTimes), states);
    if (net.lengths)
      for (auto [state, old] : llvm::zip_equal(states, previous))
        state = b.create<WhereOp>(activeAt(b, net, times), state, old);
    if (!states[0])
      return {};
    outputs.push_back(states[0]);
  }
  // ONNX does not define the final state of an empty sequence; onnxruntime returns 0.
  if (net.lengths)
    for (Value &state : states)
      state = b.create<WhereOp>(activeAt(b, net, {0}), state, b.scalarLike(state, 0));
  states.insert(states.begin(), inOrderOfTime(b, net, lanes, outputs));
  return states;
}

// Two directions are computed together if their activations agree. Quantised ones are not, because the operand of each
// product is quantised with a range of its own.
static SmallVector<Lanes> lanesOf(const Kind &kind, const Network &net, bool backward) {
  if (net.directions == 1)
    return {{0, {backward}}};
  ArrayRef<CellActivation> activations(net.activations);
  size_t perDirection = kind.activations.size();
  if (!kind.quantised && activations.take_front(perDirection) == activations.take_back(perDirection))
    return {{0, {false, true}}};
  return {{0, {false}}, {1, {true}}};
}

static Value batchFirst(ForgeBuilder &b, Value x) { return b.transpose(x, {1, 0, 2}); }

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
    check(weights, {net.directions, kind.quantised ? from : width, kind.quantised ? width : from}, name);
  };
  auto checkParameter = [&](Value value, StringRef name) {
    SmallVector<int64_t> perDirection{net.directions}, perColumn{net.directions, width};
    check(value, value && rankOf(value) != 1 ? perColumn : perDirection, name);
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
  if (net.hidden < 1 || numElements(net.x) == 0 || !isa<FloatType>(elementOf(net.x)))
    n.refuse(Code::OperandType, "X must be floating point and not empty");
  if (net.steps > kMostSteps / net.directions)
    n.refuse(Code::TooMuchToUnroll, "unrolling " + Twine(net.steps) + " steps is not supported");
}

// Reads and checks the operands; transposes them so that the batch is the second axis.
static Network readNetwork(OnnxNode &n, ForgeBuilder &b, const Kind &kind, bool layout, int64_t directions) {
  Network net;
  net.directions = directions;
  readOperands(n, net, kind);
  net.activations = readActivations(n, kind.activations, directions);
  if (n.hasAttr("clip") && !((net.clip = n.floatAttr("clip")) > 0))
    n.refuse(Code::AttributeValue, "attribute 'clip' must be positive");
  if (n.failed())
    return net;
  if (rankOf(net.x) != 3 || rankOf(net.recurrent) != 3) {
    n.refuse(Code::RankWrong, "X, W and R must have rank 3");
    return net;
  }
  if (layout) {
    net.x = batchFirst(b, net.x);
    for (Value &initial : net.initial)
      if (initial && rankOf(initial) == 3)
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
  n.ignoreAttr("output_sequence"); // Before opset 7: whether there is an output Y, as the outputs also say.
  StringRef direction = n.choiceAttr("direction", {"forward", "reverse", "bidirectional"});
  int64_t directions = direction == "bidirectional" ? 2 : 1;
  bool layout = n.since() >= 14 && n.flagAttr("layout", false);
  Network net = readNetwork(n, b, kind, layout, directions);
  if (kind.states == 2)
    net.inputForget = n.flagAttr("input_forget", false);
  if (kind.gates() == 3 && n.since() >= 3)
    net.linearBeforeReset = n.flagAttr("linear_before_reset", false);
  if (n.failed())
    return {};
  SmallVector<Values> parts(1 + kind.states); // Of Y and of each final state, by lanes.
  for (const Lanes &lanes : lanesOf(kind, net, direction == "reverse")) {
    Values results = runLanes(n, b, kind, net, lanes);
    if (results.empty())
      return {};
    for (auto [part, result] : llvm::zip_equal(parts, results))
      part.push_back(result);
  }
  Values results;
  for (auto [i, part] : llvm::enumerate(parts))
    results.push_back(b.concatenate(part, i == 0 ? 1 : 0));
  if (layout)
    for (auto [i, result] : llvm::enumerate(results))
      result = i == 0 ? b.transpose(result, {2, 0, 1, 3}) : batchFirst(b, result);
  return results;
}

static Converter converterOf(const Kind &kind) {
  return [kind](OnnxNode &n, ForgeBuilder &b) { return convertRecurrent(n, b, kind); };
}

void forge::registerRecurrentOps(OnnxRegistry &registry) {
  Kind lstm{{4}, stepLSTM, {"sigmoid", "tanh", "tanh"}, 2}, quantised = lstm;
  quantised.quantised = true;
  registry.add({
      {"RNN", {1, 7, 14, 22}, converterOf({{1}, stepRNN, {"tanh"}, 1})},
      {"LSTM", {1, 7, 14, 22}, converterOf(lstm)},
      {"GRU", {1, 3, 7, 14, 22}, converterOf({{2, 1}, stepGRU, {"sigmoid", "tanh"}, 1})},
  });
  registry.add({{"DynamicQuantizeLSTM", {1}, converterOf(quantised)}}, "com.microsoft");
}
