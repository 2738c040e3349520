//===- JoinRuns.h - what join-projections and join-slices share -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINRUNS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINRUNS_H

#include "Join/EqualBranches.h"
#include "PassCommon.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Projections, and slices with gaps, are grouped by the kind of their only user, because users of different kinds
/// could not become one op: the name of the op, the rank of its result and, for a reshape, the size of the trailing
/// axis, such as D of a reshape to heads [..., H, D].
using UserKind = std::tuple<const void *, int64_t, int64_t>;

/// The kind of the only user of `value`; none if there is not exactly one, or if it has not one result (a return).
std::optional<UserKind> onlyUserKind(mlir::Value value);

/// A pass that merges projections, or slices, and the equal ops that follow them.
class RunJoiner : public ReportingPass {
public:
  /// The largest number of slices or projections in a group.
  static constexpr size_t kMostBranches = 32;

protected:
  using AreNeighbours = llvm::function_ref<bool(mlir::Operation *, mlir::Operation *)>;

  /// The option of the pass, under which results whose trailing axis fills whole tiles stay separate, because
  /// --forge-divisibility-rewrite separated them.
  virtual bool keepsTiles() const = 0;
  /// Whether `op`, a projection or a reshape to heads, stays separate (keepsTiles).
  bool staysSeparate(mlir::Operation *op) const;

  /// Merges `ops`, which are slices of one value or projections of one operand, and the equal ops that follow them, if
  /// that costs less. Returns whether it did. `rewrite` is the name of this rewrite in PassTable.inc.
  bool joinRun(llvm::ArrayRef<mlir::Operation *> ops, int64_t axis, llvm::StringRef rewrite);
  /// Merges runs of consecutive `ops`, in which each op and the next one are neighbours, as joinRun() does: from the
  /// first op on the longest run that costs less, and so on from the next op on.
  void joinLongestRuns(llvm::ArrayRef<mlir::Operation *> ops, int64_t axis, llvm::StringRef rewrite,
                       AreNeighbours areNeighbours);

  /// Values whose slices --forge-join-slices tries to merge: those that the program slices, and the results of merged
  /// ops, which replace the separate results by slices.
  llvm::SetVector<mlir::Value> sources;
  DetachedOps mergedOps;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINRUNS_H
