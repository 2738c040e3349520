//===- JoinSlices.cpp - what neighbours have in common, once --------------===//
//
// Queries and keys are neighbouring heads of one projection, and both get the same rotary embedding. Where the same ops
// are done to neighbouring slices, or to columns that are projected from one value, they are done to all of them at
// once, and what comes out is cut in the end.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Fusion/Scaling.h"
#include "Join/EqualBranches.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEJOINSLICESPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// Steps that are looked at from one group of neighbours.
static constexpr size_t kMostSteps = 32;

// Slices of a slice, which nothing else reads, as slices of its source. In the last two axes it may be a window of
// whole tiles, which --forge-divisibility-rewrite made.
static void composeSlices(func::FuncOp func, ReportingPass &pass) {
  for (IndexOp inner : func.front().getOps<IndexOp>()) {
    int64_t rank = inner.getType().getRank(), axis = fromFront(inner.getDim(), rank);
    auto isSliceOfSlice = [&](Operation *user) {
      auto outer = dyn_cast<IndexOp>(user);
      return outer && fromFront(outer.getDim(), rank) == axis && outer.getStride() == 1;
    };
    if (inner.getStride() != 1 || axis >= rank - 2 || !llvm::all_of(inner->getUsers(), isSliceOfSlice))
      continue;
    for (Operation *user : llvm::to_vector(inner->getUsers())) {
      auto outer = cast<IndexOp>(user);
      if (!pass.mayRewrite(outer, "slices-composed"))
        return;
      outer.setStart(outer.getStart() + inner.getStart());
      outer.setStop(outer.getStop() + inner.getStart());
      outer.getOperandAMutable().assign(inner.getOperandA());
    }
  }
}

namespace {
/// Products of one value with matrices of their own, which one op each reads: what decides whether those are alike.
using ProductKind = std::tuple<Value, int, const void *, int64_t, int64_t>;

struct ForgeJoinSlicesPass : forge::impl::ForgeJoinSlicesPassBase<ForgeJoinSlicesPass>, ReportingPass {
  using ForgeJoinSlicesPassBase::ForgeJoinSlicesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    composeSlices(func, *this);
    joinProducts(func.front());
    for (IndexOp op : func.front().getOps<IndexOp>())
      if (!isWeight(op))
        sources.insert(op.getOperandA());
    // What comes out of one join is sliced, and slices of it may have more in common.
    for (size_t next = 0; next < sources.size(); ++next)
      joinSlices(sources[next]);
    for (Operation *op : unread)
      op->erase();
    unread.clear();
    sources.clear();
    eraseDeadOps(func.front());
  }

private:
  void joinProducts(Block &block);
  void joinSlices(Value source);
  bool joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef what);

  // Heads of whole tiles stay apart where --forge-divisibility-rewrite has them so.
  bool mayFollow(Operation *op) const {
    return !(keepTiles && isa<ReshapeOp>(op) && shapeOf(op->getResult(0)).back() % kTile == 0);
  }

  llvm::SetVector<Value> sources;
  SmallVector<Operation *> unread; ///< they read nothing any more
};
} // namespace

bool ForgeJoinSlicesPass::joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef what) {
  EqualBranches branches(ops.size());
  SmallVector<Value> values = llvm::map_to_vector(ops, [](Operation *op) -> Value { return op->getResult(0); });
  if (!(isa<IndexOp>(ops.front()) ? branches.addSlices(values, axis) : branches.add(ops, axis)))
    return false;
  branches.follow(kMostSteps, [&](Operation *op) { return mayFollow(op); });
  if (!branches.saved().areWorthIt() ||
      !mayRewrite(ops.front(), what, Twine(ops.size()) + " get the same " + Twine(branches.length()) + " ops"))
    return false;
  IRRewriter rewriter(ops.front()->getContext());
  EqualBranches::Joined joined = branches.build(rewriter);
  sources.insert(joined.values.begin(), joined.values.end());
  // Lists of groups still have them.
  for (Operation *op : joined.unread)
    op->dropAllReferences();
  unread.append(joined.unread);
  return true;
}

void ForgeJoinSlicesPass::joinProducts(Block &block) {
  constexpr size_t kMost = 8;
  llvm::MapVector<ProductKind, SmallVector<Operation *>> groups;
  for (MatmulOp op : block.getOps<MatmulOp>()) {
    if (!op->hasOneUse() || !isProjection(op))
      continue;
    Operation *reader = *op->user_begin();
    if (reader->getNumResults() != 1)
      continue;
    RankedTensorType type = tensorType(reader->getResult(0));
    // Where columns are whole tiles, products are apart on purpose.
    if (keepTiles && (isa<ReshapeOp>(reader) ? type : op.getType()).getShape().back() % kTile == 0)
      continue;
    int64_t last = isa<ReshapeOp>(reader) ? type.getShape().back() : 0;
    groups[{op.getOperandA(), op.getBias() ? 1 : 0, reader->getName().getAsOpaquePointer(), type.getRank(), last}]
        .push_back(op);
  }
  for (auto &[kind, ops] : groups) {
    llvm::erase_if(ops, [](Operation *op) { return !op->getOperand(0); });
    if (ops.size() > 1 && ops.size() <= kMost)
      joinRun(ops, -1, "products-joined");
  }
}

// Joins runs of neighbouring slices, the longest that saves something at each place.
void ForgeJoinSlicesPass::joinSlices(Value source) {
  constexpr size_t kMost = 8;
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
    for (size_t begin = 0; begin + 1 < slices.size(); ++begin) {
      size_t end = begin + 1;
      while (end < slices.size() && end - begin < kMost && range(slices[end]).begin == range(slices[end - 1]).end)
        ++end;
      for (; end - begin > 1; --end)
        if (joinRun(ArrayRef<Operation *>(slices).slice(begin, end - begin), axis, "slices-joined")) {
          begin = end - 1;
          break;
        }
    }
  }
}
