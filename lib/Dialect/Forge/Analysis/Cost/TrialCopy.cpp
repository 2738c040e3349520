//===- TrialCopy.cpp - the cost of a rewrite, tried on a copy -------------===//

#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

// How far from the ops their neighbours are copied: the ops that may be fused with them, and those that decide it.
static constexpr int kDistance = 3;
// Of a value with more users, such as a residual stream, users that are no part of the rewrite are not copied.
static constexpr unsigned kMostUsers = 16;

TrialCopy::TrialCopy(ArrayRef<Operation *> ops) {
  addNeighbours(ops);
  copy(*ops.front()->getBlock());
  before = cost();
}

void TrialCopy::addNeighbours(ArrayRef<Operation *> ops) {
  Block *source = ops.front()->getBlock();
  SmallVector<Operation *> added;
  auto add = [&](Operation *op) {
    bool isCopied =
        op && op->getBlock() == source && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>();
    if (isCopied && originals.insert(op))
      added.push_back(op);
  };
  // Dead users, which earlier rewrites leave, cost nothing.
  auto isLive = [](Operation *user) { return !isOpTriviallyDead(user); };
  llvm::for_each(ops, add);
  for (int distance = 0; distance < kDistance; ++distance)
    for (Operation *op : std::exchange(added, {})) {
      for (Value operand : op->getOperands())
        if (!isWeight(operand))
          add(operand.getDefiningOp());
      for (Value result : op->getResults())
        if (!result.hasNUsesOrMore(kMostUsers + 1))
          llvm::for_each(llvm::make_filter_range(result.getUsers(), isLive), add);
    }
  for (Operation *op : llvm::to_vector(originals))
    llvm::for_each(op->getOperands(), [&](Value operand) { addWeights(operand); });
}

// Adds the ops that compute `value`, if it is a weight. Not by recursion, because such ops may be a long chain.
void TrialCopy::addWeights(Value value) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (isWeight(next) && originals.insert(next.getDefiningOp()))
      llvm::append_range(pending, next.getDefiningOp()->getOperands());
  }
}

void TrialCopy::copy(Block &source) {
  OpBuilder b(source.getParentOp()->getContext());
  Location loc = b.getUnknownLoc();
  function = func::FuncOp::create(loc, "trial", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function->addEntryBlock());
  SmallVector<Operation *> sorted = originals.takeVector();
  llvm::sort(sorted, isBefore);
  for (Operation *op : sorted) {
    for (Value operand : op->getOperands()) {
      if (copies.contains(operand))
        continue;
      // Arguments remain arguments, because the device converts their layout.
      copies.map(operand,
                 isa<BlockArgument>(operand)
                     ? Value(block().addArgument(operand.getType(), loc))
                     : UnrealizedConversionCastOp::create(b, loc, operand.getType(), ValueRange()).getResult(0));
    }
    b.clone(*op, copies);
  }
  // A result is returned once for each other use, so that it has as many uses as the original.
  SmallVector<Value> returned;
  for (Operation *op : sorted)
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (!copies.contains(user))
          returned.push_back(copies.lookup(result));
  func::ReturnOp::create(b, loc, returned);
}

OpCost TrialCopy::cost() {
  OpCost sum;
  // Not by the analysis manager: the copy is in no module, and changes between the two costs.
  ComputedWeights weights(block());
  for (Operation &op : block().without_terminator())
    if (op.getNumResults() == 1 && !isa<UnrealizedConversionCastOp>(op) && !weights.contains(&op) &&
        !isWeight(op.getResult(0)))
      sum += costOf(&op, DeviceLayout());
  return sum;
}

OpCost TrialCopy::costAfter() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block())))
    if (isOpTriviallyDead(&op))
      op.erase();
  return cost();
}

bool forge::isFasterOnCopy(ArrayRef<Operation *> ops, llvm::function_ref<bool(const TrialCopy &)> rewrite) {
  TrialCopy copy(ops);
  return rewrite(copy) && copy.costAfter().time < copy.costBefore().time;
}
