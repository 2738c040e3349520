//===- EmissionPlan.cpp - names and order (for layers: CallOrder.cpp) -----===//

#include "EmissionPlan.h"

#include "forge/Target/Artifact/Weights.h"
#include "llvm/Support/ConvertUTF.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Names that Forge generates: <OpType>_<n>, matmul_<n> and batchnorm_<n>; outputs and biases add a suffix after a dot.
static bool looksGenerated(StringRef name) {
  auto [stem, number] = name.rsplit('_');
  return !number.empty() && llvm::all_of(number, llvm::isDigit) && !stem.empty() && llvm::all_of(stem, llvm::isAlnum) &&
         (llvm::isUpper(stem.front()) || stem == "matmul" || stem == "batchnorm");
}

// A name in Forge's graph that no other name there is.
static std::string graphName(Namespace &names, const std::string &wanted, StringRef suffix) {
  std::string name = names.unique(wanted);
  return looksGenerated(name) ? names.unique((wanted + suffix).str()) : name;
}

Namespace forge::functionNames() {
  Namespace names;
  for (StringRef taken : {"self", "forge", "torch", "release"})
    names.reserve(taken);
  return names;
}

EmissionPlan::EmissionPlan(func::FuncOp func, StringRef name) : body(&func.front()), computed(func.front()) {
  moduleName = pyIdentifier(name, "model");
  className = pyClassName(moduleName);
  nameInputsAndOutputs(func);
  nameWeights();
  nameResults();
  traceValues();
  for (Value output : func.front().getTerminator()->getOperands())
    forward.returned.push_back(operand(output));
  bool isFlat = func->hasAttr(kFlatAttr);
  if (isFlat || !planMethods(*this))
    planForward();
  if (!isFlat)
    planBlocks(*this);
  planReleases();
}

bool EmissionPlan::isCall(Operation &op) const { return isa<ForgeCallOpInterface>(op) && !computed.contains(&op); }

void EmissionPlan::nameInputsAndOutputs(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    auto attr = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kOnnxNameAttr);
    StringRef onnxName = attr ? attr.getValue() : nodeName(argument.getLoc());
    std::string name = graphName(variableNames, pyIdentifier(onnxName, "x"), "_input");
    graphNames.reserve(name);
    variables[argument] = name;
    auto indices = func.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), kIndexRangeAttr);
    inputs.push_back({name, onnxName.str(), tensorType(argument), /*isScalar=*/false,
                      indices ? indices.asArrayRef() : ArrayRef<int64_t>()});
  }
  for (auto [i, output] : llvm::enumerate(func.front().getTerminator()->getOperands())) {
    outputs.push_back({"", textOf(func.getResultAttr(i, kOnnxNameAttr)).str(), tensorType(output),
                       func.getResultAttr(i, kScalarAttr) != nullptr});
    if (auto next = func.getResultAttrOfType<StringAttr>(i, kLoopbackAttr))
      for (auto [number, input] : llvm::enumerate(inputs))
        if (input.onnxName == next.getValue())
          outputs.back().loopback = number;
  }
}

void EmissionPlan::nameWeights() {
  // safetensors stores its metadata under this key.
  graphNames.reserve("__metadata__");
  llvm::StringMap<unsigned> made; // weights of each name so far
  for (Operation &op : *body) {
    if (!computed.isStored(&op))
      continue;
    ParameterOp parameter = firstSource(&op);
    StringRef onnxName = nodeName(parameter ? parameter.getLoc() : op.getLoc());
    std::string wanted = !onnxName.empty() ? onnxName.str() : parameter ? parameter.getKey().str() : "constant";
    // The name becomes a key in JSON and in the safetensors header, which must be valid UTF-8.
    const auto *begin = reinterpret_cast<const llvm::UTF8 *>(wanted.data());
    if (!llvm::isLegalUTF8String(&begin, begin + wanted.size()))
      wanted = pyIdentifier(wanted, "weight");
    if (looksGenerated(wanted))
      wanted += "_weight";
    // Not with "_", which models use for numbers of their own: names of weights in layers must stay regular.
    if (unsigned earlier = made[wanted]++)
      wanted += ":" + std::to_string(earlier);
    RankedTensorType type = tensorType(op.getResult(0));
    bool isParameter = isa<FloatType>(type.getElementType());
    weights.insert({&op, {&op, graphName(graphNames, wanted, "_weight"), onnxName.str(), type, isParameter}});
  }
}

// `constant_0_5`, `constant_minus_1`: the value describes a constant better than the first node that uses it.
static std::string constantName(ScalarConstantOp op) {
  double value = op.getConstant().convertToDouble();
  std::string text = isa<FloatType>(tensorType(op.getResult()).getElementType())
                         ? pyFloat(static_cast<float>(std::abs(value)))
                         : std::to_string(static_cast<int64_t>(std::abs(value)));
  if (!std::isfinite(value))
    text = std::isnan(value) ? "nan" : "infinity";
  return pyIdentifier((Twine("constant_") + (value < 0 ? "minus_" : "") + text).str(), "constant");
}

// One node may become several ops. If all have one kind (the results of a split) they are numbered; otherwise the last
// one gets the name of the node and the others are named after their ops.
void forge::nameResultsOf(ArrayRef<Operation *> calls, llvm::function_ref<StringRef(Operation *)> nodeOf,
                          Namespace &names, llvm::DenseMap<Value, std::string> &variables) {
  struct Group {
    unsigned ops = 0;
    OperationName kind;
    bool uniform = true;
    Operation *last = nullptr;
    unsigned next = 0;
  };
  llvm::StringMap<Group> groups;
  for (Operation *op : calls) {
    auto [entry, inserted] = groups.try_emplace(nodeOf(op), Group{0, op->getName()});
    Group &group = entry->second;
    ++group.ops;
    group.uniform &= group.kind == op->getName();
    group.last = op;
  }
  for (Operation *op : calls) {
    if (auto scalar = dyn_cast<ScalarConstantOp>(op)) {
      variables[op->getResult(0)] = names.unique(constantName(scalar));
      continue;
    }
    StringRef node = nodeOf(op);
    StringRef kind = op->getName().stripDialect();
    Group &group = groups.find(node)->second;
    // torch's exporter names the node of value `x` "node_x".
    std::string wanted = pyIdentifier(node.starts_with("node_") ? node.drop_front(5) : node, kind);
    if (node.empty())
      wanted = pyIdentifier(kind, "op");
    else if (group.ops > 1 && group.uniform)
      wanted += "_" + std::to_string(group.next++);
    else if (group.last != op)
      wanted += ("_" + kind).str();
    variables[op->getResult(0)] = names.unique(wanted);
  }
}

void EmissionPlan::nameResults() {
  SmallVector<Operation *> calls;
  for (Operation &op : *body)
    if (isCall(op))
      calls.push_back(&op);
  nameResultsOf(calls, [](Operation *op) { return nodeName(op->getLoc()); }, variableNames, variables);
}

std::string EmissionPlan::operand(Value value) const {
  auto weight = weights.find(value.getDefiningOp());
  if (value.getDefiningOp() && weight != weights.end())
    return pyGetter(pyString(weight->second.name), weight->second);
  return variables.lookup(value);
}

StringRef forge::calledNode(Operation *op) { return isa<ScalarConstantOp>(op) ? "" : nodeName(op->getLoc()); }

PlannedCall EmissionPlan::callOf(Operation *op) const {
  PlannedCall call;
  call.op = op;
  call.targets.push_back(variables.lookup(op->getResult(0)));
  call.operands = llvm::map_to_vector(op->getOperands(), [&](Value value) { return operand(value); });
  if (StringRef node = calledNode(op); !node.empty())
    call.node = pyString(node);
  return call;
}

void EmissionPlan::planForward() {
  for (Operation &op : *body)
    if (isCall(op))
      forward.calls.push_back(callOf(&op));
  // Constants first: among the calls of a layer or block they would become a part of it.
  llvm::stable_sort(forward.calls, [](const PlannedCall &a, const PlannedCall &b) {
    return isa<ScalarConstantOp>(a.op) && !isa<ScalarConstantOp>(b.op);
  });
}

static std::string lookUp(const llvm::StringMap<std::string> &names, const std::string &name) {
  auto found = names.find(name);
  return found != names.end() ? found->second : name;
}

std::string EmissionPlan::pathOf(Value value) const {
  auto inside = pathsInMethods.find(value);
  if (inside == pathsInMethods.end())
    return lookUp(forward.moved, lookUp(renamed, variables.lookup(value)));
  const InMethod &local = inside->second;
  auto loop = pathsInLoops.find(local.call);
  return (loop != pathsInLoops.end() ? loop->second : lookUp(renamed, local.call)) + "." +
         lookUp(methods[local.method].body.moved, local.local);
}

// If several ops have the name of a traced node, the last one has its value.
void EmissionPlan::traceValues() {
  for (Operation &op : *body)
    if (isCall(op))
      for (auto [onnxName, shape, scale] : tracedValues(op.getLoc()))
        trace[onnxName] = {op.getResult(0), tracedAxes(op.getLoc()), SmallVector<int64_t>(shape), scale};
}
