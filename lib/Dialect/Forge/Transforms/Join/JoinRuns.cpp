//===- JoinRuns.cpp - what join-projections and join-slices share ---------===//
//
// A run is a list of consecutive projections or slices whose users are equal ops. It is merged if that costs less, as
// branches of EqualBranches.h, which defines steps.
//
//===----------------------------------------------------------------------===//

#include "Join/JoinRuns.h"

#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"

using namespace mlir;
using namespace forge;

// The largest number of steps of merged ops (EqualBranches::length).
static constexpr size_t kMostSteps = 32;

std::optional<UserKind> forge::onlyUserKind(Value value) {
  Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
  if (!user || user->getNumResults() != 1)
    return std::nullopt;
  RankedTensorType type = tensorType(user->getResult(0));
  int64_t last = isa<ReshapeOp>(user) && type.getRank() > 0 ? type.getShape().back() : 0;
  return UserKind{user->getName().getAsOpaquePointer(), type.getRank(), last};
}

// Whether the device needs no kernel for the reshape `op`, because all its users are reshapes, or writes into a cache,
// which the device reshapes too.
static bool isFoldedIntoUsers(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<ReshapeOp>(user) || isReshapeOfRows(user, op->getResult(0));
  });
}

// Whether `ops` are reshapes that take fewer kernels if they are not merged. Of n reshapes, k are folded into their
// users. Separate, the n - k others need a kernel each. Merged, the reshape of all needs one, and the k users of its
// slices need one each: n - k < 1 + k.
static bool areCheaperSeparate(ArrayRef<Operation *> ops) {
  return isa<ReshapeOp>(ops.front()) && 2 * llvm::count_if(ops, isFoldedIntoUsers) >= int64_t(ops.size());
}

bool RunJoiner::staysSeparate(Operation *op) const {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  return keepsTiles() && !shape.empty() && shape.back() % kTile == 0;
}

// Queries and values may be slices of one value with the keys in between, so that slices may have gaps.
bool RunJoiner::joinRun(ArrayRef<Operation *> ops, int64_t axis, StringRef rewrite) {
  EqualBranches branches(ops.size());
  SmallVector<Value> values = llvm::map_to_vector(ops, [](Operation *op) -> Value { return op->getResult(0); });
  bool isAdded =
      isa<IndexOp>(ops.front()) ? branches.addSlices(values, axis, /*mayHaveGaps=*/true) : branches.addStep(ops, axis);
  if (!isAdded)
    return false;
  branches.followUsers(kMostSteps, [&](Operation *op) { return !isa<ReshapeOp>(op) || !staysSeparate(op); });
  branches.dropLastSteps(areCheaperSeparate);
  if (!branches.isCheaperMerged() ||
      !mayRewrite(ops.front(), rewrite, Twine(ops.size()) + " get the same " + Twine(branches.length()) + " ops"))
    return false;
  IRRewriter rewriter(ops.front()->getContext());
  EqualBranches::Merged merged = branches.build(rewriter);
  sources.insert(merged.values.begin(), merged.values.end());
  mergedOps.add(merged.dead);
  return true;
}

void RunJoiner::joinLongestRuns(ArrayRef<Operation *> ops, int64_t axis, StringRef rewrite,
                                AreNeighbours areNeighbours) {
  for (size_t begin = 0; begin + 1 < ops.size(); ++begin) {
    size_t end = begin + 1;
    while (end < ops.size() && end - begin < kMostBranches && areNeighbours(ops[end - 1], ops[end]))
      ++end;
    while (end - begin > 1 && !joinRun(ops.slice(begin, end - begin), axis, rewrite))
      --end;
    begin = end - 1; // The loop continues after the run.
  }
}
