//===- AssignDevices.cpp - which nodes the device can run -----------------===//

#include "PartitionPlan.h"
#include "TrialConversion.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Support/PassText.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEASSIGNDEVICESPASS
#include "forge/Dialect/Torch/Transforms/Passes.h.inc"
} // namespace forge

static constexpr StringLiteral kConstantName = "onnx.Constant";

namespace {
/// A list of ONNX op types and node names from an option, which records those that occur in the model.
class Choice {
public:
  Choice(StringRef option, ArrayRef<std::string> names) : option(option) {
    for (const std::string &name : names)
      met.try_emplace(decoded(name), false);
  }

  bool has(torch::OperatorOp op) {
    bool found = false;
    StringRef type = op.getName();
    type.consume_front("onnx.");
    for (StringRef name : {type, nodeName(op.getLoc())})
      if (auto entry = met.find(name); entry != met.end())
        found = entry->second = true;
    return found;
  }

  /// Reports each name that no node has.
  LogicalResult allMet(func::FuncOp func) const {
    bool valid = true;
    for (const auto &entry : met)
      if (!entry.second) {
        emitError(modelLocation(func), Code::NodeUnknown)
            << option << ": there is no node or op '" << escaped(entry.first()) << "'";
        valid = false;
      }
    return success(valid);
  }

private:
  StringRef option;
  llvm::StringMap<bool> met;
};

struct ForgeAssignDevicesPass : forge::impl::ForgeAssignDevicesPassBase<ForgeAssignDevicesPass>, ReportingPass {
  using ForgeAssignDevicesPassBase::ForgeAssignDevicesPassBase;

  void runOnOperation() override {
    if (failed(assign(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult assign(func::FuncOp func);
};
} // namespace

// The dtype of a result: that of `declared`, its type in the model, if that is a tensor, else the inferred `element`.
// The importer's integers have a sign.
static Type torchDtype(Type element, Type declared) {
  if (auto tensor = dyn_cast<torch::ValueTensorType>(declared))
    return tensor.getDtype();
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || !integer.isSignless() || integer.getWidth() == 1)
    return element;
  return IntegerType::get(element.getContext(), integer.getWidth(), IntegerType::Signed);
}

// Replaces shape arithmetic with constant results by constants, which need no transfers between partitions.
static void replaceByConstants(const NodeVerdict &verdict) {
  torch::OperatorOp op = verdict.op;
  OpBuilder builder(op);
  for (auto [i, known] : llvm::enumerate(verdict.known)) {
    DenseElementsAttr value = known;
    auto type = cast<torch::ValueTensorType>(op.getResult(i).getType());
    auto constant = torch::OperatorOp::create(builder, op.getLoc(), TypeRange(type), kConstantName, ValueRange(), 0);
    bool same = type.getDtype() == value.getElementType();
    constant->setAttr(torch::kValueAttr, same ? value : value.bitcast(type.getDtype()));
    if (op->hasAttr(torch::kDomainAttr))
      constant->setAttr(torch::kDomainAttr, builder.getStringAttr(""));
    if (auto names = op->getAttrOfType<ArrayAttr>(torch::kResultNamesAttr); names && i < names.size())
      constant->setAttr(torch::kResultNamesAttr, builder.getArrayAttr({names[i]}));
    op.getResult(i).replaceAllUsesWith(constant->getResult(0));
  }
  op.erase();
}

// Records the verdict in the IR: refused nodes get the reason as an attribute; others get the types that the trial has
// inferred, or become constants if the trial knows their results.
static void apply(const NodeVerdict &verdict) {
  torch::OperatorOp op = verdict.op;
  OpBuilder builder(op);
  if (verdict.multiplyAdds > 0)
    op->setAttr(kMultiplyAddsAttr, builder.getI64IntegerAttr(verdict.multiplyAdds));
  if (!verdict.reason.empty()) {
    op->setAttr(kCpuAttr, builder.getStringAttr(verdict.reason));
    return;
  }
  for (auto [result, type] : llvm::zip_equal(op.getResults(), verdict.types))
    if (type)
      result.setType(torch::ValueTensorType::get(op.getContext(), type.getShape(),
                                                 torchDtype(type.getElementType(), result.getType())));
  bool isKnown = !verdict.known.empty() && !llvm::is_contained(verdict.known, DenseElementsAttr());
  if (isKnown && !op->hasAttr(torch::kValueAttr))
    replaceByConstants(verdict);
}

static bool isDouble(Value value) {
  auto tensor = dyn_cast<torch::ValueTensorType>(value.getType());
  return tensor && tensor.getDtype() && tensor.getDtype().isF64();
}

// Whether a node reads or computes float64 values that are no constants. The device would compute in Float32, with
// other results. A Cast from a narrower float does not count, because it does not change values.
static bool computesDoubles(const NodeVerdict &verdict, const DenseSet<Value> &known) {
  torch::OperatorOp op = verdict.op;
  if (op.getName() == kConstantName)
    return false;
  auto isUnknownDouble = [&](Value value) { return isDouble(value) && !known.contains(value); };
  if (llvm::any_of(op.getOperands(), isUnknownDouble))
    return true;
  auto from = op->getNumOperands() > 0 ? dyn_cast<torch::ValueTensorType>(op->getOperand(0).getType())
                                       : torch::ValueTensorType();
  bool castsFloat = op.getName() == "onnx.Cast" && from && isa_and_nonnull<FloatType>(from.getDtype());
  return !castsFloat && llvm::any_of(op.getResults(), isUnknownDouble);
}

// Assigns nodes that compute float64 to the CPU, unless the user assigned them to the device.
static void keepDoubles(MutableArrayRef<NodeVerdict> verdicts) {
  DenseSet<Value> known;
  for (NodeVerdict &verdict : verdicts) {
    torch::OperatorOp op = verdict.op;
    if (op.getName() == kConstantName)
      known.insert(op->result_begin(), op->result_end());
    for (auto [result, value] : llvm::zip(op.getResults(), verdict.known))
      if (value)
        known.insert(result);
    if (verdict.reason.empty() && !op->hasAttr(kPinnedAttr) && computesDoubles(verdict, known))
      verdict.reason = "it computes float64, which the device would round to Float32";
  }
}

LogicalResult ForgeAssignDevicesPass::assign(func::FuncOp func) {
  ConversionOptions options{foldLimit, allowRounding};
  Choice onCpu("cpu-ops", cpuOps), onDevice("device-ops", deviceOps);
  auto keepOff = [&](torch::OperatorOp op) -> std::optional<std::string> {
    return onCpu.has(op) ? std::optional<std::string>("asked for by cpu-ops") : std::nullopt;
  };
  FailureOr<SmallVector<NodeVerdict>> verdicts = tryConversion(func, options, keepOff);
  if (failed(verdicts))
    return failure();
  bool valid = true;
  for (NodeVerdict &verdict : *verdicts) {
    bool isAsked = onDevice.has(verdict.op);
    if (isAsked)
      verdict.op->setAttr(kPinnedAttr, UnitAttr::get(&getContext()));
    if (verdict.op->hasAttr(kPinnedAttr) && !verdict.reason.empty()) {
      emitError(verdict.op.getLoc(), Code::PinnedRefused)
          << "node '" << escaped(nodeName(verdict.op.getLoc())) << "' must run on the device ("
          << (isAsked ? "device-ops" : "a pattern made it") << "), but: " << verdict.reason;
      valid = false;
    }
  }
  valid &= succeeded(onCpu.allMet(func));
  valid &= succeeded(onDevice.allMet(func));
  if (!valid)
    return failure();
  keepDoubles(*verdicts);
  for (const NodeVerdict &verdict : *verdicts) {
    count(verdict.reason.empty() ? "device-nodes" : "cpu-nodes");
    if (!verdict.reason.empty())
      missed(RemarkPlace::of(verdict.op), "cpu-nodes", verdict.reason);
    apply(verdict);
  }
  func.setFunctionType(
      FunctionType::get(&getContext(), func.getArgumentTypes(), func.front().getTerminator()->getOperandTypes()));
  return success();
}
