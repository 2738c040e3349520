//===- ArtifactWriter.cpp - module, weights and manifest on disk ----------===//

#include "forge/Target/Artifact/Artifact.h"

#include "ElementNames.h"
#include "JsonText.h"
#include "SafetensorsFile.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Target/Artifact/ArtifactDirectory.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// What the manifest says about the ONNX model
//===----------------------------------------------------------------------===//

// One input or output as ONNX knows it, as the device holds it where the IR does not say more.
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

static llvm::json::Object onnxFacts(func::FuncOp func, const EmissionPlan &plan) {
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
  return llvm::json::Object{{"graph", llvm::json::fixUTF8(func.getSymName())},
                            {"opset", std::move(opset)},
                            {"ir_version", number(func->getAttr("torch.onnx_meta.ir_version"))},
                            {"producer", llvm::json::fixUTF8(StringRef(producer + " " + version).trim())},
                            {"inputs", std::move(inputs)},
                            {"outputs", std::move(outputs)}};
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
class ArtifactWriter {
public:
  ArtifactWriter(func::FuncOp func, StringRef name, StringRef directory)
      : func(func), plan(func, name), target(directory, plan.moduleName) {}

  LogicalResult write(bool force);
  std::string stem() const { return plan.moduleName; }

private:
  LogicalResult writeStaged();
  LogicalResult writeText(StringRef suffix, StringRef text);
  std::string path(StringRef suffix) const {
    SmallString<128> result(target.staging());
    llvm::sys::path::append(result, plan.moduleName + suffix);
    return result.str().str();
  }
  LogicalResult check(llvm::Error error) {
    return error ? LogicalResult(emitError(func, Code::CannotWrite) << llvm::toString(std::move(error))) : success();
  }

  func::FuncOp func;
  EmissionPlan plan;
  ArtifactDirectory target;
};
} // namespace

LogicalResult ArtifactWriter::writeText(StringRef suffix, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path(suffix), error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  return check(llvm::errorCodeToError(error));
}

// What forge-mlir's importer knows about the model goes before what the IR says of it.
static void replaceFacts(llvm::json::Object &manifest, DictionaryAttr facts) {
  if (auto onnx = facts.getAs<DictionaryAttr>("onnx"))
    for (NamedAttribute fact : onnx)
      (*manifest.getObject("onnx"))[fact.getName().getValue().str()] = jsonOf(fact.getValue());
  if (auto versions = facts.getAs<DictionaryAttr>("versions"))
    manifest["versions"] = jsonOf(versions);
}

LogicalResult ArtifactWriter::writeStaged() {
  FailureOr<EmittedModule> emitted = emitDevice(func, plan.moduleName);
  if (failed(emitted))
    return failure();
  llvm::json::Object manifest = std::move(*llvm::cantFail(llvm::json::parse(emitted->manifest)).getAsObject());
  SafetensorsFile file;
  // The manifest has the weights in the plan's order. Where the compiler took the bytes from is no fact of the module.
  for (auto [planned, shown] : llvm::zip_equal(plan.weights, *manifest.getArray("weights"))) {
    llvm::json::Object &weight = *shown.getAsObject();
    std::optional<StringRef> splat = weight.getObject("source")->getString("splat");
    if (splat)
      weight["splat"] = splat->str();
    else
      weight["tensor"] = file.add(plan, planned.second);
    weight.erase("source");
  }
  FailureOr<std::string> digest = file.write(path(".safetensors"), func.getLoc());
  if (failed(digest))
    return failure();
  manifest["onnx"] = onnxFacts(func, plan);
  manifest["versions"] = llvm::json::Object{{"mlir", LLVM_VERSION_STRING}};
  if (auto facts = func->getParentOfType<ModuleOp>()->getAttrOfType<DictionaryAttr>(kFactsAttr))
    replaceFacts(manifest, facts);
  manifest["weights_file"] = plan.moduleName + ".safetensors";
  manifest["weights_sha256"] = *digest;
  manifest["python_sha256"] = sha256Of(emitted->python);
  manifest.erase("trace"); // Only verify asks for it, and it reads its own.
  return failure(failed(writeText(".json", sealedJson(std::move(manifest)))) ||
                 failed(writeText(".py", emitted->python)));
}

LogicalResult ArtifactWriter::write(bool force) {
  if (failed(check(target.open())))
    return failure();
  LogicalResult result = failure(failed(writeStaged()) || failed(check(target.publish(force))));
  target.close();
  return result;
}

FailureOr<std::string> forge::writeArtifact(ModuleOp module, StringRef name, StringRef directory, bool force) {
  FailureOr<func::FuncOp> func = entryFunction(module);
  if (failed(func))
    return failure();
  if (isHostFunction(*func))
    return emitError(*func, Code::NotEmittable)
           << "a partitioned model needs its ONNX graph to be written; compile it with forge-mlir";
  if (failed(verifyEmittable(*func)))
    return failure();
  ArtifactWriter writer(*func, nameOf(*func, name), directory);
  if (failed(writer.write(force)))
    return failure();
  return writer.stem();
}
