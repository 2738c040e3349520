//===- PassReport.h - what passes did, as counts and remarks ----*- C++ -*-===//
//
// Debian's MLIR is built without pass statistics, so passes count for themselves, and forge-opt --mlir-pass-statistics
// prints it. Remarks go to MLIR's remark engine: the category is the pass, the name what was done or missed.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_REWRITING_PASSREPORT_H
#define FORGE_DIALECT_FORGE_IR_REWRITING_PASSREPORT_H

#include "forge/Dialect/Forge/IR/Rewriting/NumericClass.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/MapVector.h"

#include <memory>

namespace mlir {
class Pass;
class PassInstrumentation;
} // namespace mlir

namespace forge {

/// Where a remark belongs: also for an op that a rewrite erases.
struct RemarkPlace {
  mlir::Location loc;
  llvm::StringRef function;

  static RemarkPlace of(mlir::Operation *op);
};

/// Emits a remark of one of MLIR's kinds, such as mlir::remark::passed, with the ONNX node and `text` as its reason.
/// `name` must live as long as the context.
using RemarkKind = mlir::remark::detail::InFlightRemark (*)(mlir::Location, mlir::remark::RemarkOpts);
void emitRemark(RemarkKind kind, RemarkPlace place, llvm::StringRef category, llvm::StringRef name,
                const llvm::Twine &text);

/// A pass that counts what it does. Names are literals, in the plural and with hyphens: "splits-lowered".
class ReportingPass {
public:
  using Counts = llvm::MapVector<llvm::StringRef, int64_t>;

  ReportingPass() = default;
  ReportingPass(const ReportingPass &) {} // A clone has done nothing yet, and reads its own options.
  virtual ~ReportingPass() = default;

  /// Asked about a rewrite that a program can be written without, when nothing but the answer keeps it from being
  /// applied to `op`: whether it may be. That counts it, with a remark, and towards --forge-rewrite-limit. A greedy
  /// rewrite is asked for by its driver. `what` is a row of PassTable.inc.
  [[nodiscard]] bool mayRewrite(mlir::Operation *op, llvm::StringRef what, const llvm::Twine &text = "");

  /// Whether the numeric class of the rewrite `what` is one that this pass may apply.
  bool permits(llvm::StringRef what) const { return permissions.permit(category(), what); }

  void count(llvm::StringRef what, int64_t number = 1) { counts[what] += number; }
  /// Counts one that is no choice, with a remark on it.
  void did(RemarkPlace place, llvm::StringRef what, const llvm::Twine &text = "");
  /// A remark on what was not done, and why.
  void missed(RemarkPlace place, llvm::StringRef what, const llvm::Twine &why);

  /// Whether programs cannot be written without this pass: then no limit holds for what it does.
  virtual bool isRequired() const { return false; }
  /// Called with each op that a greedy rewrite is about to replace.
  virtual void willReplace(mlir::Operation *) {}
  /// Called with each op that a greedy rewrite has made.
  virtual void didInsert(mlir::Operation *) {}

  /// How many of one kind were counted since the last takeCounts.
  int64_t counted(llvm::StringRef what) const { return counts.lookup(what); }
  /// What was counted since the last call.
  Counts takeCounts() { return std::exchange(counts, {}); }

  /// The pass as a pipeline spells it.
  llvm::StringRef category() const;

protected:
  /// What the options of the pass permit.
  NumericPermissions permissions;

private:
  Counts counts;
};

/// The second debug label of a pattern that a record describes (DRR). Which of its constraints fails first says nothing
/// to a user, so that it is no remark.
inline constexpr llvm::StringLiteral kRecord = "record";

/// Applies `patterns` to `func` until none matches. What a pattern did is counted for `pass` under its first debug
/// label or its name (one of PDL has neither); why one did not match, as it said with notifyMatchFailure, is a missed
/// remark unless the op went away later. Nothing else is changed: no op is folded, no constant and no region merged.
/// Every application counts towards --forge-rewrite-limit, unless the pass is required. Fails, with an error, for
/// patterns that still match after far more rewrites than `func` has ops.
llvm::LogicalResult rewriteGreedily(ReportingPass &pass, mlir::Operation *func,
                                    const mlir::FrozenRewritePatternSet &patterns);

/// `patterns` without those whose first label names a rewrite that `pass` does not permit.
mlir::FrozenRewritePatternSet permittedPatterns(const ReportingPass &pass, mlir::RewritePatternSet patterns);
/// As above, of the patterns that `pass` permits.
llvm::LogicalResult rewriteGreedily(ReportingPass &pass, mlir::Operation *func, mlir::RewritePatternSet patterns);

/// Prints the counts of all passes that report to stderr when the pass manager is destroyed: in the order in which they
/// ran first, or by name.
std::unique_ptr<mlir::PassInstrumentation> statisticsPrinter(bool sorted);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_PASSREPORT_H
