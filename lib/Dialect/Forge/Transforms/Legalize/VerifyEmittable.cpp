//===- VerifyEmittable.cpp - verifies that a module can be printed --------===//
//
// The last check before a module is printed. Each error names the pass that should have removed its cause, if there is
// one.
//
//===----------------------------------------------------------------------===//

#include "Requirements.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"

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

// Says for an error what the device would overwrite if it wrote into `cache` in place; "" if it may write. Another user
// of the cache would read elements that depend on the order of calls, and a weight would have other elements in the
// next run. The same holds for each value whose tiles `cache` may share, such as the operand of a reshape.
static StringRef overwritten(Value cache) {
  while (true) {
    if (isWeight(cache))
      return "weight";
    if (!cache.hasOneUse())
      return "cache that something else reads, too";
    auto producer = dyn_cast_or_null<TilePaddingOpInterface>(cache.getDefiningOp());
    if (!producer || !mayHandOnTiles(producer))
      return "";
    cache = producer->getOperand(0);
  }
}

// Verifies that `op` is a Forge call, a weight or a constant, that the device can compute it, and that its type is
// legal.
static LogicalResult verifyOp(Operation *op, const ComputedWeights &weights) {
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
  if (isa<FillCacheOp, UpdateCacheOp>(op))
    if (StringRef target = overwritten(op->getOperand(0)); !target.empty())
      return emitError(op->getLoc(), Code::InvalidIr) << describe(op) << " writes into a " << target;
  if (auto pad = dyn_cast<PadOp>(op); pad && isFusedByDevice(pad))
    return emitError(op->getLoc(), Code::PassOrder)
           << describe(op) << " is read by convolutions alone; run --forge-convolution-pads first";
  if (valueToIsolate(op, weights))
    return emitError(op->getLoc(), Code::PassOrder)
           << describe(op) << " would be fused by the device's compiler; run --forge-isolate-outputs first";
  for (Type type : op->getResultTypes())
    if (failed(verifyType(type, op->getLoc(), describe(op))))
      return failure();
  return success();
}

// Verifies inputs and ops. If all of these are right, verifies that each output is the result of a call of its own.
LogicalResult forge::verifyEmittable(func::FuncOp func) {
  if (failed(requireOneBlock(func, "forge-verify-emittable")))
    return failure();
  bool valid = true;
  for (BlockArgument argument : func.getArguments())
    valid &= succeeded(
        verifyType(argument.getType(), argument.getLoc(), "input '" + escaped(nodeName(argument.getLoc())) + "'"));
  ComputedWeights weights(func.front());
  for (Operation &op : func.front().without_terminator())
    valid &= succeeded(verifyOp(&op, weights));
  if (!valid)
    return failure();
  llvm::SmallPtrSet<Operation *, 8> returned;
  for (Value output : func.front().getTerminator()->getOperands()) {
    Operation *producer = output.getDefiningOp();
    if (!isPrintedAsCall(producer) || !returned.insert(producer).second)
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
