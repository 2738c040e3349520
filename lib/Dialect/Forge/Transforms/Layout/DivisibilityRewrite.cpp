//===- DivisibilityRewrite.cpp - programs that move fewer tiles -----------===//

#include "DeadOps.h"
#include "Layout/Rewrites.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEDIVISIBILITYREWRITEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
struct Rule {
  StringRef name;
  void (*apply)(func::FuncOp func, const RewriteContext &context);
};
} // namespace

// Rules that remove slices are applied before rules that make them cheaper.
static constexpr Rule kRules[] = {{"pad-weights", padWeights}, {"split-weights", splitWeights},
                                  {"regroup", regroupSlices},  {"sink", sinkSlices},
                                  {"hoist", hoistSlices},      {"window", windowSlices}};

bool RewriteContext::mayRewrite(Operation *op, StringRef rule, const Twine &what, int64_t before, int64_t after) const {
  // Each tile takes the same time.
  OpCost old, made;
  old.time = before;
  made.time = after;
  if (!pays(old, made))
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
  using ForgeDivisibilityRewritePassBase::ForgeDivisibilityRewritePassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<DeviceLayout> layout = DeviceLayout::parse(func, format);
    if (failed(layout))
      return signalPassFailure();
    for (const std::string &wanted : rules)
      if (llvm::none_of(kRules, [&](const Rule &rule) { return rule.name == wanted; })) {
        emitError(func.getLoc(), Code::PassOption) << "unknown rule '" << escaped(wanted) << "'";
        return signalPassFailure();
      }
    if (!deviceBlock(func))
      return;
    // Only --tiles runs this pass, and documents that elements have to be finite.
    permissions = NumericPermissions(/*exact=*/false, {"tiles"});
    RewriteContext context{*layout, maxWeightGrowth, remarks, *this};
    for (const Rule &rule : kRules) {
      if (!rules.empty() && !llvm::is_contained(rules, rule.name))
        continue;
      rule.apply(func, context);
      // Rules do not erase the ops that they replace.
      for (Block &block : func.getBody())
        eraseDeadOps(block);
    }
  }
};
} // namespace
