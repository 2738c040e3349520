//===- Manifest.cpp - the facts of a module as JSON -----------------------===//

#include "EmissionPlan.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static llvm::json::Array shapeJson(RankedTensorType type) { return llvm::json::Array(type.getShape()); }

// The one value of a splat as text: JSON has no infinity and no NaN.
static std::string splatText(DenseElementsAttr value) {
  HostTensor element = HostTensor::fromAttr(value.resizeSplat(RankedTensorType::get({1}, value.getElementType())));
  if (!element.isFloat())
    return std::to_string(element.ints.front());
  double number = element.floats.front();
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  return pyFloat(static_cast<float>(number)); // Forge holds at most float32.
}

// Where the bytes of a weight come from: the importer's table, one repeated value, or the bytes themselves.
static llvm::json::Object sourceJson(Operation *op) {
  if (auto parameter = dyn_cast<ParameterOp>(op))
    return llvm::json::Object{{"key", llvm::json::fixUTF8(parameter.getKey())}};
  auto value = cast<DenseElementsAttr>(cast<ConstantOp>(op).getValue());
  if (value.isSplat() && value.getNumElements() > 1)
    return llvm::json::Object{{"splat", splatText(value)}};
  ArrayRef<char> raw = value.getRawData();
  // A dense attribute of one element (or none) is a splat too; its data is that element.
  return llvm::json::Object{
      {"hex", llvm::toHex(StringRef(raw.data(), value.getNumElements() == 0 ? 0 : raw.size()), /*LowerCase=*/true)}};
}

// Adds which part of a weight this is, if it is not all of it.
static llvm::json::Object withPart(llvm::json::Object weight, Operation *op) {
  auto parameter = dyn_cast<ParameterOp>(op);
  if (!parameter || !parameter.getDerived())
    return weight;
  ArrayRef<int64_t> part = *parameter.getDerived();
  weight["derived"] = llvm::json::Object{{"axis", part[0]},  {"begin", part[1]},  {"end", part[2]},
                                         {"block", part[3]}, {"padded", part[4]}, {"offset", part[5]}};
  return weight;
}

std::string forge::writeManifest(const EmissionPlan &plan) {
  llvm::json::Array inputs, outputs, weights;
  for (const PlannedTensor &input : plan.inputs)
    inputs.push_back(llvm::json::Object{{"name", input.name},
                                        {"onnx_name", llvm::json::fixUTF8(input.onnxName)},
                                        {"dtype", torchDtype(input.type.getElementType())},
                                        {"shape", shapeJson(input.type)}});
  for (const PlannedTensor &output : plan.outputs)
    outputs.push_back(llvm::json::Object{{"onnx_name", llvm::json::fixUTF8(output.onnxName)},
                                         {"dtype", torchDtype(output.type.getElementType())},
                                         {"shape", shapeJson(output.type)}});
  for (const auto &[op, weight] : plan.weights)
    weights.push_back(withPart(llvm::json::Object{{"name", weight.name},
                                                  {"onnx_name", llvm::json::fixUTF8(weight.onnxName)},
                                                  {"kind", weight.isParameter ? "parameter" : "constant"},
                                                  {"dtype", torchDtype(weight.type.getElementType())},
                                                  {"shape", shapeJson(weight.type)},
                                                  {"source", sourceJson(op)}},
                               op));
  llvm::json::Object manifest{{"format", kManifestFormat},     {"module", plan.moduleName},
                              {"class", plan.className},       {"inputs", std::move(inputs)},
                              {"outputs", std::move(outputs)}, {"weights", std::move(weights)}};
  if (!plan.trace.empty()) {
    llvm::json::Array trace;
    for (const auto &[onnxName, value] : plan.trace)
      trace.push_back(
          llvm::json::Object{{"onnx_name", llvm::json::fixUTF8(onnxName)}, {"variable", plan.variables.lookup(value)}});
    manifest["trace"] = std::move(trace);
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", llvm::json::Value(std::move(manifest))) << "\n";
  return text;
}
