//===- SplitRows.cpp - splits matrix rows for less padding ----------------===//

#include "Layout/SplitRows.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace forge;

// Whether `op` slices or concatenates along an axis other than the trailing one, with step 1 along the rows.
static bool movesRows(Operation *op) {
  if (!isa<IndexOp, ConcatenateOp>(op) || op->use_empty() || isWeight(op->getResult(0)))
    return false;
  RankedTensorType type = tensorType(op->getResult(0));
  int64_t rank = type.getRank(), axis = cast<AxisOpInterface>(op).getWorkAxis();
  auto slice = dyn_cast<IndexOp>(op);
  return rank >= 2 && axis < rank - 1 && (axis < rank - 2 || !slice || slice.getStride() == 1);
}

// The type of `value` with rows split into `parts`.
static RankedTensorType splitType(Value value, int64_t parts) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape.end()[-2] *= parts;
  shape.end()[-1] /= parts;
  return tensorType(value).clone(shape);
}

// The operand of the reshape that computes `value`; `value` if no reshape does.
static Value beforeReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getOperandA() : value;
}

std::vector<SplitRows> SplitRows::in(Block &block) {
  std::vector<SplitRows> regions;
  for (ConnectedOps &ops : connectedOps(block, movesRows, [](OpOperand &) { return true; }))
    regions.emplace_back().ops = std::move(ops);
  return regions;
}

llvm::SetVector<Value> SplitRows::sources() const {
  llvm::SetVector<Value> found;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!contains(operand))
        found.insert(operand);
  return found;
}

// Adds the cost of `op` with rows split into `parts`.
static void addOp(OpCost &cost, Operation *op, int64_t parts) {
  DeviceLayout layout;
  int64_t bytes = layout.bytes(splitType(op->getResult(0), parts));
  for (Value operand : op->getOperands())
    bytes = addCounts(bytes, layout.bytes(splitType(operand, parts)));
  cost.addKernels(1, bytes);
}

OpCost SplitRows::costOfParts(int64_t parts) const {
  OpCost cost;
  auto move = [&](RankedTensorType from, RankedTensorType to) {
    if (from != to)
      cost.addMove(from, to);
  };
  for (Value source : sources()) {
    // A reshape with other users remains in any case. For unsplit rows, it is no cost of this region then.
    bool hasOtherUsers = llvm::any_of(source.getUsers(), [&](Operation *user) { return !ops.contains(user); });
    if (parts > 1 || !hasOtherUsers)
      move(tensorType(beforeReshape(source)), splitType(source, parts));
  }
  for (Operation *op : ops) {
    addOp(cost, op, parts);
    // A user that is a reshape takes split rows as its operand. All other users share one reshape to unsplit rows.
    bool hasUnsplitUser = false;
    for (Operation *user : op->getUsers()) {
      if (auto reshape = dyn_cast<ReshapeOp>(user))
        move(splitType(op->getResult(0), parts), reshape.getType());
      else
        hasUnsplitUser |= !ops.contains(user);
    }
    if (hasUnsplitUser)
      move(splitType(op->getResult(0), parts), tensorType(op->getResult(0)));
  }
  return cost;
}

int64_t SplitRows::bestParts() const {
  // Not split: the cost of a transpose depends on the slices that follow it, and that of an argument on all its users.
  for (Value source : sources())
    if (isa<BlockArgument>(source) || source.getDefiningOp<TransposeOp>())
      return 1;
  OpCost best = costOfParts(1);
  int64_t kernels = best.kernels, chosen = 1, columns = shapeOf(first()->getResult(0)).back();
  constexpr int64_t kMostParts = 64;
  for (int64_t parts = 2; parts <= std::min(columns, kMostParts); ++parts)
    if (columns % parts == 0)
      if (OpCost cost = costOfParts(parts); cost.kernels <= kernels && pays(best, cost)) {
        best = cost;
        chosen = parts;
      }
  return chosen;
}

void SplitRows::rewrite(int64_t parts) {
  OpBuilder builder(first()->getContext());
  for (Value source : sources()) {
    RankedTensorType type = splitType(source, parts);
    Value before = beforeReshape(source), split = before;
    if (before.getType() == type) {
      takeTrace(before, source);
    } else {
      builder.setInsertionPointAfterValue(source);
      split = ReshapeOp::create(builder, withoutTrace(source.getLoc()), type, before, type.getShape());
    }
    source.replaceUsesWithIf(split, [&](OpOperand &use) { return ops.contains(use.getOwner()); });
  }
  for (Operation *op : ops) {
    Value result = op->getResult(0);
    RankedTensorType type = tensorType(result);
    auto slice = dyn_cast<IndexOp>(op);
    if (slice && cast<AxisOpInterface>(op).getWorkAxis() == type.getRank() - 2) {
      slice.setStart(slice.getStart() * parts);
      slice.setStop(slice.getStop() * parts);
    }
    reshapeResult(op, splitType(result, parts).getShape());
    builder.setInsertionPointAfter(op);
    Value unsplit;
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      if (ops.contains(use.getOwner()) || isa<ReshapeOp>(use.getOwner()))
        continue;
      if (!unsplit)
        unsplit = ReshapeOp::create(builder, withoutTrace(op->getLoc()), type, result, type.getShape());
      use.set(unsplit);
    }
  }
}
