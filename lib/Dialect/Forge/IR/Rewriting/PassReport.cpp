//===- PassReport.cpp - statistics and remarks of passes ------------------===//

#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/RewriteLimit.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/Format.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace forge;

RemarkPlace RemarkPlace::of(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return {op->getLoc(), function ? function.getName() : StringRef()};
}

void forge::emitRemark(RemarkKind kind, RemarkPlace place, StringRef category, StringRef name, const Twine &text) {
  if (!place.loc.getContext()->getRemarkEngine())
    return;
  // Functions are rewritten in parallel, and the remark engine is not thread-safe.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  // A remark in a file can only have a line as its location.
  auto line = place.loc->findInstanceOf<FileLineColLoc>();
  remark::detail::InFlightRemark remark = kind(
      line ? Location(line) : place.loc, remark::RemarkOpts::name(name).category(category).function(place.function));
  if (!remark)
    return;
  if (StringRef node = nodeName(place.loc); !node.empty())
    remark << remark::detail::Remark::Arg("Node", escaped(node));
  if (std::string reason = text.str(); !reason.empty())
    remark << remark::detail::Remark::Arg("Reason", reason);
}

StringRef ReportingPass::category() const { return dynamic_cast<const Pass &>(*this).getArgument(); }

// The limit that holds for `pass`, if any.
static RewriteLimit *limitOf(const ReportingPass &pass, MLIRContext *context) {
  return pass.isRequired() ? nullptr : RewriteLimit::of(context);
}

bool ReportingPass::mayRewrite(Operation *op, StringRef what, const Twine &text) {
  if (!permits(what))
    return false;
  if (RewriteLimit *limit = limitOf(*this, op->getContext())) {
    if (limit->left() <= 0)
      return false;
    limit->add(category(), what, op->getName().getStringRef(), nodeName(op->getLoc()));
  }
  recordRewrite(RemarkPlace::of(op), what, text);
  return true;
}

void ReportingPass::recordRewrite(RemarkPlace place, StringRef what, const Twine &text) {
  count(what);
  emitRemark(remark::passed, place, category(), what, text);
}

void ReportingPass::missed(RemarkPlace place, StringRef what, const Twine &why) {
  emitRemark(remark::missed, place, category(), what, why);
}

namespace {
class RewriteReport : public RewriterBase::Listener {
public:
  RewriteReport(ReportingPass &pass, RewriteLimit *limit) : pass(pass), limit(limit) {}

  void emitMissed(Operation *func) {
    if (reasons.empty())
      return;
    func->walk([&](Operation *op) {
      for (const auto &[label, reason] : reasons.lookup(op))
        pass.missed(RemarkPlace::of(op), label, reason);
    });
  }

  std::optional<RemarkPlace> lastPlace() const { return rewritten; }

private:
  void notifyPatternBegin(const Pattern &pattern, Operation *root) override {
    op = root;
    if (root->getParentOp() != parent) { // Finding the function of each op would take longer than most patterns.
      parent = root->getParentOp();
      function = RemarkPlace::of(root).function;
    }
    place = {root->getLoc(), function};
    opName = root->getName().getStringRef();
    isRecord = llvm::is_contained(pattern.getDebugLabels(), kRecord);
    label = pattern.getDebugLabels().empty() ? pattern.getDebugName() : pattern.getDebugLabels().front();
    if (auto known = reasons.find(root); known != reasons.end())
      known->second.erase(label); // It may match now, or fail for another reason.
  }

  void notifyPatternEnd(const Pattern &, LogicalResult status) override {
    if (failed(status))
      return;
    rewritten = place;
    if (limit)
      limit->add(pass.category(), label.empty() ? "pattern" : label, opName, nodeName(place->loc));
    if (!label.empty())
      pass.recordRewrite(*place, label);
  }

  void notifyMatchFailure(Location loc, function_ref<void(Diagnostic &)> reason) override {
    if (isRecord || !loc.getContext()->getRemarkEngine())
      return;
    Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
    reason(diagnostic);
    reasons[op][label] = diagnostic.str();
  }

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) override {
    if (!previous.isSet()) // It is new, not moved.
      pass.didInsert(op);
  }
  void notifyOperationReplaced(Operation *op, ValueRange values) override { pass.willReplace(op, values); }
  void notifyOperationErased(Operation *op) override {
    pass.willErase(op);
    reasons.erase(op);
  }

  ReportingPass &pass;
  RewriteLimit *limit;
  Operation *op = nullptr, *parent = nullptr;
  std::optional<RemarkPlace> place, rewritten;
  StringRef label, function, opName;
  bool isRecord = false;
  // The last reason of a failed match, by op and label.
  llvm::DenseMap<Operation *, std::map<StringRef, std::string>> reasons;
};
} // namespace

// The largest number of rewrites in one iteration of MLIR's driver, which has at most ten iterations. Patterns that
// terminate apply a few rewrites per op.
static int64_t mostRewrites(Operation *func) {
  constexpr int64_t kPerOp = 64, kLeast = 4096;
  int64_t ops = 0;
  func->walk([&](Operation *) { ++ops; });
  return kLeast + kPerOp * ops;
}

LogicalResult forge::rewriteGreedily(ReportingPass &pass, Operation *func, const FrozenRewritePatternSet &patterns) {
  RewriteLimit *limit = limitOf(pass, func->getContext());
  RewriteReport report(pass, limit);
  GreedyRewriteConfig config;
  const int64_t most = mostRewrites(func), mostIterations = config.getMaxIterations();
  config.setListener(&report).setMaxIterations(1);
  config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  bool changed = true;
  // Iterations are run one by one, because the driver counts the rewrites of each iteration separately.
  for (int64_t i = 0; changed && i < mostIterations; ++i) {
    int64_t left = limit ? limit->left() : most;
    // Without patterns the driver still erases dead ops.
    changed = failed(applyPatternsGreedily(func, left > 0 ? patterns : FrozenRewritePatternSet(),
                                           config.setMaxNumRewrites(left > 0 ? std::min(left, most) : most)));
  }
  if (changed && !(limit && limit->left() <= 0))
    return emitError(report.lastPlace().value_or(RemarkPlace::of(func)).loc, Code::EndlessRewrites)
           << "rewrites do not come to an end; the last one was of this op";
  report.emitMissed(func);
  return success();
}

FrozenRewritePatternSet forge::permittedPatterns(const ReportingPass &pass, RewritePatternSet patterns) {
  llvm::erase_if(patterns.getNativePatterns(), [&](const std::unique_ptr<RewritePattern> &pattern) {
    return !pattern->getDebugLabels().empty() && !pass.permits(pattern->getDebugLabels().front());
  });
  return FrozenRewritePatternSet(std::move(patterns));
}

LogicalResult forge::rewriteGreedily(ReportingPass &pass, Operation *func, RewritePatternSet patterns) {
  return rewriteGreedily(pass, func, permittedPatterns(pass, std::move(patterns)));
}

namespace {
// The pass manager calls one hook at a time.
class StatisticsPrinter : public PassInstrumentation {
public:
  explicit StatisticsPrinter(bool sorted) : sorted(sorted) {}
  ~StatisticsPrinter() override;

  void runAfterPass(Pass *pass, Operation *) override { collect(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { collect(pass); }

private:
  void collect(Pass *pass) {
    auto *reporting = dynamic_cast<ReportingPass *>(pass);
    if (!reporting)
      return;
    ReportingPass::Counts &counts = passes[pass->getArgument()];
    for (auto [what, number] : reporting->takeCounts())
      counts[what] += number;
  }

  bool sorted;
  llvm::MapVector<StringRef, ReportingPass::Counts> passes;
};
} // namespace

StatisticsPrinter::~StatisticsPrinter() {
  auto byName = [](const auto &a, const auto &b) { return a.first < b.first; };
  SmallVector<std::pair<StringRef, ReportingPass::Counts>> list = passes.takeVector();
  if (sorted)
    llvm::sort(list, byName);
  llvm::raw_ostream &os = llvm::errs();
  std::string rule = "===" + std::string(73, '-') + "===\n";
  os << rule << std::string(25, ' ') << "... Pass statistics report ...\n" << rule;
  for (auto &[pass, counts] : list) {
    if (counts.empty())
      continue;
    os << pass << "\n";
    SmallVector<std::pair<StringRef, int64_t>> lines = counts.takeVector();
    llvm::sort(lines, byName); // Threads finish in any order.
    for (auto [what, number] : lines)
      os << llvm::format("  (S) %6lld ", static_cast<long long>(number)) << what << "\n";
  }
}

std::unique_ptr<PassInstrumentation> forge::statisticsPrinter(bool sorted) {
  return std::make_unique<StatisticsPrinter>(sorted);
}
