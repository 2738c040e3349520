//===- BuildBranches.cpp - merges equal ops of several branches -----------===//

#include "Fusion/Scaling.h"
#include "Join/EqualBranches.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Users of the branches
//===----------------------------------------------------------------------===//

// Whether `use` is the operand of a step, which becomes an operand of the merged op.
bool EqualBranches::isStepOperand(OpOperand &use) const {
  auto place = places.find(use.getOwner());
  if (place == places.end())
    return false;
  ArrayRef<Operand> operands = steps[place->second.step].operands;
  return !operands.empty() && operands[use.getOperandNumber()].kind == Operand::Step;
}

// A concatenation of the results of all branches of `step`; null if there is none.
ConcatenateOp EqualBranches::rejoined(const JoinedStep &step) const {
  if (hasGaps)
    return {};
  for (OpOperand &use : step.ops.front()->getResult(0).getUses()) {
    auto joined = dyn_cast<ConcatenateOp>(use.getOwner());
    int64_t rank = joined ? joined.getType().getRank() : 0;
    if (!joined || places.contains(joined) || fromFront(joined.getAxis(), rank) - rank != step.axis)
      continue;
    auto operands = joined->getOperands().drop_front(use.getOperandNumber());
    if (operands.size() >= count && llvm::equal(operands.take_front(count), step.ops,
                                                [](Value value, Operation *op) { return value == op->getResult(0); }))
      return joined;
  }
  return {};
}

// Whether the result of `branch` in `step` has users besides the steps and the concatenation of all branches.
bool EqualBranches::isRead(const JoinedStep &step, size_t branch) const {
  ConcatenateOp joined = rejoined(step);
  return llvm::any_of(step.ops[branch]->getUses(),
                      [&](OpOperand &use) { return !isStepOperand(use) && use.getOwner() != joined; });
}

// Whether `op` adds to a product with one row. The device fuses such an add into the product's kernel; an add with
// several rows is a kernel of its own.
static bool isRowOfProduct(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  return isa<AddOp>(op) && type.getRank() > 0 && type.getNumElements() == type.getShape().back() &&
         llvm::any_of(op->getOperands(), [](Value operand) { return operand.getDefiningOp<MatmulOp>() != nullptr; });
}

OpCost EqualBranches::saved() const {
  auto branches = static_cast<int64_t>(count);
  OpCost saved;
  std::set<std::vector<void *>> apart;
  for (const JoinedStep &step : steps) {
    Operation *op = step.ops.front();
    int64_t kernels = kernelsOf(op), read = 0;
    for (size_t branch = 0; branch < count; ++branch)
      read += isRead(step, branch) ? 1 : 0;
    if (ConcatenateOp joined = rejoined(step); joined && joined->getNumOperands() == count) {
      saved.calls += 1;
      saved.addKernels(kernelsOf(joined));
    }
    if (step.operands.empty()) {
      // Slices with other users remain.
      int64_t gone = branches - read - (step.size() == AxisSlice::of(op->getResult(0))->extent() ? 0 : 1);
      saved.calls += gone;
      saved.addKernels(gone * kernels);
      continue;
    }
    // Other users of a branch need a slice of the merged result and, for layers, a reshape.
    int64_t cuts = layers ? 2 * read : read;
    saved.calls += branches - 1 - cuts;
    saved.addKernels((layers && isRowOfProduct(op) ? -1 : (branches - 1) * kernels) - cuts);
    for (auto [number, operand] : llvm::enumerate(step.operands)) {
      std::vector<void *> key;
      bool areWeights = true;
      for (Operation *each : step.ops) {
        key.push_back(each->getOperand(number).getAsOpaquePointer());
        areWeights &= isWeight(each->getOperand(number));
      }
      if (operand.kind != Operand::Stacked || areWeights || !apart.insert(key).second)
        continue;
      // Stacking takes a reshape of each value and a concatenation.
      saved.calls -= branches + 1;
      saved.addKernels(-branches - 3);
    }
  }
  return saved;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// The values stacked along a new leading axis; scalar constants are equal for all branches and stay as they are.
Value EqualBranches::stacked(ArrayRef<Value> values, ImplicitLocOpBuilder &b) {
  std::vector<void *> key;
  for (Value value : values)
    key.push_back(value.getAsOpaquePointer());
  Value &result = stacks[key];
  if (result)
    return result;
  RankedTensorType type = tensorType(values.front());
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, type.getShape());
  DenseElementsAttr first, other;
  bool areEqual = llvm::all_of(values, [&](Value value) {
    return matchPattern(values.front(), m_Constant(&first)) && matchPattern(value, m_Constant(&other)) &&
           first == other && first.isSplat();
  });
  if (areEqual) {
    shape[0] = static_cast<int64_t>(count);
    RankedTensorType all = type.clone(shape);
    return result = ConstantOp::create(b, all, first.resizeSplat(all));
  }
  SmallVector<Value> parts =
      llvm::map_to_vector(values, [&](Value value) -> Value { return ReshapeOp::create(b, value, shape); });
  return result = ConcatenateOp::create(b, parts, -static_cast<int64_t>(shape.size()));
}

// Concatenates the weights of the branches. Weights that broadcast along the axis are repeated to the size of the
// result.
Value EqualBranches::weights(const JoinedStep &step, unsigned number, ImplicitLocOpBuilder &b) {
  int64_t axis = step.operands[number].axis;
  bool isTerm = number == 2 && isa<MatmulOp, Conv2dOp>(step.ops.front());
  SmallVector<Value> parts;
  for (Operation *op : step.ops) {
    Value value = op->getOperand(number);
    SmallVector<int64_t> shape(shapeOf(value));
    if (isTerm)
      shape = {tensorType(value).getNumElements()};
    shape.insert(shape.begin(), std::max<int64_t>(0, -axis - static_cast<int64_t>(shape.size())), 1);
    SmallVector<int64_t> repeats(shape.size(), 1);
    value = reshaped(b, b.getLoc(), value, shape);
    int64_t size = sizeAlong(op->getResult(0), step.axis);
    if (!isTerm && isElementwise(op) && sizeAlong(value, axis) != size) {
      repeats[shape.size() + axis] = size;
      value = RepeatOp::create(b, value, repeats);
    }
    parts.push_back(value);
  }
  return ConcatenateOp::create(b, parts, axis);
}

// Operand `number` of the merged op of `step`.
Value EqualBranches::operand(const JoinedStep &step, unsigned number, ImplicitLocOpBuilder &b) {
  Operation *first = step.ops.front();
  const Operand &operand = step.operands[number];
  SmallVector<Value> values = llvm::map_to_vector(step.ops, [&](Operation *op) { return op->getOperand(number); });
  if (operand.kind == Operand::Same)
    return values.front();
  if (operand.kind == Operand::Weights)
    return weights(step, number, b);
  Value value = operand.kind == Operand::Step ? steps[operand.step].whole : stacked(values, b);
  // The leading axis is that of layers. Operands that broadcast get the rank of the result, so that this axis is
  // aligned.
  int64_t missing = tensorType(first->getResult(0)).getRank() + 1 - tensorType(value).getRank();
  if (!layers || !broadcastsOperands(first) || missing <= 0)
    return value;
  SmallVector<int64_t> shape(shapeOf(value));
  shape.insert(shape.begin() + 1, missing, 1);
  return ReshapeOp::create(b, value, shape);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value EqualBranches::joinedSlices(const JoinedStep &step, ImplicitLocOpBuilder &b) const {
  Value first = step.ops.front()->getResult(0);
  AxisSlice slice = *AxisSlice::of(first);
  slice.range.end = slice.range.begin + step.size();
  if (slice.isWhole() || isa<StridedSliceOp>(step.ops.front()))
    return slice.build(b, b.getLoc());
  return IndexOp::create(b, slice.source, step.axis, slice.range.begin, slice.range.end, int64_t(1));
}

Value EqualBranches::joinedOp(const JoinedStep &step, ImplicitLocOpBuilder &b) {
  Operation *first = step.ops.front();
  SmallVector<Value> operands;
  for (unsigned number = 0; number < first->getNumOperands(); ++number)
    operands.push_back(operand(step, number, b));
  RankedTensorType type = tensorType(first->getResult(0));
  SmallVector<int64_t> shape(type.getShape());
  if (layers)
    shape.insert(shape.begin(), static_cast<int64_t>(count));
  else
    shape[type.getRank() + step.axis] = step.size();
  Operation *op = b.clone(*first);
  op->setLoc(b.getLoc());
  // Attributes count axes from the end, because these do not change by a new leading axis.
  if (layers)
    countAxesFromBack(op);
  op->setOperands(operands);
  op->getResult(0).setType(type.clone(shape));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    reshape.setShape(shape);
  return op->getResult(0);
}

// Inserts each step at the first of its ops, where all of its operands are available. Layers read values of their own:
// they are inserted after the last of their ops, and the ops between that depend on them are moved after them.
void EqualBranches::buildSteps(RewriterBase &rewriter) {
  auto isBefore = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  ImplicitLocOpBuilder b(withoutTrace(steps.front().ops.front()->getLoc()), rewriter);
  if (!layers) {
    for (JoinedStep &step : steps) {
      Operation *earliest = *llvm::min_element(step.ops, isBefore);
      for (auto [number, operand] : llvm::enumerate(step.operands))
        for (Operation *op : step.ops)
          if (Value value = op->getOperand(number); operand.kind != Operand::Step && value.getDefiningOp())
            makeAvailable(value, earliest);
      b.setInsertionPoint(earliest);
      b.setLoc(withoutTrace(earliest->getLoc()));
      step.whole = step.operands.empty() ? joinedSlices(step, b) : joinedOp(step, b);
    }
    return;
  }
  Operation *first = steps.front().ops.front(), *last = first;
  for (const JoinedStep &step : steps)
    for (Operation *op : step.ops) {
      first = std::min(first, op, isBefore);
      last = std::max(last, op, isBefore);
    }
  Operation *end = last->getNextNode();
  SmallVector<Operation *> later;
  for (Operation *op = first; op != end; op = op->getNextNode())
    if (!places.contains(op) && dependents->contains(op))
      later.push_back(op);
  b.setInsertionPoint(end);
  for (JoinedStep &step : steps)
    step.whole = joinedOp(step, b);
  for (Operation *op : later)
    rewriter.moveOpBefore(op, end);
}

// Replaces the results of `step` in concatenations by the result of the merged op. A concatenation of nothing else is
// replaced by that result. It is not erased here, because a list of the calling pass may contain it.
void EqualBranches::rejoin(const JoinedStep &step, RewriterBase &rewriter, SmallVector<Operation *> &unread) {
  while (ConcatenateOp joined = rejoined(step)) {
    SmallVector<Value> operands(joined.getOperands());
    auto *begin = llvm::find(operands, step.ops.front()->getResult(0));
    *begin = step.whole;
    operands.erase(begin + 1, begin + count);
    if (operands.size() == 1) {
      takeTrace(step.whole, joined);
      rewriter.replaceAllUsesWith(joined.getResult(), step.whole);
      operands.clear();
      unread.push_back(joined);
    }
    rewriter.modifyOpInPlace(joined, [&] { joined->setOperands(operands); });
  }
}

// `part` replaces `op`. Where `op` is a chain of reshapes and at most one transpose, `part` has the same elements as
// each value of the chain, and takes their traces.
void EqualBranches::takeTraces(Value part, Operation *op) const {
  bool isTraced = !tracedValues(part.getLoc()).empty();
  SmallVector<int64_t> permutation;
  for (; isa_and_nonnull<ReshapeOp, TransposeOp>(op) && places.contains(op); op = op->getOperand(0).getDefiningOp()) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      // A reshape after the transpose, to the same rank, has other axes: the permutation would not restore the value.
      bool isReshaped = shapeOf(part) != transpose.getType().getShape() &&
                        tensorType(part).getRank() == transpose.getType().getRank();
      if (isTraced || !permutation.empty() || isReshaped)
        return;
      auto [dim0, dim1] = swapOf(transpose);
      permutation = llvm::to_vector(llvm::seq<int64_t>(transpose.getType().getRank()));
      std::swap(permutation[dim0], permutation[dim1]);
    }
    takeTrace(part, op->getOperand(0), permutation);
  }
}

// Replaces the results of `step` by slices of the merged result, for all users that are no steps.
void EqualBranches::cut(const JoinedStep &step, RewriterBase &rewriter) {
  rewriter.setInsertionPointAfterValue(step.whole);
  int64_t begin = 0;
  for (auto [branch, op] : llvm::enumerate(step.ops)) {
    begin += step.gaps[branch];
    int64_t end = begin + (layers ? 1 : sizeAlong(op->getResult(0), step.axis));
    if (isRead(step, branch)) {
      Value part = IndexOp::create(rewriter, op->getLoc(), step.whole, step.axis, begin, end, int64_t(1));
      if (layers) {
        part.getDefiningOp()->setLoc(withoutTrace(op->getLoc()));
        part = ReshapeOp::create(rewriter, op->getLoc(), part, shapeOf(op->getResult(0)));
      } else {
        takeTraces(part, op);
      }
      rewriter.replaceUsesWithIf(op->getResult(0), part, [&](OpOperand &use) { return !isStepOperand(use); });
    }
    begin = end;
  }
}

EqualBranches::Joined EqualBranches::build(RewriterBase &rewriter) {
  buildSteps(rewriter);
  Joined joined;
  for (const JoinedStep &step : steps) {
    rejoin(step, rewriter, joined.unread);
    if (!step.operands.empty())
      cut(step, rewriter);
  }
  for (const JoinedStep &step : steps)
    joined.values.push_back(step.whole);
  for (const JoinedStep &step : llvm::reverse(steps))
    for (auto [branch, op] : llvm::enumerate(step.ops))
      if (!step.operands.empty() || !isRead(step, branch))
        joined.unread.push_back(op);
  return joined;
}
