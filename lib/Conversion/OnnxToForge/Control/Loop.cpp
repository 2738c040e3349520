//===- Loop.cpp - ONNX Loop, unrolled -------------------------------------===//

#include "Control.h"

#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

namespace {
// The state of a Loop that is being unrolled.
struct Unrolling {
  Values states;
  // The iterations of each scan output.
  SmallVector<Values> scans;
  // Whether the next iteration runs, as a boolean value; null as long as that is known to be true.
  Value running;
};
} // namespace

// `a and b` of scalar booleans; null means true.
static Value both(ForgeBuilder &b, Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return bothOf({b, b.reshape(x, {})}, {b, b.reshape(y, {})});
}

// Converts an iteration. Updates `loop`, and sets `condition` to the one of the next iteration.
static void iterate(OnnxNode &n, ForgeBuilder &b, int64_t step, Unrolling &loop, Value &condition) {
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  Values arguments{b.constant(DenseElementsAttr::get(scalar, step)),
                   loop.running ? loop.running : b.splat(RankedTensorType::get({}, b.getI1Type()), 1)};
  llvm::append_range(arguments, loop.states);
  auto yields = inlineGuarded(n, b, 0, arguments, loop.running, /*taken=*/true);
  if (!yields)
    return;
  if (yields->size() != 1 + loop.states.size() + loop.scans.size()) {
    n.refuse(Code::Arity,
             "the body has " + Twine(yields->size()) + " outputs, which the inputs and outputs of the node do not fit");
    return;
  }
  condition = yields->front();
  for (auto [i, state] : llvm::enumerate(loop.states)) {
    Value updated = (*yields)[1 + i];
    // An iteration that does not run leaves the state unchanged.
    state = loop.running ? selectValue(n, b, loop.running, updated, state) : updated;
  }
  for (auto [i, scan] : llvm::enumerate(loop.scans))
    scan.push_back((*yields)[1 + loop.states.size() + i]);
}

// Whether the iteration `step` may run, by its condition. If the condition is not known, the iteration is computed in
// any case, and `loop.running` selects its states; refused if that is not possible.
static bool mayRun(OnnxNode &n, ForgeBuilder &b, int64_t step, std::optional<int64_t> trips, Value condition,
                   Unrolling &loop) {
  if (std::optional<bool> known = knownBool(condition))
    return *known;
  if (trips && loop.scans.empty()) {
    loop.running = both(b, loop.running, condition);
    return true;
  }
  const char *reason = trips ? "the loop condition must be known at compile time when there are scan outputs: "
                               "the number of iterations is their size; without them the loop is converted"
                             : "the loop condition must be known at compile time when there is no trip count";
  // Only the first condition is an operand of the node; later ones may depend on any input of the body.
  return step == 0 ? n.refuseUnknown(1, reason) : n.refuse(Code::OperandUnknown, reason);
}

// The scan outputs of a loop without iterations, which are empty. Their types are those of an iteration that is not
// taken; nothing reads what it computes.
static void makeEmptyScans(OnnxNode &n, ForgeBuilder &b, Unrolling loop, Value condition, Values &results) {
  loop.running = b.splat(RankedTensorType::get({}, b.getI1Type()), 0);
  iterate(n, b, /*step=*/0, loop, condition);
  for (ArrayRef<Value> scan : loop.scans) {
    if (n.failed() || !scan.front()) {
      results.push_back({});
      continue;
    }
    SmallVector<int64_t> shape(shapeOf(scan.front()));
    shape.insert(shape.begin(), 0);
    results.push_back(b.splat(RankedTensorType::get(shape, elementOf(scan.front())), 0));
  }
}

// Loop (since 1, 11, 13, 16, 19, 21, 23, 24, 25): unrolled. The trip count bounds the iterations. The condition may
// stop the loop earlier: at compile time or, without scan outputs, by a select on the states at run time.
Values forge::convertLoop(OnnxNode &n, ForgeBuilder &b) {
  std::optional<int64_t> trips = n.optionalConstantInt(0, "trip count");
  Value condition = n.optionalInput(1);
  Unrolling loop;
  for (unsigned i = 2; i < n.numInputs(); ++i)
    loop.states.push_back(n.optionalInput(i));
  if (n.numSubgraphs() != 1 || n.numOutputs() < loop.states.size())
    n.refuse(Code::Arity, "expected a body and an output per loop-carried value");
  // Without a condition input, the condition that the body computes is ignored.
  if (!trips && !condition)
    n.refuse(Code::ResultUndefined, "the loop never ends");
  if (n.failed())
    return {};
  loop.scans.resize(n.numOutputs() - loop.states.size());
  bool conditional = static_cast<bool>(condition);
  for (int64_t step = 0; !n.failed() && (!trips || step < *trips); ++step) {
    if (conditional && !mayRun(n, b, step, trips, condition, loop))
      break;
    iterate(n, b, step, loop, condition);
  }
  if (n.failed())
    return {};
  Values results = loop.states;
  auto outputs = llvm::seq<unsigned>(loop.states.size(), n.numOutputs());
  if (!loop.scans.empty() && loop.scans.front().empty() &&
      llvm::any_of(outputs, [&](unsigned i) { return n.usesOutput(i); })) {
    makeEmptyScans(n, b, loop, condition, results);
    return results;
  }
  for (ArrayRef<Value> scan : loop.scans)
    results.push_back(stackValues(n, b, scan, 0));
  return results;
}
