//===- JoinSlices.cpp - merges equal ops on slices and projections --------===//
//
// If equal ops are applied to several slices of one value, or to several projections of it, such as queries, keys and
// values, then the projections are merged, the ops are applied once to all columns, and the result is sliced:
//
//     f(slice(%p, 0, 4)), f(slice(%p, 4, 8))  ->  %f = f(slice(%p, 0, 8)), slice(%f, 0, 4), slice(%f, 4, 8)
//
// For example, queries and keys are neighbouring heads of one projection, with the same rotary embedding.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEJOINSLICESPASS
#include "Fusion/Scaling.h"
#include "Join/EqualBranches.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"

using namespace mlir;
using namespace forge;

// The largest number of steps of merged ops (EqualBranches::length).
static constexpr size_t kMostSteps = 32;
// The largest number of slices or projections in a group.
static constexpr size_t kMostBranches = 8;

// What distinguishes the users of values that may be merged: the name of the op, the rank of its result and, for a
// reshape, the size of the trailing axis.
using UserKind = std::tuple<const void *, int64_t, int64_t>;

// The kind of the only user of `value`; none if there are several users.
static std::optional<UserKind> onlyUserKind(Value value) {
  Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
  if (!user || user->getNumResults() != 1)
    return std::nullopt;
  RankedTensorType type = tensorType(user->getResult(0));
  int64_t last = isa<ReshapeOp>(user) && type.getRank() > 0 ? type.getShape().back() : 0;
  return UserKind{user->getName().getAsOpaquePointer(), type.getRank(), last};
}

// Whether `ops` are reshapes that take fewer kernels if they are not merged, because at least half of them are folded
// into their users: other reshapes, or writes into a cache, which the device reshapes too.
static bool areCheaperSeparate(ArrayRef<Operation *> ops) {
  auto isFoldedIntoUsers = [](Operation *op) {
    return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<ReshapeOp>(user) || isReshapeOfRows(user, op->getResult(0));
    });
  };
  return isa<ReshapeOp>(ops.front()) && 2 * llvm::count_if(ops, isFoldedIntoUsers) >= int64_t(ops.size());
}

namespace {
struct ForgeJoinSlicesPass : forge::impl::ForgeJoinSlicesPassBase<ForgeJoinSlicesPass>, ReportingPass {
  using ForgeJoinSlicesPassBase::ForgeJoinSlicesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    joinProjections(func.front());
    // A slice without an operand was merged, and is erased below.
    for (IndexOp op : func.front().getOps<IndexOp>())
      if (op->getOperand(0) && !isWeight(op))
        sources.insert(op.getOperandA());
    // The loop appends to `sources`: the result of a merge is sliced, and ops on these slices may be merged too.
    for (size_t next = 0; next < sources.size(); ++next)
      joinSlices(sources[next]);
    mergedOps.eraseAll();
    sources.clear();
    eraseDeadOps(func.front());
  }

private:
  using AreNeighbours = function_ref<bool(Operation *, Operation *)>;

  // With `keepTiles`, heads and products of whole tiles remain separate: --forge-divisibility-rewrite separated them.
  bool isKept(Operation *op) const {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    return keepTiles && !shape.empty() && shape.back() % kTile == 0;
  }

  // Merges `ops`, which are slices of one value or projections of one operand, and the equal ops that follow them, if
  // that costs less. Returns whether it did. `what` is the name of this rewrite in PassTable.inc.
  bool joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef what) {
    EqualBranches branches(ops.size());
    SmallVector<Value> values = llvm::map_to_vector(ops, [](Operation *op) -> Value { return op->getResult(0); });
    if (!(isa<IndexOp>(ops.front()) ? branches.addSlices(values, axis, /*mayHaveGaps=*/true)
                                    : branches.addStep(ops, axis)))
      return false;
    branches.followUsers(kMostSteps, [&](Operation *op) { return !isa<ReshapeOp>(op) || !isKept(op); });
    branches.dropLastSteps(areCheaperSeparate);
    if (!branches.isCheaperMerged() ||
        !mayRewrite(ops.front(), what, Twine(ops.size()) + " get the same " + Twine(branches.length()) + " ops"))
      return false;
    IRRewriter rewriter(ops.front()->getContext());
    EqualBranches::Merged merged = branches.build(rewriter);
    sources.insert(merged.values.begin(), merged.values.end());
    mergedOps.add(merged.dead);
    return true;
  }

  // From each op on, merges the longest run of `ops` for which that pays. In a run, each op and the next one are
  // neighbours.
  void joinLongestRuns(ArrayRef<Operation *> ops, int64_t axis, StringRef what, AreNeighbours areNeighbours) {
    for (size_t begin = 0; begin + 1 < ops.size(); ++begin) {
      size_t end = begin + 1;
      while (end < ops.size() && end - begin < kMostBranches && areNeighbours(ops[end - 1], ops[end]))
        ++end;
      while (end - begin > 1 && !joinRun(ops.slice(begin, end - begin), axis, what))
        --end;
      begin = end - 1;
    }
  }

  // Merges projections (products with weights) that share their left operand and whose users are of one kind, such as
  // those of queries, keys and values. That may be two products of three, such as queries and keys, because values have
  // no rotary embedding. Linear in the number of products of one operand, because the length of a run is limited.
  void joinProjections(Block &block) {
    llvm::MapVector<std::tuple<Value, int, UserKind>, SmallVector<Operation *>> groups;
    for (MatmulOp op : block.getOps<MatmulOp>())
      if (std::optional<UserKind> user = onlyUserKind(op); user && isProjection(op) && !isKept(op))
        groups[{op.getOperandA(), op.getBias() ? 1 : 0, *user}].push_back(op);
    for (auto &[kind, ops] : groups) {
      // A product without operands was merged with another one.
      llvm::erase_if(ops, [](Operation *op) { return !op->getOperand(0); });
      joinLongestRuns(ops, -1, "products-joined", [](Operation *, Operation *) { return true; });
    }
  }

  // `slices` are sorted by their begin. Of those whose only users are of one kind, merges slices that are not adjacent,
  // such as queries and values without the keys in between, if fewer elements are in the gaps than in the slices.
  // Slices without gaps are left to joinLongestRuns().
  void joinWithGaps(ArrayRef<Operation *> slices, int64_t axis) {
    llvm::MapVector<UserKind, SmallVector<Operation *>> groups;
    for (Operation *op : slices)
      if (std::optional<UserKind> user = onlyUserKind(op->getResult(0)); user && op->getOperand(0))
        groups[*user].push_back(op);
    for (auto &[kind, ops] : groups) {
      int64_t sliced = 0;
      for (Operation *op : ops)
        sliced += sizeAlong(op->getResult(0), axis);
      int64_t span =
          AxisSlice::of(ops.back()->getResult(0))->range.end - AxisSlice::of(ops.front()->getResult(0))->range.begin;
      if (ops.size() > 1 && ops.size() <= kMostBranches && span != sliced && span - sliced < sliced)
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
    auto range = [](Operation *op) { return AxisSlice::of(op->getResult(0))->range; };
    for (auto &[axis, slices] : axes) {
      llvm::sort(slices, [&](Operation *a, Operation *b) {
        return range(a).begin != range(b).begin ? range(a).begin < range(b).begin : a->isBeforeInBlock(b);
      });
      joinLongestRuns(slices, axis, "slices-joined",
                      [&](Operation *a, Operation *b) { return range(a).end == range(b).begin; });
      joinWithGaps(slices, axis);
    }
  }

  llvm::SetVector<Value> sources;
  DetachedOps mergedOps;
};
} // namespace
