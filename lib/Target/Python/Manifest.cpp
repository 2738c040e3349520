//===- Manifest.cpp - the facts of a module as JSON -----------------------===//

#include "EmissionPlan.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Target/Artifact/Weights.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace forge;

// The weights of the model that a computed weight depends on.
static llvm::json::Array computedFrom(const EmissionPlan &plan, Operation *op) {
  llvm::SetVector<StringRef> names;
  llvm::SetVector<Operation *> below;
  below.insert(op);
  for (size_t i = 0; i < below.size(); ++i) {
    if (isa<ParameterOp, ConstantOp>(below[i]) && !nodeName(below[i]->getLoc()).empty())
      names.insert(nodeName(below[i]->getLoc()));
    for (Value operand : below[i]->getOperands())
      below.insert(operand.getDefiningOp());
  }
  llvm::json::Array result;
  for (StringRef name : names)
    result.push_back(llvm::json::fixUTF8(name));
  return result;
}

static llvm::json::Object weightJson(const EmissionPlan &plan, const PlannedWeight &weight) {
  llvm::json::Object facts{{"name", weight.name},
                           {"onnx_name", llvm::json::fixUTF8(weight.onnxName)},
                           {"kind", weight.isParameter ? "parameter" : "constant"},
                           {"source", weightSource(plan.computed, weight.op)}};
  llvm::json::Object entry = typed(std::move(facts), weight.type);
  if (plan.computed.contains(weight.op))
    entry["computed_from"] = computedFrom(plan, weight.op);
  return entry;
}

//===----------------------------------------------------------------------===//
// Facts about the ONNX model
//===----------------------------------------------------------------------===//

// Converts dictionaries, arrays, strings and integers of MLIR to JSON; a unit attribute is null.
static llvm::json::Value jsonOf(Attribute attribute) {
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    llvm::json::Object object;
    for (NamedAttribute entry : dictionary)
      object[llvm::json::fixUTF8(entry.getName().getValue())] = jsonOf(entry.getValue());
    return object;
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    llvm::json::Array array;
    for (Attribute entry : list)
      array.push_back(jsonOf(entry));
    return array;
  }
  if (auto text = dyn_cast<StringAttr>(attribute))
    return llvm::json::fixUTF8(text.getValue());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return number.getValue().trySExtValue().value_or(0);
  return nullptr;
}

// The ONNX type of one input or output; what the IR does not record is taken from the device's tensor.
static llvm::json::Object onnxTensor(const PlannedTensor &tensor, DictionaryAttr attributes) {
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
  return llvm::json::Object{{"name", llvm::json::fixUTF8(tensor.onnxName)},
                            {"dtype", numpyName(element)},
                            {"shape", isKnown ? llvm::json::Value(llvm::json::Array(shape)) : nullptr}};
}

// Facts about the ONNX model. Those that forge-mlir's importer recorded on the module override those of the IR.
static llvm::json::Object onnxFacts(func::FuncOp func, const EmissionPlan &plan, DictionaryAttr importerFacts) {
  llvm::json::Array inputs, outputs;
  for (auto [i, input] : llvm::enumerate(plan.inputs))
    inputs.push_back(onnxTensor(input, func.getArgAttrDict(i)));
  for (auto [i, output] : llvm::enumerate(plan.outputs))
    outputs.push_back(onnxTensor(output, func.getResultAttrDict(i)));
  auto number = [](Attribute attr) {
    auto integer = dyn_cast_or_null<IntegerAttr>(attr);
    return integer ? integer.getValue().trySExtValue().value_or(0) : 0;
  };
  auto text = [&](StringRef name) {
    auto attr = func->getAttrOfType<StringAttr>(name);
    return attr ? attr.getValue().str() : "";
  };
  llvm::json::Object opset;
  if (Attribute main = func->getAttr(torch::kOpsetAttr))
    opset[""] = number(main);
  if (auto others = func->getAttrOfType<DictionaryAttr>(torch::kOpsetsAttr))
    for (NamedAttribute other : others)
      opset[llvm::json::fixUTF8(other.getName().getValue())] = number(other.getValue());
  std::string producer = text("torch.onnx_meta.producer_name"), version = text("torch.onnx_meta.producer_version");
  llvm::json::Object facts{{"graph", llvm::json::fixUTF8(func.getSymName())},
                           {"opset", std::move(opset)},
                           {"ir_version", number(func->getAttr("torch.onnx_meta.ir_version"))},
                           {"producer", llvm::json::fixUTF8(StringRef(producer + " " + version).trim())},
                           {"inputs", std::move(inputs)},
                           {"outputs", std::move(outputs)}};
  if (auto known = importerFacts.getAs<DictionaryAttr>("onnx"))
    for (NamedAttribute fact : known)
      facts[fact.getName().getValue().str()] = jsonOf(fact.getValue());
  return facts;
}

//===----------------------------------------------------------------------===//
// The table of calls, so that readers need not parse Python: the statements of `forward` and, once, those of each
// method. A call of a method lists the ONNX nodes of all calls in it.
//===----------------------------------------------------------------------===//

static llvm::json::Array namesJson(ArrayRef<std::string> names) {
  llvm::json::Array result;
  for (const std::string &name : names)
    result.push_back(name);
  return result;
}

// Variables by name; null for weights, layer numbers and node names.
static llvm::json::Array operandsJson(ArrayRef<std::string> operands) {
  llvm::json::Array result;
  for (StringRef operand : operands) {
    bool isVariable =
        !llvm::isDigit(operand.front()) && llvm::all_of(operand, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    result.push_back(isVariable ? llvm::json::Value(operand) : llvm::json::Value(nullptr));
  }
  return result;
}

static llvm::json::Array bodyJson(const PlannedBody &body, ArrayRef<unsigned> lines) {
  llvm::json::Array rows;
  for (auto [call, line] : llvm::zip_equal(body.calls, lines)) {
    llvm::json::Object row{
        {"line", line}, {"variables", namesJson(call.targets)}, {"operands", operandsJson(call.operands)}};
    if (auto op = dyn_cast_if_present<ForgeCallOpInterface>(call.op))
      row["op"] = op.getCallee();
    else
      row["method"] = call.method;
    if (!call.loopNumbers.empty())
      row["loop"] = llvm::json::Array(call.loopNumbers);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Adds the table of calls, and the SHA-256 of the emitted text that it describes.
static void addCallTable(llvm::json::Object &manifest, const EmissionPlan &plan, const PrintedModule &printed) {
  llvm::json::Array forward = bodyJson(plan.forward, printed.lines.front());
  for (auto [row, call] : llvm::zip_equal(forward, plan.forward.calls)) {
    llvm::json::Array nodes;
    for (Operation *op : call.made())
      nodes.push_back(llvm::json::fixUTF8(calledNode(op)));
    (*row.getAsObject())["nodes"] = std::move(nodes);
  }
  llvm::json::Object methods;
  for (auto [method, lines] : llvm::zip_equal(plan.methods, ArrayRef(printed.lines).drop_front()))
    methods[method.name] = llvm::json::Object{{"parameters", namesJson(method.parameters)},
                                              {"calls", bodyJson(method.body, lines)},
                                              {"returns", namesJson(method.body.returned)}};
  manifest["calls"] = llvm::json::Object{{"forward", std::move(forward)}, {"methods", std::move(methods)}};
  auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(printed.python));
  manifest["calls_of_sha256"] = llvm::toHex(digest, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

static llvm::json::Array traceJson(const EmissionPlan &plan) {
  llvm::json::Array trace;
  for (const auto &[onnxName, traced] : plan.trace) {
    llvm::json::Object entry{{"onnx_name", llvm::json::fixUTF8(onnxName)}, {"variable", plan.pathOf(traced.value)}};
    if (!traced.axes.empty())
      entry["axes"] = llvm::json::Array(traced.axes);
    if (traced.scale != 1)
      entry["scale"] = traced.scale;
    if (!traced.shape.empty())
      entry["shape"] = llvm::json::Array(traced.shape);
    trace.push_back(std::move(entry));
  }
  return trace;
}

std::string forge::writeManifest(const EmissionPlan &plan, const PrintedModule &printed, func::FuncOp model) {
  llvm::json::Array inputs, outputs, weights;
  for (const PlannedTensor &input : plan.inputs) {
    llvm::json::Object entry =
        typed(llvm::json::Object{{"name", input.name}, {"onnx_name", llvm::json::fixUTF8(input.onnxName)}}, input.type);
    if (!input.indexRange.empty())
      entry["index_range"] = llvm::json::Array(input.indexRange);
    inputs.push_back(std::move(entry));
  }
  for (const PlannedTensor &output : plan.outputs) {
    llvm::json::Object entry =
        typed(llvm::json::Object{{"onnx_name", llvm::json::fixUTF8(output.onnxName)}}, output.type);
    if (output.isScalar)
      entry["scalar"] = true;
    outputs.push_back(std::move(entry));
  }
  for (const auto &[op, weight] : plan.weights)
    weights.push_back(weightJson(plan, weight));
  llvm::json::Object manifest{{"format", kManifestFormat},     {"module", plan.moduleName},
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
    manifest["versions"] = versions ? jsonOf(versions) : llvm::json::Object{{"mlir", LLVM_VERSION_STRING}};
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", llvm::json::Value(std::move(manifest))) << "\n";
  return text;
}
