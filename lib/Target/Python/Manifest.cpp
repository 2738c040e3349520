//===- Manifest.cpp - the facts of a module as JSON -----------------------===//

#include "EmissionPlan.h"

#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Target/Artifact/Weights.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace forge;
namespace json = llvm::json;
using json::fixUTF8;

// The weights of the model that a computed weight depends on.
static json::Array computedFrom(Operation *op) {
  llvm::SetVector<StringRef> names;
  for (Operation *source : withSources(op))
    if (isa<ParameterOp, ConstantOp>(source) && !nodeName(source->getLoc()).empty())
      names.insert(nodeName(source->getLoc()));
  return json::Array(llvm::map_range(names, fixUTF8));
}

static json::Object weightJson(const EmissionPlan &plan, const PlannedWeight &weight) {
  json::Object facts{{"name", weight.name},
                     {"onnx_name", fixUTF8(weight.onnxName)},
                     {"kind", weight.isParameter ? "parameter" : "constant"},
                     {"source", weightSource(plan.computed, weight.op)}};
  if (plan.computed.contains(weight.op))
    facts["computed_from"] = computedFrom(weight.op);
  return typed(std::move(facts), weight.type);
}

// Converts dictionaries, arrays, strings and integers of MLIR to JSON; a unit attribute is null.
static json::Value jsonOf(Attribute attribute) {
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    json::Object object;
    for (NamedAttribute entry : dictionary)
      object[fixUTF8(entry.getName().getValue())] = jsonOf(entry.getValue());
    return object;
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    return json::Array(llvm::map_range(list, jsonOf));
  if (auto text = dyn_cast<StringAttr>(attribute))
    return fixUTF8(text.getValue());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return number.getValue().trySExtValue().value_or(0);
  return nullptr;
}

// The ONNX type of one input or output; what the IR does not record is taken from the device's tensor.
static json::Object onnxTensor(const PlannedTensor &tensor, DictionaryAttr attributes) {
  Type element = tensor.type.getElementType();
  ArrayRef<int64_t> shape = tensor.type.getShape();
  bool isKnown = true;
  if (auto declared = attributes ? attributes.getAs<TypeAttr>(kOnnxTypeAttr) : TypeAttr())
    if (auto type = dyn_cast<torch::ValueTensorType>(declared.getValue())) {
      element = type.getDtype();
      // The importer also writes an unknown rank as rank 0.
      isKnown = !type.getSizes().empty() || tensor.type.getNumElements() == 1;
      isKnown &= !llvm::is_contained(type.getSizes(), ShapedType::kDynamic);
      shape = type.getSizes();
    }
  return json::Object{{"name", fixUTF8(tensor.onnxName)},
                      {"dtype", numpyName(element)},
                      {"shape", isKnown ? json::Value(json::Array(shape)) : nullptr}};
}

// Facts about the ONNX model. Those that forge-mlir's importer recorded on the module override those of the IR.
static json::Object onnxFacts(func::FuncOp func, const EmissionPlan &plan, DictionaryAttr importerFacts) {
  json::Array inputs, outputs;
  for (auto [i, input] : llvm::enumerate(plan.inputs))
    inputs.push_back(onnxTensor(input, func.getArgAttrDict(i)));
  for (auto [i, output] : llvm::enumerate(plan.outputs))
    outputs.push_back(onnxTensor(output, func.getResultAttrDict(i)));
  auto number = [](Attribute attr) {
    auto integer = dyn_cast_or_null<IntegerAttr>(attr);
    return integer ? integer.getValue().trySExtValue().value_or(0) : 0;
  };
  json::Object opset;
  if (Attribute main = func->getAttr(torch::kOpsetAttr))
    opset[""] = number(main);
  if (auto others = func->getAttrOfType<DictionaryAttr>(torch::kOpsetsAttr))
    for (NamedAttribute other : others)
      opset[fixUTF8(other.getName().getValue())] = number(other.getValue());
  StringRef producer = textOf(func->getAttr("torch.onnx_meta.producer_name"));
  StringRef version = textOf(func->getAttr("torch.onnx_meta.producer_version"));
  json::Object facts{{"graph", fixUTF8(func.getSymName())},
                     {"opset", std::move(opset)},
                     {"ir_version", number(func->getAttr("torch.onnx_meta.ir_version"))},
                     {"producer", fixUTF8(StringRef((producer + " " + version).str()).trim())},
                     {"inputs", std::move(inputs)},
                     {"outputs", std::move(outputs)}};
  if (auto known = importerFacts.getAs<DictionaryAttr>("onnx"))
    for (NamedAttribute fact : known)
      facts[fact.getName().getValue().str()] = jsonOf(fact.getValue());
  return facts;
}

// Variables by name; null for weights, layer numbers and node names.
static json::Array operandsJson(ArrayRef<std::string> operands) {
  json::Array result;
  for (StringRef operand : operands) {
    bool isVariable =
        !llvm::isDigit(operand.front()) && llvm::all_of(operand, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    result.push_back(isVariable ? json::Value(operand) : json::Value(nullptr));
  }
  return result;
}

static json::Array bodyJson(const PlannedBody &body, ArrayRef<unsigned> lines) {
  json::Array rows;
  for (auto [call, line] : llvm::zip_equal(body.calls, lines)) {
    json::Object row{
        {"line", line}, {"variables", json::Array(call.targets)}, {"operands", operandsJson(call.operands)}};
    if (auto op = dyn_cast_if_present<ForgeCallOpInterface>(call.op))
      row["op"] = op.getCallee();
    else
      row["method"] = call.method;
    if (!call.loopNumbers.empty())
      row["loop"] = json::Array(call.loopNumbers);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Adds the table of calls, so that readers need not parse Python, and the SHA-256 of the emitted text that it
// describes. The table has the statements of `forward` and, once, those of each method. A call of a method lists the
// ONNX nodes of all calls in it.
static void addCallTable(json::Object &manifest, const EmissionPlan &plan, const PrintedModule &printed) {
  json::Array forward = bodyJson(plan.forward, printed.lines.front());
  for (auto [row, call] : llvm::zip_equal(forward, plan.forward.calls)) {
    auto nodes = llvm::map_range(call.made(), [](Operation *op) { return fixUTF8(calledNode(op)); });
    (*row.getAsObject())["nodes"] = json::Array(nodes);
  }
  json::Object methods;
  for (auto [method, lines] : llvm::zip_equal(plan.methods, ArrayRef(printed.lines).drop_front()))
    methods[method.name] = json::Object{{"parameters", json::Array(method.parameters)},
                                        {"calls", bodyJson(method.body, lines)},
                                        {"returns", json::Array(method.body.returned)}};
  manifest["calls"] = json::Object{{"forward", std::move(forward)}, {"methods", std::move(methods)}};
  auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(printed.python));
  manifest["calls_of_sha256"] = llvm::toHex(digest, /*LowerCase=*/true);
}

static json::Array traceJson(const EmissionPlan &plan) {
  json::Array trace;
  for (const auto &[onnxName, traced] : plan.trace) {
    json::Object entry{{"onnx_name", fixUTF8(onnxName)}, {"variable", plan.pathOf(traced.value)}};
    if (!traced.axes.empty())
      entry["axes"] = json::Array(traced.axes);
    if (traced.scale != 1)
      entry["scale"] = traced.scale;
    if (!traced.shape.empty())
      entry["shape"] = json::Array(traced.shape);
    trace.push_back(std::move(entry));
  }
  return trace;
}

std::string forge::writeManifest(const EmissionPlan &plan, const PrintedModule &printed, func::FuncOp model) {
  json::Array inputs, outputs, weights;
  for (const PlannedTensor &input : plan.inputs) {
    json::Object entry = typed(json::Object{{"name", input.name}, {"onnx_name", fixUTF8(input.onnxName)}}, input.type);
    if (!input.indexRange.empty())
      entry["index_range"] = json::Array(input.indexRange);
    inputs.push_back(std::move(entry));
  }
  for (const PlannedTensor &output : plan.outputs) {
    json::Object entry = typed(json::Object{{"onnx_name", fixUTF8(output.onnxName)}}, output.type);
    if (output.isScalar)
      entry["scalar"] = true;
    outputs.push_back(std::move(entry));
  }
  for (const auto &[op, weight] : plan.weights)
    weights.push_back(weightJson(plan, weight));
  json::Object manifest{{"format", kManifestFormat},     {"module", plan.moduleName},
                        {"class", plan.className},       {"inputs", std::move(inputs)},
                        {"outputs", std::move(outputs)}, {"weights", std::move(weights)}};
  addCallTable(manifest, plan, printed);
  if (!plan.trace.empty())
    manifest["trace"] = traceJson(plan);
  if (model) {
    auto facts = model->getParentOfType<ModuleOp>()->getAttrOfType<DictionaryAttr>(kFactsAttr);
    facts = facts ? facts : DictionaryAttr::get(model.getContext());
    manifest["onnx"] = onnxFacts(model, plan, facts);
    auto versions = facts.getAs<DictionaryAttr>("versions");
    manifest["versions"] = versions ? jsonOf(versions) : json::Object{{"mlir", LLVM_VERSION_STRING}};
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", json::Value(std::move(manifest))) << "\n";
  return text;
}
