//===- NormalizeImport.cpp - normalises the IR of importers ---------------===//

#include "Import.h"

#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGENORMALIZEIMPORTPASS
#include "forge/Conversion/OnnxToForge/Passes.h.inc"
} // namespace forge

// Whether an input or output has an ONNX name attribute, as those of forge-mlir's importer do.
static bool isNamed(func::FuncOp func) {
  auto isNamedInput = [&](unsigned i) { return static_cast<bool>(func.getArgAttr(i, kOnnxNameAttr)); };
  auto isNamedOutput = [&](unsigned i) { return static_cast<bool>(func.getResultAttr(i, kOnnxNameAttr)); };
  return llvm::any_of(llvm::seq(func.getNumArguments()), isNamedInput) ||
         llvm::any_of(llvm::seq(func.getNumResults()), isNamedOutput);
}

// The name of a constant: the key of its blob, which is the escaped ONNX name.
static std::string constantName(torch::OperatorOp op, int64_t number) {
  if (auto blob = op->getAttrOfType<DenseResourceElementsAttr>(torch::kValueAttr))
    return blob.getRawHandle().getKey().str();
  return "Constant_" + std::to_string(number);
}

// Names the nodes without a name after their op and position. Returns their number.
static int64_t nameNodes(func::FuncOp func) {
  int64_t constants = 0, nodes = 0, named = 0;
  func.walk<WalkOrder::PreOrder>([&](torch::OperatorOp op) {
    StringRef type = op.getName();
    type.consume_front("onnx.");
    bool isConstant = type == "Constant" && op->getNumOperands() == 0;
    int64_t number = isConstant ? constants++ : nodes++;
    if (!nodeName(op.getLoc()).empty())
      return;
    std::string name = isConstant ? constantName(op, number) : (type + "_" + Twine(number)).str();
    op->setLoc(NameLoc::get(StringAttr::get(op.getContext(), name), op.getLoc()));
    ++named;
  });
  return named;
}

// Records ONNX names and types of inputs and outputs, which the device's types do not determine.
static void describeSignature(func::FuncOp func) {
  Builder builder(func.getContext());
  for (BlockArgument argument : func.getArguments()) {
    unsigned i = argument.getArgNumber();
    std::string name = nodeName(argument.getLoc()).str();
    if (name.empty()) {
      name = "input_" + std::to_string(i);
      argument.setLoc(NameLoc::get(builder.getStringAttr(name), argument.getLoc()));
    }
    if (!func.getArgAttr(i, kOnnxNameAttr))
      func.setArgAttr(i, kOnnxNameAttr, builder.getStringAttr(name));
    func.setArgAttr(i, kOnnxTypeAttr, TypeAttr::get(argument.getType()));
  }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    if (!func.getResultAttr(i, kOnnxNameAttr))
      func.setResultAttr(i, kOnnxNameAttr, builder.getStringAttr("output_" + std::to_string(i)));
    func.setResultAttr(i, kOnnxTypeAttr, TypeAttr::get(type));
  }
}

namespace {
struct ForgeNormalizeImportPass : forge::impl::ForgeNormalizeImportPassBase<ForgeNormalizeImportPass>, ReportingPass {
  void runOnOperation() override {
    if (failed(inlineFunctions(getOperation())))
      return signalPassFailure();
    bool anyFailed = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal() || isHostFunction(func) || !torch::isImported(func))
        continue;
      // Constants that forge-mlir's importer left in the IR are meant to be folded.
      bool keepWeights = !isNamed(func);
      count("functions-normalised");
      count("nodes-named", nameNodes(func));
      describeSignature(func);
      func.walk([&](torch::OperatorOp op) { anyFailed |= failed(normalizeTensors(op, keepWeights)); });
    }
    if (anyFailed)
      signalPassFailure();
  }
};
} // namespace
