//===- ArtifactWriter.cpp - module, weights and manifest on disk ----------===//

#include "SafetensorsFile.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace forge;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// What the manifest says about the ONNX model
//===----------------------------------------------------------------------===//

// numpy's name of an importer's element type; "unknown" for a type that numpy does not have.
static std::string numpyName(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 ? "bool"
                                   : (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth());
  if (type.isBF16())
    return "bfloat16";
  return isa<FloatType>(type) ? "float" + std::to_string(type.getIntOrFloatBitWidth()) : "unknown";
}

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
      : func(func), plan(func, name), directory(directory) {}

  LogicalResult write();
  std::string stem() const { return plan.moduleName; }

private:
  LogicalResult writeStaged();
  LogicalResult writeText(StringRef suffix, StringRef text);
  LogicalResult checkTarget();
  LogicalResult publish();
  std::string path(StringRef folder, StringRef suffix) const {
    SmallString<128> result(folder);
    llvm::sys::path::append(result, plan.moduleName + suffix);
    return result.str().str();
  }
  LogicalResult refuse(StringRef file, const Twine &why) {
    return emitError(func, Code::CannotWrite) << "cannot write '" << file << "': " << why;
  }

  func::FuncOp func;
  EmissionPlan plan;
  std::string directory;
  SmallString<128> staging;
};
} // namespace

// The module is last: where it is, the files that it needs are too.
static constexpr StringLiteral kSuffixes[] = {".safetensors", ".json", ".py"};

LogicalResult ArtifactWriter::writeText(StringRef suffix, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path(staging, suffix), error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? refuse(path(directory, suffix), error.message()) : success();
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
      weight["tensor"] = file.add(planned.second);
    weight.erase("source");
  }
  FailureOr<std::string> digest = file.write(path(staging, ".safetensors"), func.getLoc());
  if (failed(digest))
    return failure();
  manifest["onnx"] = onnxFacts(func, plan);
  manifest["versions"] = llvm::json::Object{{"mlir", LLVM_VERSION_STRING}};
  manifest["weights_file"] = plan.moduleName + ".safetensors";
  manifest["weights_sha256"] = *digest;
  manifest["python_sha256"] = sha256Of(emitted->python);
  std::string text = llvm::formatv("{0:2}\n", llvm::json::Value(std::move(manifest)));
  return failure(failed(writeText(".json", text)) || failed(writeText(".py", emitted->python)));
}

// Files of an earlier run may go: its manifest is there and describes the module beside it.
LogicalResult ArtifactWriter::checkTarget() {
  auto text = [&](StringRef suffix) -> std::string {
    auto buffer = llvm::MemoryBuffer::getFile(path(directory, suffix));
    return buffer ? (*buffer)->getBuffer().str() : "";
  };
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text(".json"));
  const llvm::json::Object *manifest = parsed ? parsed->getAsObject() : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  std::optional<StringRef> digest = manifest ? manifest->getString("python_sha256") : std::nullopt;
  if (digest && *digest == sha256Of(text(".py")))
    return success();
  for (StringRef suffix : kSuffixes)
    if (std::string target = path(directory, suffix); fs::exists(target))
      return refuse(target, "a file is there that this tool did not write, or that has changed since; move it away");
  return success();
}

LogicalResult ArtifactWriter::publish() {
  for (StringRef suffix : kSuffixes)
    if (std::error_code error = fs::rename(path(staging, suffix), path(directory, suffix)))
      return refuse(path(directory, suffix), error.message());
  return success();
}

LogicalResult ArtifactWriter::write() {
  if (std::error_code error = fs::create_directories(directory, /*IgnoreExisting=*/true, fs::all_all))
    return refuse(directory, error.message());
  if (failed(checkTarget()))
    return failure();
  SmallString<128> prefix(directory);
  llvm::sys::path::append(prefix, "." + plan.moduleName);
  std::error_code error = fs::make_absolute(prefix);
  if (!error)
    error = fs::createUniqueDirectory(prefix, staging);
  if (error)
    return refuse(directory, error.message());
  LogicalResult result = failure(failed(writeStaged()) || failed(publish()));
  fs::remove_directories(staging);
  return result;
}

FailureOr<std::string> forge::writeArtifact(ModuleOp module, StringRef name, StringRef directory) {
  FailureOr<func::FuncOp> func = entryFunction(module);
  if (failed(func))
    return failure();
  if (isHostFunction(*func))
    return emitError(*func, Code::NotEmittable)
           << "a partitioned model needs its ONNX graph to be written; compile it with forge-mlir";
  if (failed(verifyEmittable(*func)))
    return failure();
  ArtifactWriter writer(*func, name.empty() ? func->getSymName() : name, directory);
  if (failed(writer.write()))
    return failure();
  return writer.stem();
}
