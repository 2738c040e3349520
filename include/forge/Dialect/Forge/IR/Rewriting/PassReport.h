//===- PassReport.h - statistics and remarks of passes ----------*- C++ -*-===//
//
// Debian's MLIR is built without pass statistics. So passes count their rewrites themselves, and
// forge-opt --mlir-pass-statistics prints the counts. In MLIR's remark engine the category of a remark is the pass, and
// its name is the rewrite.
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

/// The location and function of a remark, which remain valid if a rewrite erases the op.
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

/// A pass that counts its rewrites. Their names are literals in the plural, with hyphens: "splits-lowered".
class ReportingPass {
public:
  using Counts = llvm::MapVector<llvm::StringRef, int64_t>;

  ReportingPass() = default;
  ReportingPass(const ReportingPass &) {} // A clone has no counts, and computes its permissions from its options.
  virtual ~ReportingPass() = default;

  /// Whether the optional rewrite `what`, a row of PassTable.inc, may be applied to `op`. Call it last, when everything
  /// else allows the rewrite: the answer yes counts the rewrite, emits a remark, and counts towards
  /// --forge-rewrite-limit. rewriteGreedily() calls it for patterns.
  [[nodiscard]] bool mayRewrite(mlir::Operation *op, llvm::StringRef what, const llvm::Twine &text = "");

  /// Whether the options permit the numeric class of the rewrite `what`.
  bool permits(llvm::StringRef what) const { return permissions.permit(category(), what); }

  void count(llvm::StringRef what, int64_t number = 1) { counts[what] += number; }
  /// Counts a rewrite that is not optional, with a remark.
  void recordRewrite(RemarkPlace place, llvm::StringRef what, const llvm::Twine &text = "");
  /// Emits a remark that the rewrite `what` was not applied, with the reason.
  void missed(RemarkPlace place, llvm::StringRef what, const llvm::Twine &why);

  /// Whether programs cannot be emitted without this pass. Its rewrites are not limited.
  virtual bool isRequired() const { return false; }
  /// Called with each op that a pattern is about to replace, and the values that replace its results.
  virtual void willReplace(mlir::Operation *, mlir::ValueRange) {}
  /// Called with each op that is about to be erased.
  virtual void willErase(mlir::Operation *) {}
  /// Called with each op that a pattern has created.
  virtual void didInsert(mlir::Operation *) {}

  /// The count of one rewrite since the last takeCounts().
  int64_t counted(llvm::StringRef what) const { return counts.lookup(what); }
  /// The counts since the last call.
  Counts takeCounts() { return std::exchange(counts, {}); }

  /// The name of the pass in a pipeline.
  llvm::StringRef category() const;

protected:
  /// What the options of the pass permit.
  NumericPermissions permissions;

private:
  Counts counts;
};

/// The second debug label of patterns that are written as records (DRR). They emit no remark if they do not match,
/// since the constraint that fails first is of no use to a user.
inline constexpr llvm::StringLiteral kRecord = "record";

/// Applies `patterns` to `func` until none matches. Each application is counted for `pass` under the first debug label
/// of the pattern, or its name, and towards --forge-rewrite-limit, unless the pass is required. The reason of a
/// notifyMatchFailure becomes a missed remark, unless the op is erased later. Ops are not folded, constants and regions
/// not merged. Fails, with an error, if patterns still match after far more rewrites than `func` has ops.
llvm::LogicalResult rewriteGreedily(ReportingPass &pass, mlir::Operation *func,
                                    const mlir::FrozenRewritePatternSet &patterns);

/// `patterns` without those whose first label names a rewrite that `pass` does not permit.
mlir::FrozenRewritePatternSet permittedPatterns(const ReportingPass &pass, mlir::RewritePatternSet patterns);
/// The same for the patterns that `pass` permits.
llvm::LogicalResult rewriteGreedily(ReportingPass &pass, mlir::Operation *func, mlir::RewritePatternSet patterns);

/// Prints the counts of all ReportingPasses to stderr when the pass manager is destroyed, in the order in which the
/// passes ran first, or sorted by name.
std::unique_ptr<mlir::PassInstrumentation> statisticsPrinter(bool sorted);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_PASSREPORT_H
