//===- EmissionPlan.cpp - names, order and lifetimes ----------------------===//

#include "EmissionPlan.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace forge;

// Names that Forge makes itself: <OpType>_<n>, matmul_<n> and batchnorm_<n>; outputs and biases add a suffix with a
// dot.
static bool looksGenerated(StringRef name) {
  auto [stem, number] = name.rsplit('_');
  return !number.empty() && llvm::all_of(number, llvm::isDigit) && !stem.empty() && llvm::all_of(stem, llvm::isAlnum) &&
         (llvm::isUpper(stem.front()) || stem == "matmul" || stem == "batchnorm");
}

EmissionPlan::EmissionPlan(func::FuncOp func, StringRef name) : body(&func.front()), computed(func.front()) {
  moduleName = pyIdentifier(name, "model");
  className = pyClassName(moduleName);
  for (StringRef taken : {"self", "forge", "torch"})
    variableNames.reserve(taken);
  nameInputsAndOutputs(func);
  nameWeights();
  nameResults();
  planReleases();
  traceValues();
}

bool EmissionPlan::isCall(Operation &op) const { return isa<ForgeCallOpInterface>(op) && !computed.contains(&op); }

void EmissionPlan::nameInputsAndOutputs(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    auto attr = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kOnnxNameAttr);
    StringRef onnxName = attr ? attr.getValue() : nodeName(argument.getLoc());
    std::string name = variableNames.unique(pyIdentifier(onnxName, "x"));
    graphNames.reserve(name);
    variables[argument] = name;
    inputs.push_back({name, onnxName.str(), tensorType(argument)});
  }
  for (auto [i, output] : llvm::enumerate(func.front().getTerminator()->getOperands())) {
    auto attr = func.getResultAttrOfType<StringAttr>(i, kOnnxNameAttr);
    outputs.push_back(
        {"", attr ? attr.getValue().str() : "", tensorType(output), func.getResultAttr(i, kScalarAttr) != nullptr});
  }
}

void EmissionPlan::nameWeights() {
  // safetensors keeps its own facts under this key.
  graphNames.reserve("__metadata__");
  for (Operation &op : *body) {
    if (!computed.isStored(&op))
      continue;
    ParameterOp parameter = firstSource(&op);
    StringRef onnxName = nodeName(parameter ? parameter.getLoc() : op.getLoc());
    std::string wanted = !onnxName.empty() ? onnxName.str() : parameter ? parameter.getKey().str() : "constant";
    // The name is a key in JSON and in the safetensors header, which hold text, not bytes.
    const auto *begin = reinterpret_cast<const llvm::UTF8 *>(wanted.data());
    if (!llvm::isLegalUTF8String(&begin, begin + wanted.size()))
      wanted = pyIdentifier(wanted, "weight");
    if (looksGenerated(wanted))
      wanted += "_weight";
    RankedTensorType type = tensorType(op.getResult(0));
    weights.insert(
        {&op, {&op, graphNames.unique(wanted), onnxName.str(), type, isa<FloatType>(type.getElementType())}});
  }
}

// One node may become several ops. When they are all of one kind (the pieces of a split) they are numbered; else the
// last one has the node's name and the others say what they do.
void EmissionPlan::nameResults() {
  struct Group {
    unsigned ops = 0;
    OperationName kind;
    bool uniform = true;
    Operation *last = nullptr;
    unsigned next = 0;
  };
  llvm::StringMap<Group> groups;
  auto calls = llvm::make_filter_range(*body, [&](Operation &op) { return isCall(op); });
  for (Operation &op : calls) {
    auto [entry, inserted] = groups.try_emplace(nodeName(op.getLoc()), Group{0, op.getName()});
    Group &group = entry->second;
    ++group.ops;
    group.uniform &= group.kind == op.getName();
    group.last = &op;
  }
  for (Operation &op : calls) {
    StringRef node = nodeName(op.getLoc());
    StringRef kind = op.getName().stripDialect();
    Group &group = groups.find(node)->second;
    std::string wanted = pyIdentifier(node, kind);
    if (node.empty())
      wanted = pyIdentifier(kind, "op");
    else if (group.ops > 1 && group.uniform)
      wanted += "_" + std::to_string(group.next++);
    else if (group.last != &op)
      wanted += ("_" + kind).str();
    variables[op.getResult(0)] = variableNames.unique(wanted);
  }
}

void EmissionPlan::planReleases() {
  Block &block = *body;
  llvm::DenseMap<Value, Operation *> lastUse;
  for (Operation &op : block)
    for (Value operand : op.getOperands())
      lastUse[operand] = &op;
  for (Operation &op : block.without_terminator()) {
    if (!isCall(op) || isa<ScalarConstantOp>(op))
      continue;
    Value result = op.getResult(0);
    auto last = lastUse.find(result);
    if (last != lastUse.end() && last->second != block.getTerminator() &&
        !llvm::is_contained(block.getTerminator()->getOperands(), result))
      releases[last->second].push_back(result);
  }
}

// A traced op may have become several: the last one has the value.
void EmissionPlan::traceValues() {
  for (Operation &op : *body)
    if (isCall(op))
      for (StringRef onnxName : tracedValues(op.getLoc()))
        trace[onnxName] = {op.getResult(0), tracedAxes(op.getLoc())};
}

StringRef forge::torchDtype(Type element) {
  if (element.isF16())
    return "float16";
  if (element.isBF16())
    return "bfloat16";
  return isa<FloatType>(element) ? "float32" : "int32";
}
