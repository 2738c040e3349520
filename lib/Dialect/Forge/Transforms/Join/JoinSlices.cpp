//===- JoinSlices.cpp - merges equal ops on slices ------------------------===//
//
// If equal ops are applied to several slices of one value, they are applied once to the slice that covers them, and the
// result is sliced:
//
//     f(slice(%p, 0, 4)), f(slice(%p, 4, 8))  ->  %f = f(slice(%p, 0, 8)), slice(%f, 0, 4), slice(%f, 4, 8)
//
// For example, queries and keys are neighbouring heads of one projection, with the same rotary embedding.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEJOINSLICESPASS
#include "Join/JoinRuns.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"

using namespace mlir;
using namespace forge;

namespace {
struct ForgeJoinSlicesPass : forge::impl::ForgeJoinSlicesPassBase<ForgeJoinSlicesPass>, RunJoiner {
  using ForgeJoinSlicesPassBase::ForgeJoinSlicesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    for (IndexOp op : func.front().getOps<IndexOp>())
      if (!isWeight(op)) // Slices of weights are computed when the program is compiled.
        sources.insert(op.getOperandA());
    // The loop appends to `sources`: the result of a merge is sliced, and ops on these slices may be merged too.
    for (size_t next = 0; next < sources.size(); ++next)
      joinSlices(sources[next]);
    mergedOps.eraseAll();
    sources.clear();
    eraseDeadOps(func.front());
  }

private:
  bool keepsTiles() const override { return keepTiles; }

  static itd::SliceSpec rangeOf(Operation *slice) { return AxisSlice::of(slice->getResult(0))->range; }

  // Merges slices that are not adjacent, such as queries and values without the keys in between. `slices` are sorted by
  // their begin. All of those whose only users are of one kind are merged, if there are gaps, and fewer elements in the
  // gaps than in the slices: the merged ops compute with them, too.
  void joinWithGaps(ArrayRef<Operation *> slices, int64_t axis) {
    llvm::MapVector<UserKind, SmallVector<Operation *>> groups;
    for (Operation *op : slices) // A slice without an operand was merged by joinLongestRuns() (DetachedOps).
      if (std::optional<UserKind> user = onlyUserKind(op->getResult(0)); user && op->getOperand(0))
        groups[*user].push_back(op);
    for (auto &[kind, ops] : groups) {
      int64_t inSlices = 0;
      for (Operation *op : ops)
        inSlices += sizeAlong(op->getResult(0), axis);
      int64_t inGaps = rangeOf(ops.back()).end - rangeOf(ops.front()).begin - inSlices;
      if (ops.size() > 1 && ops.size() <= kMostBranches && inGaps != 0 && inGaps < inSlices)
        joinRun(ops, axis, "slices-joined");
    }
  }

  // Merges runs of adjacent slices of `source` along each axis, and then those with gaps.
  void joinSlices(Value source) {
    llvm::MapVector<int64_t, SmallVector<Operation *>> axes;
    for (Operation *user : source.getUsers())
      if (auto op = dyn_cast<IndexOp>(user); op && op.getStride() == 1 && !isWeight(op)) {
        int64_t rank = op.getType().getRank();
        axes[fromFront(op.getDim(), rank) - rank].push_back(op);
      }
    for (auto &[axis, slices] : axes) {
      llvm::sort(slices, [](Operation *a, Operation *b) {
        int64_t beginOfA = rangeOf(a).begin, beginOfB = rangeOf(b).begin;
        return beginOfA != beginOfB ? beginOfA < beginOfB : isBefore(a, b);
      });
      auto areAdjacent = [](Operation *a, Operation *b) { return rangeOf(a).end == rangeOf(b).begin; };
      joinLongestRuns(slices, axis, "slices-joined", areAdjacent);
      joinWithGaps(slices, axis);
    }
  }
};
} // namespace
