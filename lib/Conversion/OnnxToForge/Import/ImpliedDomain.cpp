//===- ImpliedDomain.cpp - infers the domain of a node --------------------===//

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"

using namespace mlir;
using namespace forge;

static constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

// Ops of com.microsoft that share their name with an op of the default domain. `same`: nodes that are valid in both
// domains have the same results; converters refuse attributes that are not theirs.
static constexpr struct {
  llvm::StringLiteral name;
  bool same;
} kSharedOps[] = {
    {"Attention", false},
    {"CausalConvWithState", false},
    {"DequantizeLinear", true},
    {"GatherND", true},
    {"Gelu", true},
    {"GridSample", true},
    {"LinearAttention", false},
    {"Pad", true},
    {"QLinearConv", true},
    {"QuantizeLinear", true},
    {"Range", true},
    {"RotaryEmbedding", false},
    {"Trilu", true},
    {"Unique", false},
};

void forge::forEachSharedOp(llvm::function_ref<void(StringRef, bool)> visit) {
  for (const auto &shared : kSharedOps)
    visit(shared.name, shared.same);
}

// Whether a domain shares no op name with the default domain or com.microsoft. nchwc does share some, but its nodes
// only occur between its own ReorderInput and ReorderOutput.
static bool isApart(StringRef domain) {
  return llvm::is_contained({"ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training", "ai.onnx.training",
                             "com.microsoft.experimental", "com.microsoft.nchwc", "org.pytorch.aten"},
                            domain);
}

ImpliedDomain forge::impliedDomain(StringRef op, int64_t opset, DictionaryAttr others) {
  for (NamedAttribute other : others)
    if (StringRef domain = other.getName(); domain != kMicrosoft && !isApart(domain))
      return {"", "its domain is not in the IR, and it may be of '" + escaped(domain) +
                      "'; set torch.onnx_meta.domain, or import the model with forge-mlir"};
  const OnnxRegistry &registry = OnnxRegistry::get();
  for (NamedAttribute other : others)
    if (StringRef domain = other.getName(); isApart(domain) && !registry.versions(domain, op).empty())
      return {domain, ""};
  // Before its first version an op is not in the default domain.
  bool isDefault = opset > 0 && registry.lookup("", op, opset);
  const auto *shared = llvm::find_if(kSharedOps, [&](const auto &entry) { return op == entry.name; });
  bool isMicrosoft =
      others.contains(kMicrosoft) && (shared != std::end(kSharedOps) || !registry.versions(kMicrosoft, op).empty());
  if (!isMicrosoft)
    return {"", ""};
  if (isDefault && !shared->same)
    return {"", "its domain is not in the IR, and it may be of the default one or of 'com.microsoft'; set "
                "torch.onnx_meta.domain, or import the model with forge-mlir"};
  return {isDefault ? StringRef() : StringRef(kMicrosoft), ""};
}

NodeDomain forge::domainOf(torch::OperatorOp node, func::FuncOp func) {
  auto others = func->getAttrOfType<DictionaryAttr>(torch::kOpsetsAttr);
  auto main = func->getAttrOfType<IntegerAttr>(torch::kOpsetAttr);
  StringRef op = node.getName();
  op.consume_front("onnx.");
  ImpliedDomain implied;
  if (auto recorded = node->getAttrOfType<StringAttr>(torch::kDomainAttr))
    implied.domain = recorded.getValue();
  else if (others && !others.empty() && op != "Constant")
    implied = impliedDomain(op, main ? main.getValue().trySExtValue().value_or(0) : 0, others);
  StringRef domain = implied.domain;
  return {implied, domain.empty() ? main : others ? others.getAs<IntegerAttr>(domain) : IntegerAttr()};
}
