//===- VerifyEmittable.cpp - verifies that a module can be printed --------===//

#include "Requirements.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

#define GEN_PASS_DEF_FORGEVERIFYEMITTABLEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// The pass that lowers an op without a Forge call; "" if there is none.
static StringRef loweringPass(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("forge.split", "forge-lower-split")
      .Case("forge.strided_slice", "forge-lower-strided-slice")
      .Cases({"forge.quotient", "forge.wrap_index"}, "forge-lower-integers")
      .Case("torch.operator", "convert-onnx-to-forge")
      .Default("");
}

// The op and its ONNX node, as the subject of an error.
static std::string describe(Operation *op) {
  std::string text = "'" + op->getName().getStringRef().str() + "'";
  if (StringRef name = nodeName(op->getLoc()); !name.empty())
    text += " of node '" + escaped(name) + "'";
  return text;
}

// Verifies that the device holds values of `type`, which `subject` has.
static LogicalResult verifyType(Type type, Location loc, const Twine &subject) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = getElementTypeOrSelf(type);
  if (tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
      (element.isF32() || element.isF16() || element.isBF16() || element.isSignlessInteger(32)))
    return success();
  return emitError(loc, Code::PassOrder) << subject << " has type " << type
                                         << ", which Forge cannot hold; run --forge-legalize-types first";
}

// Verifies that `op` is a Forge call, a weight or a constant, that the device can compute it, and that its type is
// legal.
static LogicalResult verifyOp(Operation *op) {
  auto call = dyn_cast<ForgeCallOpInterface>(op);
  if (!call && !isa<ParameterOp, ConstantOp>(op)) {
    InFlightDiagnostic diagnostic = emitError(op->getLoc(), Code::NoForgeCall) << describe(op) << " has no Forge call";
    if (StringRef pass = loweringPass(op); !pass.empty())
      diagnostic << "; run --" << pass << " first";
    return diagnostic;
  }
  if (call && call.getDeviceLowering().empty())
    return emitError(op->getLoc(), Code::NoForgeCall)
           << describe(op) << " cannot be lowered by the device (" << call.getCallee() << ")";
  // The device writes in place, so that the result for another user would depend on the order of calls, and a weight
  // would have other elements in the next run.
  if (isa<FillCacheOp, UpdateCacheOp>(op) && (!op->getOperand(0).hasOneUse() || isWeight(op->getOperand(0))))
    return emitError(op->getLoc(), Code::InvalidIr)
           << describe(op) << " writes into a "
           << (isWeight(op->getOperand(0)) ? "weight" : "cache that something else reads, too");
  if (auto pad = dyn_cast<PadOp>(op); pad && isFusedByDevice(pad))
    return emitError(op->getLoc(), Code::PassOrder)
           << describe(op) << " is read by convolutions alone; run --forge-convolution-pads first";
  for (Type type : op->getResultTypes())
    if (failed(verifyType(type, op->getLoc(), describe(op))))
      return failure();
  return success();
}

// Inputs, ops, and then, if all of these are right, outputs: each is the result of a call of its own.
LogicalResult forge::verifyEmittable(func::FuncOp func) {
  if (failed(requireOneBlock(func, "forge-verify-emittable")))
    return failure();
  bool valid = true;
  for (BlockArgument argument : func.getArguments())
    valid &= succeeded(
        verifyType(argument.getType(), argument.getLoc(), "input '" + escaped(nodeName(argument.getLoc())) + "'"));
  for (Operation &op : func.front().without_terminator())
    valid &= succeeded(verifyOp(&op));
  if (!valid)
    return failure();
  llvm::SmallPtrSet<Operation *, 8> returned;
  for (Value output : func.front().getTerminator()->getOperands()) {
    Operation *producer = output.getDefiningOp();
    bool hasCall = producer && isa<ForgeCallOpInterface>(producer) && !isa<ScalarConstantOp>(producer);
    if (!hasCall || !returned.insert(producer).second)
      return emitError(func, Code::PassOrder) << "an output has no call of its own; run --forge-isolate-outputs first";
  }
  return success();
}

namespace {
struct ForgeVerifyEmittablePass : forge::impl::ForgeVerifyEmittablePassBase<ForgeVerifyEmittablePass> {
  void runOnOperation() override {
    bool valid = true;
    for (auto func : getOperation().getOps<func::FuncOp>())
      valid &= isHostFunction(func) || succeeded(verifyEmittable(func));
    if (!valid)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
