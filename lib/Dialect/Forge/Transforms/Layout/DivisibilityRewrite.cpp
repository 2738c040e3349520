//===- DivisibilityRewrite.cpp - programs that move fewer tiles -----------===//
//
// The device moves whole tiles. A slice that does not begin at a multiple of the tile size moves elements within tiles,
// which takes more time. The rules in Slices/ and Weights/ remove such slices, or make them cheaper
// (Layout/Rewrites.h).
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Layout/Rewrites.h"
#include "forge/Support/Diagnostics.h"

#define GEN_PASS_DEF_FORGEDIVISIBILITYREWRITEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Rules that remove slices are applied before rules that make them cheaper.
static constexpr std::pair<llvm::StringLiteral, void (*)(Block &, const RewriteContext &)> kRules[] = {
    {"pad-weights", padWeights}, {"split-weights", splitWeights}, {"regroup", regroupSlices},
    {"sink", sinkSlices},        {"hoist", hoistSlices},          {"window", windowSlices}};

// The tiles decide whether the rewrite is worth it, and then the permissions of the pass whether it is allowed.
bool RewriteContext::mayRewrite(Operation *op, StringRef rule, const Twine &what, int64_t before, int64_t after) const {
  if (before == INT64_MAX || after >= before)
    return false;
  std::string text = (what + ", tile traffic " + Twine(before) + " -> " + Twine(after)).str();
  if (!pass.mayRewrite(op, rule, text))
    return false;
  if (!remarks)
    return true;
  InFlightDiagnostic diagnostic = mlir::emitRemark(op->getLoc()) << rule;
  if (StringRef name = nodeName(op->getLoc()); !name.empty())
    diagnostic << " at '" << escaped(name) << "'";
  diagnostic << ": " << text;
  return true;
}

namespace {
struct ForgeDivisibilityRewritePass : forge::impl::ForgeDivisibilityRewritePassBase<ForgeDivisibilityRewritePass>,
                                      ReportingPass {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<DeviceLayout> layout = DeviceLayout::parse(func, format);
    if (failed(layout))
      return signalPassFailure();
    for (const std::string &wanted : rules)
      if (!llvm::is_contained(llvm::make_first_range(kRules), wanted)) {
        emitError(func.getLoc(), Code::PassOption) << "unknown rule '" << escaped(wanted) << "'";
        return signalPassFailure();
      }
    Block *block = deviceBlock(func);
    if (!block)
      return;
    // Only --tiles runs this pass, and documents that elements have to be finite.
    permissions = NumericPermissions(/*exact=*/false, {"tiles"});
    RewriteContext context{*layout, maxWeightGrowth, remarks, *this};
    for (auto [name, apply] : kRules) {
      if (!rules.empty() && !llvm::is_contained(rules, name))
        continue;
      apply(*block, context);
      eraseDeadOps(*block);
    }
  }
};
} // namespace
