//===- BranchCosts.cpp - whether to merge equal branches pays -------------===//
//
// EqualBranches.h defines branches, steps and layers.
//
//===----------------------------------------------------------------------===//

#include "Join/EqualBranches.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

using namespace mlir;
using namespace forge;

// Whether `op` is an addition to a matrix product with a single row and without a bias. The device fuses it into the
// kernel of the product, but an addition to several rows is a separate kernel.
static bool isFusedIntoProduct(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  return isa<AddOp>(op) && type.getRank() > 0 && type.getNumElements() == type.getShape().back() &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           auto product = operand.getDefiningOp<MatmulOp>();
           return product && !product.getBias();
         });
}

// An estimate of the cost that merging products or layers saves: the calls and launches, since the bytes that products
// and recurrent layers move are nearly the same. The costs of a TrialCopy would not show it, because the device's
// compiler merges products of one operand itself, unless --forge-separate-products prevents it.
OpCost EqualBranches::savedLaunches() const {
  constexpr int64_t kKernelsOfConcatenation = 3; // at most: with the changes of layout around it
  auto branches = static_cast<int64_t>(count);
  OpCost saved;
  llvm::DenseSet<SmallVector<Value>> stacked;
  auto save = [&](int64_t calls, int64_t kernels) {
    saved.calls += calls;
    saved.addKernels(kernels);
  };
  for (const Step &step : steps) {
    // One op remains of the step. Additions that the device fuses are no kernels, but the merged addition is one,
    // because it has several rows, so that it costs a kernel.
    Operation *op = step.ops.front();
    save(branches - 1, layers && isFusedIntoProduct(op) ? -1 : (branches - 1) * kernelsOf(op));
    // A concatenation of all branches is replaced by the merged result.
    if (OpOperand *first = concatenatedOperand(step); first && first->getOwner()->getNumOperands() == count)
      save(1, kernelsOf(first->getOwner()));
    // Other users of a branch need a slice of the merged result and, for layers, a reshape.
    int64_t branchesUsed =
        llvm::count_if(llvm::seq<size_t>(count), [&](size_t branch) { return hasOtherUses(step, branch); });
    int64_t added = layers ? 2 * branchesUsed : branchesUsed;
    save(-added, -added);
    // Each list of values is stacked once, by a reshape of each value and a concatenation.
    for (auto [number, operand] : llvm::enumerate(step.operands))
      if (SmallVector<Value> values = operandsAt(step.ops, number);
          operand.kind == Operand::Stacked && !llvm::all_of(values, isWeight) && stacked.insert(values).second)
        save(-branches - 1, -branches - kKernelsOfConcatenation);
  }
  return saved;
}

// The same steps, of the copies of the ops in `copy`.
EqualBranches EqualBranches::copiedTo(const TrialCopy &copy) const {
  EqualBranches copied(*this);
  copied.steps.clear();
  copied.positions.clear();
  for (Step step : steps) {
    for (Operation *&op : step.ops)
      op = copy.of(op);
    copied.appendStep(std::move(step));
  }
  return copied;
}

// Merges a copy of branches that begin with slices, and compares the costs. Products and layers are estimated. Slices
// alone are not merged.
bool EqualBranches::isCheaperMerged() const {
  if (!hasSlices)
    return pays(/*before=*/savedLaunches(), /*after=*/{});
  if (length() == 0)
    return false;
  SmallVector<Operation *> ops;
  for (const Step &step : steps)
    llvm::append_range(ops, step.ops);
  TrialCopy copy(ops);
  IRRewriter rewriter(ops.front()->getContext());
  copiedTo(copy).build(rewriter);
  return pays(copy.costBefore(), copy.costAfter());
}
