//===- BuildBranches.cpp - merges equal ops of several branches -----------===//
//
// EqualBranches.h defines branches, steps and layers, and says why steps may be merged. This file decides which steps
// are merged, and builds the merged ops. BranchCosts.cpp decides whether that pays.
//
// A trace (Location.h) records which ONNX value a result holds, and in which order of axes. No rewrite depends on it.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Scaling.h"
#include "Join/EqualBranches.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

int64_t EqualBranches::Step::size() const {
  int64_t size = llvm::sum_of(gaps, int64_t(0));
  for (Operation *op : ops)
    size += sizeAlong(op->getResult(0), axis);
  return size;
}

// Computes the gaps of `step` from the gaps of the steps that produce its operands. A reshape scales a gap by the ratio
// of the axis sizes. The operands agree, because the ratio of a gap to the size of a branch is the same in all steps.
// Returns false if a gap is then not an integer.
bool EqualBranches::setGaps(Step &step) const {
  step.gaps.assign(count, 0);
  for (auto [number, operand] : llvm::enumerate(step.operands)) {
    if (!hasGaps || operand.kind != Operand::FromStep)
      continue;
    Operation *op = step.ops.front();
    int64_t to = sizeAlong(op->getResult(0), step.axis), from = sizeAlong(op->getOperand(number), operand.axis);
    for (auto [newGap, gap] : llvm::zip_equal(step.gaps, steps[operand.step].gaps)) {
      if (gap * to % from != 0)
        return false;
      newGap = gap * to / from;
    }
  }
  return true;
}

void EqualBranches::dropLastSteps(function_ref<bool(ArrayRef<Operation *>)> mayDrop) {
  SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(steps.size()));
  llvm::sort(order, [&](size_t a, size_t b) { return isBefore(steps[a].ops.front(), steps[b].ops.front()); });
  // From the last step on, so that the users of a step are decided before it.
  llvm::SmallDenseSet<size_t> used;
  SmallVector<size_t> kept;
  for (size_t number : llvm::reverse(order)) {
    if (!used.contains(number) && mayDrop(steps[number].ops))
      continue;
    kept.push_back(number);
    for (const Operand &operand : steps[number].operands)
      if (operand.kind == Operand::FromStep)
        used.insert(operand.step);
  }
  // Renumber the others, in program order.
  llvm::SmallDenseMap<size_t, size_t> numbers;
  SmallVector<Step, 0> all = std::exchange(steps, {});
  positions.clear();
  for (size_t old : llvm::reverse(kept)) {
    numbers[old] = steps.size();
    for (Operand &operand : all[old].operands)
      operand.step = numbers.lookup(operand.step);
    appendStep(std::move(all[old]));
  }
}

SmallVector<Operation *> EqualBranches::firstOps() const {
  return llvm::map_to_vector(steps, [](const Step &step) { return step.ops.front(); });
}

// Whether `use` is an operand of a step that another step produces: the merged op then reads the merged result.
bool EqualBranches::isStepOperand(OpOperand &use) const {
  auto position = positions.find(use.getOwner());
  if (position == positions.end())
    return false;
  ArrayRef<Operand> operands = steps[position->second.step].operands;
  return !operands.empty() && operands[use.getOperandNumber()].kind == Operand::FromStep;
}

// Looks for a concatenation along the axis that has the results of all branches of `step`, in their order, as adjacent
// operands, and returns the first of these operands. Returns null if there is none, or if the merged result has gaps:
// elements of no branch. A concatenation that is an op of a step itself is merged, and not replaced.
OpOperand *EqualBranches::concatenatedOperand(const Step &step) const {
  if (hasGaps)
    return nullptr;
  for (OpOperand &use : step.ops.front()->getResult(0).getUses()) {
    auto concatenation = dyn_cast<ConcatenateOp>(use.getOwner());
    int64_t rank = concatenation ? concatenation.getType().getRank() : 0;
    if (!concatenation || positions.contains(concatenation) ||
        fromFront(concatenation.getAxis(), rank) - rank != step.axis)
      continue;
    auto operands = concatenation->getOperands().drop_front(use.getOperandNumber());
    if (operands.size() >= count && llvm::equal(operands.take_front(count), step.ops,
                                                [](Value value, Operation *op) { return value == op->getResult(0); }))
      return &use;
  }
  return nullptr;
}

// Whether the result of `branch` in `step` has uses besides those by the steps and that by the concatenation of all
// branches.
bool EqualBranches::hasOtherUses(const Step &step, size_t branch) const {
  OpOperand *first = concatenatedOperand(step);
  return llvm::any_of(step.ops[branch]->getUses(), [&](OpOperand &use) {
    bool isConcatenated =
        first && use.getOwner() == first->getOwner() && use.getOperandNumber() == first->getOperandNumber() + branch;
    return !isStepOperand(use) && !isConcatenated;
  });
}

// Stacks `values` along a new leading axis, once for all steps that read them. Equal splats, such as initial states,
// become one larger splat.
Value EqualBranches::stackedValues(const SmallVector<Value> &values, ImplicitLocOpBuilder &b) {
  Value &result = stacks[values];
  if (result)
    return result;
  RankedTensorType type = tensorType(values.front());
  SmallVector<int64_t> shape = withRank(type.getShape(), type.getRank() + 1);
  SplatElementsAttr first, other;
  bool areEqual = matchPattern(values.front(), m_Constant(&first)) && llvm::all_of(values, [&](Value value) {
                    return matchPattern(value, m_Constant(&other)) && first == other;
                  });
  if (areEqual) {
    shape[0] = static_cast<int64_t>(count);
    return result = ConstantOp::create(b, first.resizeSplat(type.clone(shape)));
  }
  SmallVector<Value> parts =
      llvm::map_to_vector(values, [&](Value value) -> Value { return ReshapeOp::create(b, value, shape); });
  return result = ConcatenateOp::create(b, parts, -static_cast<int64_t>(shape.size()));
}

// Concatenates the weights that are operand `number` of the branches. A weight that an elementwise op broadcasts along
// the axis is repeated to the size of the result, so that each branch keeps its own weight.
Value EqualBranches::concatenatedWeights(const Step &step, unsigned number, ImplicitLocOpBuilder &b) {
  int64_t axis = step.operands[number].axis;
  bool isBias = number == 2 && isa<MatmulOp, Conv2dOp>(step.ops.front());
  SmallVector<Value> parts;
  for (Operation *op : step.ops) {
    Value value = op->getOperand(number);
    // A bias has one element per column (isProjection), but may have leading axes of size 1 in some branches only. A
    // weight that broadcasts may have fewer axes than the result.
    value = isBias ? reshaped(b, value, {tensorType(value).getNumElements()})
                   : reshaped(b, value, withRank(shapeOf(value), -axis));
    int64_t size = sizeAlong(op->getResult(0), step.axis);
    if (isElementwise(op) && sizeAlong(value, axis) != size) {
      SmallVector<int64_t> repeats(shapeOf(value).size(), 1);
      repeats[repeats.size() + axis] = size;
      value = RepeatOp::create(b, value, repeats);
    }
    parts.push_back(value);
  }
  return ConcatenateOp::create(b, parts, axis);
}

// Operand `number` of the merged op of `step`.
Value EqualBranches::mergedOperand(const Step &step, unsigned number, ImplicitLocOpBuilder &b) {
  Operation *first = step.ops.front();
  const Operand &operand = step.operands[number];
  SmallVector<Value> values = operandsAt(step.ops, number);
  if (operand.kind == Operand::Same)
    return values.front();
  if (operand.kind == Operand::Weights)
    return concatenatedWeights(step, number, b);
  Value value = operand.kind == Operand::FromStep ? steps[operand.step].merged : stackedValues(values, b);
  // Broadcasting aligns trailing axes. Axes of size 1 are inserted after the axis of layers, so that it remains the
  // leading one of all operands.
  int64_t missing = tensorType(first->getResult(0)).getRank() + 1 - tensorType(value).getRank();
  if (!layers || !broadcastsOperands(first) || missing <= 0)
    return value;
  SmallVector<int64_t> shape(shapeOf(value));
  shape.insert(shape.begin() + 1, missing, 1);
  return ReshapeOp::create(b, value, shape);
}

// The slice of the source that contains all branches, including gaps: the source itself if the slice covers the axis,
// else an op of the kind that slices the branches.
Value EqualBranches::mergedSlice(const Step &step, ImplicitLocOpBuilder &b) const {
  Value first = step.ops.front()->getResult(0);
  AxisSlice slice = *AxisSlice::of(first);
  slice.range.end = slice.range.begin + step.size();
  if (slice.coversAxis() || isa<StridedSliceOp>(step.ops.front()))
    return slice.build(b, b.getLoc());
  return IndexOp::create(b, slice.source, step.axis, slice.range.begin, slice.range.end, int64_t(1));
}

// Clones the op of the first branch, with merged operands and the merged shape.
Value EqualBranches::mergedOp(const Step &step, ImplicitLocOpBuilder &b) {
  Operation *first = step.ops.front();
  SmallVector<Value> operands;
  for (unsigned number = 0; number < first->getNumOperands(); ++number)
    operands.push_back(mergedOperand(step, number, b));
  RankedTensorType type = tensorType(first->getResult(0));
  SmallVector<int64_t> shape(type.getShape());
  if (layers)
    shape.insert(shape.begin(), static_cast<int64_t>(count));
  else
    shape[type.getRank() + step.axis] = step.size();
  Operation *op = b.clone(*first);
  op->setLoc(b.getLoc());
  if (layers)
    addLeadingAxis(op);
  op->setOperands(operands);
  op->getResult(0).setType(type.clone(shape));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    reshape.setShape(shape);
  return op->getResult(0);
}

// Builds each merged op at the earliest op of its step, where everything that it reads is available. The merged result
// of an earlier step was built before each op that it replaces, and the earliest op reads one of these. A value that
// all branches share is an operand of the earliest op, too. Weights and equal constants are moved there. A step without
// operands consists of slices.
void EqualBranches::buildSteps(RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(withoutTrace(steps.front().ops.front()->getLoc()), rewriter);
  for (Step &step : steps) {
    Operation *earliest = *llvm::min_element(step.ops, isBefore);
    for (auto [number, operand] : llvm::enumerate(step.operands))
      for (Operation *op : step.ops)
        if (Value value = op->getOperand(number); operand.kind != Operand::FromStep && value.getDefiningOp())
          makeAvailable(value, earliest);
    b.setInsertionPoint(earliest);
    b.setLoc(withoutTrace(earliest->getLoc()));
    step.merged = step.operands.empty() ? mergedSlice(step, b) : mergedOp(step, b);
  }
}

// Builds the merged ops of layers after the last op of all layers, where all stacked operands are available. Other ops
// that depend on the layers and are before that point are moved after the merged ops.
void EqualBranches::buildLayers(RewriterBase &rewriter) {
  Operation *first = steps.front().ops.front(), *last = first;
  for (const Step &step : steps)
    for (Operation *op : step.ops) {
      first = std::min(first, op, isBefore);
      last = std::max(last, op, isBefore);
    }
  Operation *end = last->getNextNode();
  SmallVector<Operation *> dependentOps;
  for (Operation *op = first; op != end; op = op->getNextNode())
    if (!positions.contains(op) && dependsOnBranches(op))
      dependentOps.push_back(op);
  ImplicitLocOpBuilder b(withoutTrace(steps.front().ops.front()->getLoc()), rewriter);
  b.setInsertionPoint(end);
  for (Step &step : steps)
    step.merged = mergedOp(step, b);
  for (Operation *op : dependentOps)
    rewriter.moveOpBefore(op, end);
}

// Replaces the results of `step` in concatenations by the merged result, which also replaces a concatenation that has
// no other operands. That concatenation is not erased here, because lists of the calling pass may contain it.
void EqualBranches::replaceInConcatenations(const Step &step, RewriterBase &rewriter, SmallVector<Operation *> &dead) {
  while (OpOperand *first = concatenatedOperand(step)) {
    auto concatenation = cast<ConcatenateOp>(first->getOwner());
    SmallVector<Value> operands(concatenation.getOperands());
    auto *begin = operands.begin() + first->getOperandNumber();
    *begin = step.merged;
    operands.erase(begin + 1, begin + count);
    if (operands.size() == 1) {
      takeTrace(step.merged, concatenation);
      rewriter.replaceAllUsesWith(concatenation.getResult(), step.merged);
      operands.clear();
      dead.push_back(concatenation);
    }
    rewriter.modifyOpInPlace(concatenation, [&] { concatenation->setOperands(operands); });
  }
}

// Keeps the traces of values that are no longer computed for each branch. `part` is the slice of the merged result that
// replaces the result of `op`, and has the traces of that. If `op` is a merged reshape or transpose, its operand has
// the same elements as `part`, which gets its traces, too; and so on for merged reshapes and transposes before `op`.
//
// A trace names the ONNX value that a value holds, and how their axes are permuted. All traces of a value need the same
// permutation. Therefore at most one transpose is passed, and none if `part` has traces.
void EqualBranches::copyTraces(Value part, Operation *op) const {
  bool isTraced = !tracedValues(part.getLoc()).empty();
  SmallVector<int64_t> permutation;
  for (; isa_and_nonnull<ReshapeOp, TransposeOp>(op) && positions.contains(op);
       op = op->getOperand(0).getDefiningOp()) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      // After a reshape to another shape of the same rank, the permutation would be taken for one of the new axes.
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

// Replaces the results of `step` by slices of the merged result, for users that are no steps.
void EqualBranches::replaceBySlices(const Step &step, RewriterBase &rewriter) {
  rewriter.setInsertionPointAfterValue(step.merged);
  int64_t begin = 0;
  for (auto [branch, op] : llvm::enumerate(step.ops)) {
    begin += step.gaps[branch];
    int64_t end = begin + (layers ? 1 : sizeAlong(op->getResult(0), step.axis));
    if (hasOtherUses(step, branch)) {
      Value part = IndexOp::create(rewriter, op->getLoc(), step.merged, step.axis, begin, end, int64_t(1));
      if (layers) {
        part.getDefiningOp()->setLoc(withoutTrace(op->getLoc()));
        part = ReshapeOp::create(rewriter, op->getLoc(), part, shapeOf(op->getResult(0)));
      } else {
        copyTraces(part, op);
      }
      rewriter.replaceUsesWithIf(op->getResult(0), part, [&](OpOperand &use) { return !isStepOperand(use); });
    }
    begin = end;
  }
}

// Slices at the start, a step without operands, are not replaced: one with other users remains.
EqualBranches::Merged EqualBranches::build(RewriterBase &rewriter) {
  if (layers)
    buildLayers(rewriter);
  else
    buildSteps(rewriter);
  Merged merged;
  for (const Step &step : steps) {
    replaceInConcatenations(step, rewriter, merged.dead);
    if (!step.operands.empty())
      replaceBySlices(step, rewriter);
  }
  for (const Step &step : steps)
    merged.values.push_back(step.merged);
  for (const Step &step : llvm::reverse(steps))
    for (auto [branch, op] : llvm::enumerate(step.ops))
      if (!step.operands.empty() || !hasOtherUses(step, branch))
        merged.dead.push_back(op);
  return merged;
}
