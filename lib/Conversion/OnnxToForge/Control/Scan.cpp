//===- Scan.cpp - ONNX Scan, unrolled -------------------------------------===//

#include "Control.h"

using namespace mlir;
using namespace forge;

namespace {
// Axes and directions of scan inputs and outputs.
struct ScanPlan {
  SmallVector<int64_t> inputAxes, inputDirections, outputAxes, outputDirections;
  int64_t length = 0;
};
} // namespace

// Slice `index` of `axis`, with the axis dropped.
static Value element(ForgeBuilder &b, Value x, int64_t axis, int64_t index) {
  return x ? b.reshape(b.slice(x, axis, index, index + 1), withoutAxis(shapeOf(x), axis)) : Value();
}

// Unrolls the body over the scan inputs; returns the final states and the stacked outputs.
static Values scan(OnnxNode &n, ForgeBuilder &b, const ScanPlan &plan, Values states, ArrayRef<Value> scanned) {
  SmallVector<Values> outputs(plan.outputAxes.size());
  for (int64_t step = 0; step < plan.length; ++step) {
    Values arguments = states;
    for (auto [i, x] : llvm::enumerate(scanned))
      arguments.push_back(element(b, x, plan.inputAxes[i], plan.inputDirections[i] ? plan.length - 1 - step : step));
    auto yields = n.inlineSubgraph(0, arguments);
    if (!yields)
      return {};
    if (yields->size() != states.size() + outputs.size())
      return n.refuse(Code::Arity,
                      "the body has " + Twine(yields->size()) + " outputs, which the outputs of the node do not fit");
    states.assign(yields->begin(), yields->begin() + states.size());
    for (auto [i, output] : llvm::enumerate(outputs))
      output.push_back((*yields)[states.size() + i]);
  }
  Values results = states;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (plan.outputDirections[i])
      std::reverse(output.begin(), output.end());
    if (llvm::is_contained(output, Value()))
      return n.refuse(Code::Arity, "the body yields no value for a scan output");
    int64_t axis = n.axis(plan.outputAxes[i], rankOf(output.front()) + 1, "scan output axis");
    results.push_back(n.failed() ? Value() : stackValues(n, b, output, axis));
  }
  return results;
}

static void checkDirections(OnnxNode &n, ArrayRef<int64_t> directions, size_t count, StringRef name) {
  if (directions.size() != count || llvm::any_of(directions, [](int64_t d) { return d != 0 && d != 1; }))
    n.refuse(Code::AttributeMismatch, "attribute '" + name + "' must have " + Twine(count) + " values of 0 or 1");
}

// Normalises the axes of scan inputs, and checks that their lengths agree.
static void normalizeInputs(OnnxNode &n, ScanPlan &plan, ArrayRef<Value> scanned, int64_t batchDims) {
  for (auto [i, x] : llvm::enumerate(scanned)) {
    plan.inputAxes[i] = n.axis(plan.inputAxes[i], rankOf(x) - batchDims, "scan input axis");
    if (n.failed())
      return;
    int64_t length = shapeOf(x)[plan.inputAxes[i] + batchDims];
    if (i != 0 && length != plan.length)
      n.refuse(Code::ShapeMismatch, "the scanned inputs have different lengths");
    plan.length = length;
  }
  if (plan.length < 1)
    n.refuse(Code::EmptyAxis, "a scan over nothing is not supported");
}

// Scan 8: axis 0 of all operands is a batch, axis 1 the sequence; sequence lengths are optional.
static Values convertBatchedScan(OnnxNode &n, ForgeBuilder &b, ScanPlan plan, ArrayRef<Value> states,
                                 ArrayRef<Value> scanned) {
  normalizeInputs(n, plan, scanned, /*batchDims=*/1);
  int64_t batch = n.failed() ? 0 : shapeOf(scanned.front())[0];
  for (Value x : llvm::concat<const Value>(states, scanned))
    if (x && (rankOf(x) < 1 || shapeOf(x)[0] != batch))
      n.refuse(Code::ShapeMismatch, "the inputs have different batch sizes");
  if (n.failed())
    return {};
  SmallVector<Values> rows;
  for (int64_t row = 0; row < batch; ++row) {
    auto rowOf = [&](Value x) { return element(b, x, 0, row); };
    rows.push_back(scan(n, b, plan, llvm::map_to_vector(states, rowOf), llvm::map_to_vector(scanned, rowOf)));
    if (n.failed())
      return {};
  }
  Values results;
  for (unsigned i = 0; i < n.numOutputs() && !rows.empty(); ++i)
    results.push_back(stackValues(n, b, llvm::map_to_vector(rows, [&](Values &values) { return values[i]; }), 0));
  return results;
}

Values forge::convertScan(OnnxNode &n, ForgeBuilder &b) {
  bool batched = n.since() == 8;
  int64_t scannedCount = n.intAttr("num_scan_inputs");
  unsigned first = batched ? 1 : 0;
  int64_t stateCount = static_cast<int64_t>(n.numInputs()) - first - scannedCount;
  if (batched && n.hasInput(0))
    n.refuse(Code::VariantUnsupported, "sequence lengths are not supported");
  if (scannedCount < 1 || stateCount < 0 || stateCount > n.numOutputs() || n.numSubgraphs() != 1)
    n.refuse(Code::AttributeMismatch, "attribute 'num_scan_inputs' does not fit the inputs and outputs");
  if (n.failed())
    return {};
  Values states, scanned;
  for (unsigned i = first; i < n.numInputs(); ++i)
    (static_cast<int64_t>(i - first) < stateCount ? states : scanned).push_back(n.input(i));
  size_t outputCount = n.numOutputs() - stateCount;
  SmallVector<int64_t> inputZeros(scannedCount, 0), outputZeros(outputCount, 0);
  ScanPlan plan;
  if (batched) {
    plan = {inputZeros, n.intsAttr("directions", ArrayRef(inputZeros)), outputZeros, outputZeros};
  } else {
    plan.inputAxes = n.intsAttr("scan_input_axes", ArrayRef(inputZeros));
    plan.inputDirections = n.intsAttr("scan_input_directions", ArrayRef(inputZeros));
    plan.outputAxes = n.intsAttr("scan_output_axes", ArrayRef(outputZeros));
    plan.outputDirections = n.intsAttr("scan_output_directions", ArrayRef(outputZeros));
  }
  checkDirections(n, plan.inputDirections, scannedCount, "scan_input_directions");
  checkDirections(n, plan.outputDirections, outputCount, "scan_output_directions");
  if (plan.inputAxes.size() != scanned.size() || plan.outputAxes.size() != outputCount)
    n.refuse(Code::Arity, "there must be one scan axis per scanned input and output");
  if (n.failed())
    return {};
  if (batched)
    return convertBatchedScan(n, b, plan, states, scanned);
  normalizeInputs(n, plan, scanned, /*batchDims=*/0);
  return n.failed() ? Values() : scan(n, b, plan, states, scanned);
}
