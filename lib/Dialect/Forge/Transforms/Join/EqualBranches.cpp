//===- EqualBranches.cpp - finds equal ops on several branches ------------===//
//
// EqualBranches.h defines branches, steps and layers, describes the public functions, and has the conditions under
// which ops can be merged.
//
//===----------------------------------------------------------------------===//

#include "Join/EqualBranches.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

#include <set>

using namespace mlir;
using namespace forge;

// The longest chain of producers that is followed backwards from an operand, for expressions such as x * sigmoid(x).
static constexpr int kMostBackwards = 8;
// The largest number of elements of concatenated weights that are stored in addition to the weights.
static constexpr int64_t kMostAdditional = 1 << 16;

// Whether two operands are the same value, or equal constants.
static bool areEqualValues(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return a == b || (first && second && isa<ConstantOp, ScalarConstantOp>(first) &&
                    OperationEquivalence::isEquivalentTo(first, second, OperationEquivalence::IgnoreLocations));
}

// Whether the types of `a` and `b` are equal except for the size of `axis`, which is counted from the back. If their
// rank is too low for that axis, they have to be equal.
static bool differOnlyAlong(Value a, Value b, int64_t axis) {
  RankedTensorType one = tensorType(a), other = tensorType(b);
  int64_t at = one.getRank() + axis;
  if (at < 0 || one.getRank() != other.getRank())
    return one == other;
  SmallVector<int64_t> shape(one.getShape());
  shape[at] = other.getDimSize(at);
  return one.clone(shape) == other;
}

// Whether two ops of one block, each with a single result, have the same name, attributes and number of operands. The
// shape of a reshape is not compared: addStep() compares the types of the results, which may differ along the axis.
static bool areEqualOps(Operation *a, Operation *b) {
  return a->getName() == b->getName() && a->getBlock() == b->getBlock() && a->getNumResults() == 1 &&
         a->getNumOperands() == b->getNumOperands() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary() &&
         (isa<ReshapeOp>(a) || a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute());
}

std::optional<size_t> EqualBranches::stepOf(ArrayRef<Value> values, int64_t axis) const {
  const Position *first = positionOf(values.front());
  if (!first || steps[first->step].axis != axis)
    return std::nullopt;
  auto computes = [](Value value, Operation *op) { return value.getDefiningOp() == op; };
  return llvm::equal(values, steps[first->step].ops, computes) ? std::optional(first->step) : std::nullopt;
}

// Whether `op`, which may be null, depends on the slices of layers. The ops up to `op` that were not searched before
// are searched in the order of the block, so that their operands are known.
bool EqualBranches::dependsOnBranches(Operation *op) {
  for (; op && nextOp && (nextOp == op || nextOp->isBeforeInBlock(op)); nextOp = nextOp->getNextNode())
    if (llvm::any_of(nextOp->getOperands(),
                     [&](Value operand) { return dependents.contains(operand.getDefiningOp()); }))
      dependents.insert(nextOp);
  return dependents.contains(op);
}

// For products and convolutions: whether `weights`, one operand of each of `ops`, can be concatenated along
// `operandAxis`: columns of matrices (axis -1), but no batches of them, filters of convolutions, and biases of both. A
// product may have weights of another element type than its result, but a concatenation has one element type.
static bool canConcatenateWeights(ArrayRef<Operation *> ops, ArrayRef<Value> weights, int64_t operandAxis) {
  bool areColumnsOrFilters = operandAxis == -1 || isa<Conv2dOp>(ops.front());
  auto elementTypes = llvm::map_range(weights, [](Value value) { return tensorType(value).getElementType(); });
  return areColumnsOrFilters && llvm::all_of(ops, isProjection) && llvm::all_equal(elementTypes);
}

// Whether operand `number` of `ops` is a weight in each branch, and these weights can be concatenated along
// `operandAxis`, which becomes `axis` of the results. With gaps they cannot: the merged op has elements of no branch,
// for which there are no weights. A small weight that an elementwise op broadcasts along the axis is repeated.
bool EqualBranches::canConcatenate(ArrayRef<Operation *> ops, unsigned number, int64_t operandAxis,
                                   int64_t axis) const {
  SmallVector<Value> values = operandsAt(ops, number);
  if (hasGaps || !llvm::all_of(values, isWeight))
    return false;
  if (isa<MatmulOp, Conv2dOp>(ops.front()))
    return canConcatenateWeights(ops, values, operandAxis);
  if (!llvm::all_of(values, [&](Value value) { return differOnlyAlong(value, values.front(), operandAxis); }))
    return false;
  int64_t elements = 0; // of the concatenation
  bool isRepeated = false;
  for (auto [op, value] : llvm::zip_equal(ops, values)) {
    int64_t size = sizeAlong(op->getResult(0), axis), weightSize = sizeAlong(value, operandAxis);
    // Weights without elements are not merged.
    if (weightSize == 0 || (weightSize != size && weightSize != 1))
      return false;
    isRepeated |= weightSize != size;
    elements += tensorType(value).getNumElements() / weightSize * size;
  }
  if (isRepeated && !isElementwise(ops.front()))
    return false;
  // The concatenation is stored instead of the weights (mayBeStoredOtherwise). If a weight is repeated, or remains
  // stored for other users, the concatenation takes additional memory, and has to be small.
  bool replacesWeights = !isRepeated && llvm::all_of(values, mayBeStoredOtherwise);
  return replacesWeights || elements <= kMostAdditional;
}

// Whether `op` broadcasts its operand `number` along `operandAxis`, so that the merged op may read the operand of one
// branch, if those of the other branches are equal.
bool EqualBranches::broadcasts(Operation *op, unsigned number, int64_t operandAxis) const {
  Value operand = op->getOperand(number);
  // Of a product of layers, only a matrix on the right broadcasts. Other operands are stacked even if they are equal,
  // because the device broadcasts all batch axes or none. If they are splats, as initial states are, their stack is a
  // larger splat, which costs nothing.
  if (layers && isa<MatmulOp>(op))
    return number == 1 && tensorType(operand).getRank() == 2;
  // A product broadcasts batch axes and its bias, but neither the rows nor the columns of its matrices.
  if (isa<MatmulOp>(op) && number < 2 && operandAxis >= -2)
    return false;
  return broadcastsOperands(op) && sizeAlong(operand, operandAxis) == 1;
}

// How operand `number` of `ops`, which is no result of a step, is merged along `operandAxis`, which becomes `axis` of
// the results. None if none of these is possible:
// - Same: it is one value in all branches, and broadcasts along the axis or has no such axis (kSameForAll), as the left
//   operand of products whose columns are merged.
// - Weights, which are concatenated (canConcatenate), unless the branches are layers.
// - Stacked, for layers: it has one type in all branches.
// In layers, the operand must not depend on a branch, because buildLayers() places the merged ops before all other ops
// that do.
std::optional<EqualBranches::Operand::Kind> EqualBranches::kindOf(ArrayRef<Operation *> ops, unsigned number,
                                                                  int64_t operandAxis, int64_t axis) {
  SmallVector<Value> values = operandsAt(ops, number);
  bool isSame = llvm::all_of(values, [&](Value value) { return areEqualValues(value, values.front()); });
  if (operandAxis == kSameForAll)
    return isSame ? std::optional(Operand::Same) : std::nullopt;
  if (layers && llvm::any_of(values, [&](Value value) { return dependsOnBranches(value.getDefiningOp()); }))
    return std::nullopt;
  if (isSame && broadcasts(ops.front(), number, operandAxis))
    return Operand::Same;
  if (!layers)
    return canConcatenate(ops, number, operandAxis, axis) ? std::optional(Operand::Weights) : std::nullopt;
  bool haveOneType = llvm::all_equal(llvm::map_range(values, [](Value value) { return value.getType(); }));
  return haveOneType ? std::optional(Operand::Stacked) : std::nullopt;
}

// Whether a slice of each result along `axis` is computed from the same slice of its operand along `operandAxis`: the
// operand does not broadcast along the axis. The sizes of a reshape may differ, but are in the same proportion.
static bool isSlicedWithResult(ArrayRef<Operation *> ops, ArrayRef<Value> operands, int64_t operandAxis, int64_t axis) {
  return isa<ReshapeOp>(ops.front()) || llvm::equal(ops, operands, [&](Operation *op, Value operand) {
           return sizeAlong(operand, operandAxis) == sizeAlong(op->getResult(0), axis);
         });
}

// Finds how operand `number` of `ops` is merged; none if it cannot be. Results of steps are preferred, because they
// need no new op, then values that depend on no branch. With `backwards`, producers are added as steps otherwise.
std::optional<EqualBranches::Operand> EqualBranches::operandOf(ArrayRef<Operation *> ops, unsigned number, int64_t axis,
                                                               bool backwards) {
  SmallVector<Value> values = operandsAt(ops, number);
  // The axes of the operand that become `axis` of the result in all branches.
  AxisChoices choices = operandAxes(ops.front(), number, axis);
  for (Operation *op : ops.drop_front()) {
    AxisChoices others = operandAxes(op, number, axis);
    llvm::erase_if(choices, [&](int64_t choice) { return !llvm::is_contained(others, choice); });
  }
  for (int64_t operandAxis : choices)
    if (std::optional<size_t> step = stepOf(values, operandAxis);
        step && isSlicedWithResult(ops, values, operandAxis, axis))
      return Operand{Operand::FromStep, operandAxis, *step};
  for (int64_t operandAxis : choices)
    if (std::optional<Operand::Kind> kind = kindOf(ops, number, operandAxis, axis))
      return Operand{*kind, operandAxis};
  if (!backwards)
    return std::nullopt;
  // If a reshape has axes of size 1 next to the axis, prefer the one with the size of the result axis.
  llvm::stable_sort(choices, [&](int64_t a, int64_t b) {
    int64_t size = sizeAlong(ops.front()->getResult(0), axis);
    return (sizeAlong(values.front(), a) == size) > (sizeAlong(values.front(), b) == size);
  });
  for (int64_t operandAxis : choices)
    if (operandAxis != kSameForAll && isSlicedWithResult(ops, values, operandAxis, axis) &&
        addProducers(values, operandAxis))
      return Operand{Operand::FromStep, operandAxis, *stepOf(values, operandAxis)};
  return std::nullopt;
}

// Adds a step whose operands were checked.
void EqualBranches::appendStep(Step step) {
  for (auto [branch, op] : llvm::enumerate(step.ops))
    positions[op] = {steps.size(), branch};
  steps.push_back(std::move(step));
}

// Each value has to be a contiguous slice along `axis`, and begin where the one before ends or, with gaps, later. All
// are ops of one kind, forge.index or forge.strided_slice, because the merged slice is of that kind (mergedSlice).
bool EqualBranches::addSlices(ArrayRef<Value> values, int64_t axis, bool mayHaveGaps) {
  int64_t rank = tensorType(values.front()).getRank();
  SmallVector<Operation *> ops;
  SmallVector<int64_t> gaps;
  std::optional<AxisSlice> before;
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    std::optional<AxisSlice> slice = isa_and_nonnull<IndexOp, StridedSliceOp>(op) ? AxisSlice::of(value) : std::nullopt;
    if (!slice || positions.contains(op) || slice->axis != rank + axis || !slice->isContiguous())
      return false;
    int64_t gap = before ? slice->range.begin - before->range.end : 0;
    if (before && (slice->source != before->source || op->getName() != ops.front()->getName() ||
                   op->getBlock() != ops.front()->getBlock() || gap < 0 || (gap > 0 && !mayHaveGaps)))
      return false;
    gaps.push_back(gap);
    hasGaps |= gap > 0;
    before = slice;
    ops.push_back(op);
  }
  hasSlices = true;
  appendStep({std::move(ops), axis, {}, std::move(gaps)});
  return true;
}

// Whether a product can get a leading axis of layers: both operands have the same batch axes, or the right operand has
// none and those of the left operand have size 1. Otherwise the device would repeat an operand along the batch axes of
// the other one. There is no bias: the kernel adds one row to all matrices, but each layer has a row of its own.
static bool isProductOfLayers(MatmulOp op) {
  ArrayRef<int64_t> left = shapeOf(op.getOperandA()).drop_back(2), right = shapeOf(op.getOperandB()).drop_back(2);
  return !op.getBias() &&
         (left == right || (right.empty() && llvm::all_of(left, [](int64_t size) { return size == 1; })));
}

// Whether `ops` are different ops, in no step yet, that are equal except for their operands and the sizes of their
// results along `axis`.
bool EqualBranches::areEqualExceptSizes(ArrayRef<Operation *> ops, int64_t axis) const {
  Operation *first = ops.front();
  llvm::SmallDenseSet<Operation *> distinct(ops.begin(), ops.end());
  auto isLikeFirst = [&](Operation *op) {
    if (positions.contains(op) || !areEqualOps(op, first))
      return false;
    return layers ? op->getResultTypes() == first->getResultTypes()
                  : differOnlyAlong(op->getResult(0), first->getResult(0), axis);
  };
  if (distinct.size() != count || !llvm::all_of(ops, isLikeFirst))
    return false;
  // Layers get a new axis, which must not be one too many for the device. In other branches, the results must have
  // `axis`: addProducers() also asks about producers of an operand that broadcasts, whose rank may be too low.
  int64_t rank = tensorType(first->getResult(0)).getRank();
  return layers ? rank < static_cast<int64_t>(kMostBroadcastAxes) : rank + axis >= 0;
}

// Whether the merged op could end the program because of the elements in gaps, which it computes although nothing reads
// the results: integers may overflow, or be divided by 0. Reshapes and transposes only move them.
static bool mayFailInGaps(Operation *op) {
  return isa<IntegerType>(tensorType(op->getResult(0)).getElementType()) && !isReshape(op) && !isa<TransposeOp>(op);
}

bool EqualBranches::addStep(ArrayRef<Operation *> ops, int64_t axis, bool backwards) {
  if (!areEqualExceptSizes(ops, axis))
    return false;
  Operation *first = ops.front();
  Step step{SmallVector<Operation *>(ops), axis, {}};
  for (unsigned number = 0; number < first->getNumOperands(); ++number) {
    std::optional<Operand> operand = operandOf(ops, number, axis, backwards);
    if (!operand)
      return false;
    step.operands.push_back(*operand);
  }
  // If all operands are the same, the branches do not differ, and there is nothing to merge.
  if (llvm::all_of(step.operands, [](const Operand &operand) { return operand.kind == Operand::Same; }))
    return false;
  if (auto product = dyn_cast<MatmulOp>(first);
      product && layers && step.operands[1].kind != Operand::Same && !isProductOfLayers(product))
    return false;
  if ((hasGaps && mayFailInGaps(first)) || !setGaps(step))
    return false;
  appendStep(std::move(step));
  return true;
}

// Whether `values` are, or become, results of a step. If they are neither results of a step nor slices, their producers
// become a step, provided that each result has one user.
bool EqualBranches::addProducers(ArrayRef<Value> values, int64_t axis) {
  if (stepOf(values, axis) || addSlices(values, axis))
    return true;
  SmallVector<Operation *> ops = llvm::map_to_vector(values, [](Value value) { return value.getDefiningOp(); });
  if (depth == kMostBackwards ||
      !llvm::all_of(ops, [](Operation *op) { return op && op->getNumResults() == 1 && op->hasOneUse(); }))
    return false;
  ++depth;
  bool isAdded = addStep(ops, axis, /*backwards=*/true);
  --depth;
  return isAdded;
}

// All slices are recorded in `dependents` before the first step is added, so that addStep(), which stacks the sliced
// values, fails if one of these depends on a slice of a layer (kindOf). dependsOnBranches() searches for further
// dependents from the first slice on.
bool EqualBranches::addLayers(ArrayRef<SmallVector<Operation *>> slices) {
  for (ArrayRef<Operation *> ops : slices)
    dependents.insert(ops.begin(), ops.end());
  nextOp = *llvm::min_element(dependents, isBefore);
  return llvm::all_of(slices,
                      [&](ArrayRef<Operation *> ops) { return addStep(ops, newAxis(ops.front()->getResult(0))); });
}

// The number of operands in which `other`, an op of `branch`, differs from `first`, an op of the first branch: those
// that are neither results of the same step nor the same value. None if the two ops cannot be in one step. For layers
// any operands may differ, because they are stacked. Otherwise only weights may, and not those of a product:
// projections of several values would need a product for each.
std::optional<int> EqualBranches::countDifferences(Operation *first, Operation *other, size_t branch) const {
  if (positions.contains(other) || other == first || !areEqualOps(first, other))
    return std::nullopt;
  int differences = 0;
  for (auto [one, two] : llvm::zip_equal(first->getOperands(), other->getOperands())) {
    const Position *position = positionOf(one), *counterpart = positionOf(two);
    if (position && counterpart && position->step == counterpart->step && counterpart->branch == branch)
      continue;
    bool isSame = areEqualValues(one, two);
    if (!isSame && !layers && (!isWeight(one) || isa<MatmulOp>(first)))
      return std::nullopt;
    differences += isSame ? 0 : 1;
  }
  return differences;
}

// Adds a step of `user`, a user of a step in the first branch, and one op of each other branch, if there are such ops.
// Let `step` be the one that computes the first operand of `user` that comes from a step. In each other branch, the ops
// that have the result of `step` as the same operand are candidates, and the one with the fewest differences from
// `user` is taken.
void EqualBranches::followUser(Operation *user) {
  OpOperand &operand = *llvm::find_if(user->getOpOperands(), [&](OpOperand &each) {
    const Position *position = positionOf(each.get());
    return position && position->branch == 0;
  });
  unsigned number = operand.getOperandNumber();
  const Step &step = steps[positionOf(operand.get())->step];
  SmallVector<Operation *> ops{user};
  for (size_t branch = 1; branch < count; ++branch) {
    Operation *counterpart = nullptr;
    std::optional<int> fewest;
    for (OpOperand &use : step.ops[branch]->getResult(0).getUses()) {
      if (use.getOperandNumber() != number || llvm::is_contained(ops, use.getOwner()))
        continue;
      std::optional<int> differences = countDifferences(user, use.getOwner(), branch);
      if (differences && (!fewest || *differences < *fewest)) {
        counterpart = use.getOwner();
        fewest = differences;
      }
    }
    if (!counterpart)
      return;
    ops.push_back(counterpart);
  }
  auto isTrailing = [](int64_t axis) { return axis >= -2; };
  bool wasTrailing = isTrailing(step.axis);
  for (int64_t axis : resultAxes(user, number, step.axis))
    // Users outside of the steps slice a merged result along its axis. Slices along the two trailing axes may cut
    // tiles, and are accepted only if the merged result of `step` has to be sliced along one of these axes as well.
    if ((layers || wasTrailing || !isTrailing(axis)) && addStep(ops, axis))
      return;
}

void EqualBranches::followUsers(size_t most, function_ref<bool(Operation *)> mayFollow) {
  // The users in the order of the block. Steps that followUser() adds are visited too.
  std::set<Operation *, decltype(&isBefore)> pending(isBefore);
  size_t visited = 0;
  auto visitNewSteps = [&] {
    for (; visited < steps.size(); ++visited)
      for (Operation *user : steps[visited].ops.front()->getUsers())
        if (user->getNumResults() == 1 && !positions.contains(user) && mayFollow(user))
          pending.insert(user);
  };
  for (visitNewSteps(); !pending.empty() && length() < most; visitNewSteps()) {
    Operation *user = *pending.begin();
    pending.erase(pending.begin());
    if (!positions.contains(user))
      followUser(user);
  }
}

// Replaces stacks of products, such as those of initial states, by a merged product, which computes the stack. These
// products depend on no branch, because stacked values do not (kindOf). Only steps may use them: another user may be
// before the merged product, and is not moved because it depends on no branch either. A new step is after its user in
// `steps`, until dropLastSteps() sorts them.
void EqualBranches::addProductsOfStackedOperands() {
  for (size_t at = 0; at < steps.size(); ++at)
    for (unsigned number = 0; number < steps[at].operands.size(); ++number) {
      if (steps[at].operands[number].kind != Operand::Stacked)
        continue;
      SmallVector<Value> values = operandsAt(steps[at].ops, number);
      SmallVector<Operation *> ops = llvm::map_to_vector(values, [](Value value) { return value.getDefiningOp(); });
      auto isStep = [&](Operation *user) { return positions.contains(user); };
      auto isProductForSteps = [&](Operation *op) {
        return isa_and_nonnull<MatmulOp>(op) && llvm::all_of(op->getUsers(), isStep);
      };
      int64_t axis = newAxis(values.front());
      if (stepOf(values, axis) || (llvm::all_of(ops, isProductForSteps) && addStep(ops, axis)))
        steps[at].operands[number] = {Operand::FromStep, axis, *stepOf(values, axis)};
    }
}

// Reshapes and transposes at the end are dropped, because the users of each layer read a slice and a reshape of it
// anyway, into which they merge.
void EqualBranches::trimLayers() {
  addProductsOfStackedOperands();
  dropLastSteps([](ArrayRef<Operation *> ops) { return isa<ReshapeOp, TransposeOp>(ops.front()); });
}
