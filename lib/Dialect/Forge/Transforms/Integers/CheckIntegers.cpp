//===- CheckIntegers.cpp - finds integers that may overflow Int32 ---------===//

#define GEN_PASS_DEF_FORGECHECKINTEGERSPASS
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace forge;

// A bound as text: those that a double represents exactly as integers, others with two digits and an exponent.
static std::string text(double bound) {
  if (std::abs(bound) < 0x1p53)
    return std::to_string(static_cast<int64_t>(bound));
  std::string shown;
  llvm::raw_string_ostream(shown) << llvm::format("%.2g", bound);
  return shown;
}

static std::string text(Interval interval) { return "[" + text(interval.low) + ", " + text(interval.high) + "]"; }

namespace {
struct ForgeCheckIntegersPass : forge::impl::ForgeCheckIntegersPassBase<ForgeCheckIntegersPass> {
  using ForgeCheckIntegersPassBase::ForgeCheckIntegersPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func) || func.isExternal())
      return;
    if (mode != "checked" && mode != "proven") {
      emitError(func.getLoc(), Code::PassOption) << "mode must be checked or proven, but is '" << escaped(mode) << "'";
      return signalPassFailure();
    }
    const auto &ranges = getAnalysis<IntegerRanges>();
    if (!annotate)
      markAllAnalysesPreserved(); // --forge-lower-integers uses the same analysis.
    else
      func.walk([&](IntervalOpInterface op) {
        Interval found = ranges.of(op->getResult(0));
        op->setAttr("forge.interval", DenseF64ArrayAttr::get(&getContext(), {found.low, found.high}));
      });
    // Reports only the first op of each node, because other overflows of the node follow from it or from the same
    // inputs.
    llvm::MapVector<StringRef, IntegerRanges::Overflow> nodes;
    for (const IntegerRanges::Overflow &overflow : ranges.unproven())
      nodes.try_emplace(nodeName(overflow.op->getLoc()), overflow);
    for (auto &[name, overflow] : nodes)
      report(ranges, name, overflow);
    if (mode == "proven" && !nodes.empty())
      signalPassFailure();
  }

private:
  // Reports that the integers of node `name` may not fit, and names the inputs on which they depend, because the ranges
  // of these may prove that they do.
  void report(const IntegerRanges &ranges, StringRef name, const IntegerRanges::Overflow &overflow) {
    Builder b(&getContext());
    auto inputs = llvm::map_to_vector(ranges.sourceArguments(overflow.op),
                                      [](BlockArgument argument) { return nodeName(argument.getLoc()); });
    StringRef op = overflow.op->getName().getStringRef();
    std::string reason = "its integers may leave Int32 on the device: " + op.str() + " reaches " + text(overflow.reach);
    // The fields of a refusal, which the command reads. A forge op has no ONNX domain and opset.
    SmallVector<NamedAttribute> facts{b.getNamedAttr("op", b.getStringAttr(op)),
                                      b.getNamedAttr("domain", b.getStringAttr("")),
                                      b.getNamedAttr("opset", b.getI64IntegerAttr(0)),
                                      b.getNamedAttr("reason", b.getStringAttr(reason)),
                                      b.getNamedAttr("operands", b.getTypeArrayAttr(overflow.op->getOperandTypes())),
                                      b.getNamedAttr("bind", b.getStrArrayAttr(inputs))};
    Location loc = overflow.op->getLoc();
    InFlightDiagnostic diagnostic =
        mode == "proven" ? emitError(loc, Code::IntegerUnproven, facts) : emitRemark(loc, Code::IntegerUnproven, facts);
    diagnostic << "node '" << escaped(name) << "': " << reason;
    for (StringRef input : inputs)
      diagnostic.attachNote() << "state what input '" << escaped(input) << "' holds with --range " << escaped(input)
                              << "=LOWEST:END";
  }
};
} // namespace
