//===- PartitionedModelToPython.cpp - a driver and its partitions ------------===//

#include "EmissionPlan.h"

#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ScopedPrinter.h"

#include <map>

using namespace mlir;
using namespace forge;
namespace json = llvm::json;
using json::fixUTF8;

// The text of a driver, and of the module of a CPU partition.
static constexpr StringLiteral kDriverText =
#include "partitioned_model.inc"
    ;
static constexpr StringLiteral kCpuText =
#include "cpu_partition.inc"
    ;

// A value between partitions with its ONNX type. The shape is null if it is dynamic. `inner` is the value that the
// partition returns.
static json::Object valueJson(StringRef name, Type type, Value inner = {}) {
  json::Object value{{"onnx_name", fixUTF8(name)}, {"dtype", nullptr}, {"shape", nullptr}};
  auto tensor = dyn_cast<torch::ValueTensorType>(type);
  if (!tensor)
    return value;
  value["dtype"] = llvm::to_string(tensor.getDtype());
  // The importer writes an unknown rank as rank 0.
  auto node = dyn_cast_or_null<OpResult>(inner);
  bool isKnown =
      !tensor.getSizes().empty() || (node && (torch::isScalarResult(node) || isa<RankedTensorType>(node.getType())));
  if (isKnown && !llvm::is_contained(tensor.getSizes(), ShapedType::kDynamic))
    value["shape"] = json::Array(tensor.getSizes());
  return value;
}

static StringRef nameAttr(DictionaryAttr attributes) { return attributes ? textOf(attributes.get(kOnnxNameAttr)) : ""; }

// The names of the results of a node, as far as the importer gave them.
static SmallVector<StringRef> resultNames(torch::OperatorOp op) {
  auto list = op->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr);
  return list ? llvm::map_to_vector(list, textOf) : SmallVector<StringRef>();
}

static bool isConstant(torch::OperatorOp op) { return op.getName() == "onnx.Constant" && op->getNumOperands() == 0; }

// A constant that a CPU partition uses, with its bytes (one element for a splat); null if the importer kept it out of
// the IR.
static json::Value constantJson(torch::OperatorOp op) {
  SmallVector<StringRef> names = resultNames(op);
  auto value = op->getAttrOfType<DenseIntOrFPElementsAttr>(torch::kValueAttr);
  if (names.empty() || !value)
    return nullptr;
  bool isBool = value.getElementType().isInteger(1);
  std::string raw(value.getRawData().begin(), value.getRawData().end());
  if (isBool) // One byte per element.
    raw.assign(value.value_begin<bool>(), value.value_end<bool>());
  return json::Object{{"name", fixUTF8(names.front())},
                      {"dtype", llvm::to_string(value.getElementType())},
                      {"shape", json::Array(value.getType().getShape())},
                      {"splat", value.isSplat() && !isBool},
                      {"hex", llvm::toHex(raw, /*LowerCase=*/true)}};
}

static StringRef opType(torch::OperatorOp op) {
  StringRef type = op.getName();
  type.consume_front("onnx.");
  return type;
}

static json::Object nodeJson(torch::OperatorOp op) {
  auto text = [&](StringRef attribute) { return fixUTF8(textOf(op->getAttr(attribute))); };
  return json::Object{{"name", fixUTF8(nodeName(op.getLoc()))},
                      {"op", fixUTF8(opType(op))},
                      {"domain", text(torch::kDomainAttr)},
                      {"reason", text(kCpuAttr)},
                      {"results", json::Array(llvm::map_range(resultNames(op), fixUTF8))}};
}

// The number of each ONNX op or Forge call in a partition.
static json::Object countOps(func::FuncOp func) {
  std::map<std::string, int64_t> counts;
  for (Operation &op : func.front())
    if (auto call = dyn_cast<ForgeCallOpInterface>(op))
      ++counts[call.getCallee().str()];
    else if (auto node = dyn_cast<torch::OperatorOp>(op); node && !isConstant(node))
      ++counts[opType(node).str()];
  json::Object result;
  for (const auto &[name, count] : counts)
    result[fixUTF8(name)] = count;
  return result;
}

namespace {
class PartitionedModelWriter {
public:
  PartitionedModelWriter(func::FuncOp driver, StringRef name, bool readsModelFiles)
      : driver(driver), stem(pyIdentifier(name, "model")), readsModelFiles(readsModelFiles),
        symbols(driver->getParentOp()) {
    moduleNames.reserve(stem);
  }

  FailureOr<EmittedModule> write() {
    if (failed(requireBody(driver)))
      return failure();
    for (BlockArgument argument : driver.getArguments()) {
      idOf[argument] = values.size();
      values.push_back(valueJson(nameAttr(driver.getArgAttrDict(argument.getArgNumber())), argument.getType()));
    }
    for (Operation &op : driver.front().without_terminator()) {
      auto run = dyn_cast<RunOp>(op);
      if (!run)
        return emitError(&op, Code::NotEmittable) << "expected a driver of forge.run ops only";
      if (failed(writePartition(run, partitions.size())))
        return failure();
    }
    json::Array outputs;
    for (auto [i, value] : llvm::enumerate(driver.front().getTerminator()->getOperands())) {
      if (!idOf.contains(value))
        return emitError(driver, Code::NotEmittable) << "output " << i << " comes from no partition";
      outputs.push_back(
          json::Object{{"onnx_name", fixUTF8(nameAttr(driver.getResultAttrDict(i)))}, {"value", idOf.lookup(value)}});
    }
    std::string className = pyClassName(stem);
    json::Object manifest{{"format", kManifestFormat},
                          {"module", stem},
                          {"class", className},
                          {"inputs", ids(driver.getArguments())},
                          {"outputs", std::move(outputs)},
                          {"values", std::move(values)},
                          {"partitions", std::move(partitions)}};
    emitted.name = stem;
    emitted.python = filled(kDriverText, {{"CLASS_NAME", className},
                                          {"PART_COUNT", std::to_string(emitted.parts.size())},
                                          {"MODULE_STEM", stem},
                                          {"AFTER_AN_EDIT", kAfterAnEdit.str()}});
    llvm::raw_string_ostream(emitted.manifest) << llvm::formatv("{0:2}", json::Value(std::move(manifest))) << "\n";
    return std::move(emitted);
  }

private:
  static LogicalResult requireBody(func::FuncOp func) {
    if (llvm::hasSingleElement(func.getBody()))
      return success();
    return emitError(func, Code::NotEmittable) << "expected a function with one block";
  }

  LogicalResult writePartition(RunOp run, unsigned number) {
    auto func = symbols.lookup<func::FuncOp>(run.getCallee());
    if (failed(requireBody(func)))
      return failure();
    StringRef kind = partitionKind(func);
    std::string name = moduleNames.unique(pyIdentifier((stem + "_" + kind + Twine(number)).str(), "partition"));
    OperandRange returned = func.front().getTerminator()->getOperands();
    for (auto [i, result] : llvm::enumerate(run.getResults())) {
      idOf[result] = values.size();
      values.push_back(valueJson(nameAttr(func.getResultAttrDict(i)), result.getType(), returned[i]));
    }
    json::Array nodes, constants;
    if (kind == "cpu") {
      emitted.parts.push_back(cpuModule(func, name));
      for (auto op : func.front().getOps<torch::OperatorOp>()) {
        if (!isConstant(op))
          nodes.push_back(nodeJson(op));
        else if (json::Value constant = constantJson(op); constant.getAsObject())
          constants.push_back(std::move(constant));
      }
    } else {
      FailureOr<EmittedModule> module = emitDevice(func, name, readsModelFiles, /*isPartition=*/true);
      if (failed(module))
        return failure();
      emitted.parts.push_back(std::move(*module));
    }
    auto adds = func->getAttrOfType<IntegerAttr>(kMultiplyAddsAttr);
    partitions.push_back(json::Object{{"module", emitted.parts.back().name},
                                      {"kind", kind},
                                      {"inputs", ids(run.getOperands())},
                                      {"outputs", ids(run.getResults())},
                                      {"ops", countOps(func)},
                                      {"nodes", std::move(nodes)},
                                      {"constants", std::move(constants)},
                                      {"multiply_adds", adds ? adds.getInt() : 0}});
    return success();
  }

  EmittedModule cpuModule(func::FuncOp func, StringRef name) {
    Namespace names;
    names.reserve("self");
    std::string parameters, arguments;
    for (unsigned i = 0; i < func.getNumArguments(); ++i) {
      std::string argument = names.unique(pyIdentifier(nameAttr(func.getArgAttrDict(i)), "x"));
      parameters += ", " + argument;
      arguments += (i == 0 ? "" : ", ") + argument;
    }
    auto nodes = llvm::make_filter_range(func.front().getOps<torch::OperatorOp>(), std::not_fn(isConstant));
    std::string text = filled(kCpuText, {{"CLASS_NAME", pyClassName(name)},
                                         {"NODE_COUNT", std::to_string(std::distance(nodes.begin(), nodes.end()))},
                                         {"MODULE_STEM", name.str()},
                                         {", ARGUMENT_NAMES", parameters},
                                         {"ARGUMENT_NAMES", arguments}});
    return {name.str(), std::move(text), "{}", {}};
  }

  json::Array ids(ValueRange range) {
    return json::Array(llvm::map_range(range, [&](Value value) { return idOf.lookup(value); }));
  }

  func::FuncOp driver;
  std::string stem;
  Namespace moduleNames; // A long name of a partition is shortened, and could then be that of the model.
  bool readsModelFiles;
  SymbolTable symbols;
  DenseMap<Value, int64_t> idOf;
  json::Array values, partitions;
  EmittedModule emitted;
};
} // namespace

FailureOr<EmittedModule> forge::emitPartitionedModel(func::FuncOp driver, StringRef name, bool readsModelFiles) {
  return PartitionedModelWriter(driver, name, readsModelFiles).write();
}
