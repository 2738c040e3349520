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
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
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
// Branches of a group.
static constexpr size_t kMostBranches = 8;

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
/// The name of an op, the rank of its result and, of a reshape, its last axis.
using ReaderKind = std::tuple<const void *, int64_t, int64_t>;

struct ForgeJoinSlicesPass : forge::impl::ForgeJoinSlicesPassBase<ForgeJoinSlicesPass>, ReportingPass {
  using ForgeJoinSlicesPassBase::ForgeJoinSlicesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    composeSlices(func, *this);
    joinProducts(func.front());
    // A slice that the products' join left unread has no operand any more.
    for (IndexOp op : func.front().getOps<IndexOp>())
      if (op->getOperand(0) && !isWeight(op))
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
  void joinWithGaps(ArrayRef<Operation *> slices, int64_t axis);
  bool joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef what);

  // Heads of whole tiles stay apart where --forge-divisibility-rewrite has them so.
  bool mayFollow(Operation *op) const {
    return !(keepTiles && isa<ReshapeOp>(op) && shapeOf(op->getResult(0)).back() % kTile == 0);
  }

  llvm::SetVector<Value> sources;
  SmallVector<Operation *> unread; ///< they read nothing any more
};
} // namespace

// Whether these are reshapes of which the joined one, sliced, would be more kernels: a reshape that reshapes read, also
// that of a write into a cache, is a part of those.
static bool areFewerApart(ArrayRef<Operation *> ops) {
  auto isPartOfReaders = [](Operation *op) {
    return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<ReshapeOp>(user) || isReshapeOfRows(user, op->getResult(0));
    });
  };
  return isa<ReshapeOp>(ops.front()) && 2 * llvm::count_if(ops, isPartOfReaders) >= int64_t(ops.size());
}

bool ForgeJoinSlicesPass::joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef what) {
  EqualBranches branches(ops.size());
  SmallVector<Value> values = llvm::map_to_vector(ops, [](Operation *op) -> Value { return op->getResult(0); });
  if (!(isa<IndexOp>(ops.front()) ? branches.addSlices(values, axis, /*mayHaveGaps=*/true) : branches.add(ops, axis)))
    return false;
  branches.follow(kMostSteps, [&](Operation *op) { return mayFollow(op); });
  branches.leaveToReaders(areFewerApart);
  if (!pays(branches.saved(), {}) ||
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

// What decides whether the readers of values may be alike: nothing where there are several.
static std::optional<ReaderKind> readerOf(Value value) {
  Operation *reader = value.hasOneUse() ? *value.user_begin() : nullptr;
  if (!reader || reader->getNumResults() != 1)
    return std::nullopt;
  RankedTensorType type = tensorType(reader->getResult(0));
  int64_t last = isa<ReshapeOp>(reader) && type.getRank() > 0 ? type.getShape().back() : 0;
  return ReaderKind{reader->getName().getAsOpaquePointer(), type.getRank(), last};
}

// At each product at most kMostBranches - 1 runs are tried, of kMostBranches products and kMostSteps steps each: what
// it takes is linear in the number of products that read one value, as those of experts do (64 take 0.02 s where
// nothing is joined, 256 0.09 s, 1,024 0.44 s).
void ForgeJoinSlicesPass::joinProducts(Block &block) {
  llvm::MapVector<std::tuple<Value, int, ReaderKind>, SmallVector<Operation *>> groups;
  for (MatmulOp op : block.getOps<MatmulOp>()) {
    std::optional<ReaderKind> reader = readerOf(op);
    if (!reader || !isProjection(op))
      continue;
    // Products of whole tiles of columns are apart on purpose.
    if (!keepTiles || op.getType().getShape().back() % kTile != 0)
      groups[{op.getOperandA(), op.getBias() ? 1 : 0, *reader}].push_back(op);
  }
  for (auto &[kind, ops] : groups) {
    llvm::erase_if(ops, [](Operation *op) { return !op->getOperand(0); });
    // All of them, or the most that save something: those of values need not have what queries and keys have.
    for (size_t begin = 0; begin + 1 < ops.size(); ++begin)
      for (size_t end = std::min(ops.size(), begin + kMostBranches); end - begin > 1; --end)
        if (joinRun(ArrayRef<Operation *>(ops).slice(begin, end - begin), -1, "products-joined")) {
          begin = end - 1;
          break;
        }
  }
}

// Joins slices with others between them, as queries and values with the keys, where those are less than what is read.
void ForgeJoinSlicesPass::joinWithGaps(ArrayRef<Operation *> slices, int64_t axis) {
  llvm::MapVector<ReaderKind, SmallVector<Operation *>> groups;
  for (Operation *op : slices)
    if (std::optional<ReaderKind> reader = readerOf(op->getResult(0)); reader && op->getOperand(0))
      groups[*reader].push_back(op);
  for (auto &[kind, ops] : groups) {
    int64_t read = 0;
    for (Operation *op : ops)
      read += sizeAlong(op->getResult(0), axis);
    int64_t size =
        AxisSlice::of(ops.back()->getResult(0))->range.end - AxisSlice::of(ops.front()->getResult(0))->range.begin;
    if (ops.size() > 1 && ops.size() <= kMostBranches && size != read && size - read < read)
      joinRun(ops, axis, "slices-joined");
  }
}

// Joins runs of neighbouring slices, the longest that saves something at each place.
void ForgeJoinSlicesPass::joinSlices(Value source) {
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
      while (end < slices.size() && end - begin < kMostBranches &&
             range(slices[end]).begin == range(slices[end - 1]).end)
        ++end;
      for (; end - begin > 1; --end)
        if (joinRun(ArrayRef<Operation *>(slices).slice(begin, end - begin), axis, "slices-joined")) {
          begin = end - 1;
          break;
        }
    }
    joinWithGaps(slices, axis);
  }
}
