//===- EqualBranches.cpp - finds equal ops on several branches ------------===//

#include "Join/EqualBranches.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace forge;

// The largest number of producers that are followed backwards, for expressions such as x * sigmoid(x).
static constexpr int kMostBackwards = 8;
// The largest number of elements of concatenated weights, if one of them broadcasts along the axis and has to be
// repeated.
static constexpr int64_t kMostRepeated = 1 << 16;

int64_t EqualBranches::JoinedStep::size() const {
  int64_t total = 0;
  for (Operation *op : ops)
    total += sizeAlong(op->getResult(0), axis);
  return std::accumulate(gaps.begin(), gaps.end(), total);
}

SmallVector<Operation *> EqualBranches::firstOps() const {
  return llvm::map_to_vector(steps, [](const JoinedStep &step) { return step.ops.front(); });
}

//===----------------------------------------------------------------------===//
// Equal ops
//===----------------------------------------------------------------------===//

// Whether two operands are one value, or equal constants.
static bool isEqual(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return a == b || (first && second && isa<ConstantOp, ScalarConstantOp>(first) &&
                    OperationEquivalence::isEquivalentTo(first, second, OperationEquivalence::IgnoreLocations));
}

// Whether the types of `a` and `b` are equal but for the size of `axis`, which is counted from the end.
static bool differAlong(Value a, Value b, int64_t axis) {
  RankedTensorType one = tensorType(a), other = tensorType(b);
  int64_t at = one.getRank() + axis;
  if (at < 0 || one.getRank() != other.getRank())
    return one == other;
  SmallVector<int64_t> shape(one.getShape());
  shape[at] = other.getDimSize(at);
  return one.clone(shape) == other;
}

// Whether two ops have the same name and attributes. The shape attribute of a reshape is not compared.
static bool areEqualOps(Operation *a, Operation *b) {
  return a->getName() == b->getName() && a->getBlock() == b->getBlock() && a->getNumResults() == 1 &&
         a->getNumOperands() == b->getNumOperands() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary() &&
         (isa<ReshapeOp>(a) || a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute());
}

static SmallVector<Value> operandsAt(ArrayRef<Operation *> ops, unsigned number) {
  return llvm::map_to_vector(ops, [&](Operation *op) { return op->getOperand(number); });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// The step whose results, in the order of branches, are `values`, if its axis is `axis`.
std::optional<size_t> EqualBranches::stepOf(ArrayRef<Value> values, int64_t axis) const {
  auto first = places.find(values.front().getDefiningOp());
  if (first == places.end() || steps[first->second.step].axis != axis)
    return std::nullopt;
  for (auto [branch, value] : llvm::enumerate(values)) {
    auto place = places.find(value.getDefiningOp());
    if (place == places.end() || place->second.step != first->second.step || place->second.branch != branch)
      return std::nullopt;
  }
  return first->second.step;
}

bool EqualBranches::dependsOnBranches(Value value) {
  return value.getDefiningOp() && dependents->contains(value.getDefiningOp());
}

// Whether operand `number` of `ops` is a weight in each branch, and these weights can be concatenated along axis `own`
// of the operand. `axis` is that of the results.
bool EqualBranches::areJoinable(ArrayRef<Operation *> ops, unsigned number, int64_t own, int64_t axis) const {
  SmallVector<Value> values = operandsAt(ops, number);
  if (hasGaps || !llvm::all_of(values, isWeight))
    return false;
  if (isa<MatmulOp, Conv2dOp>(ops.front()))
    return (own == -1 || isa<Conv2dOp>(ops.front())) && llvm::all_of(ops, isProjection);
  if (!llvm::all_of(values, [&](Value value) { return differAlong(value, values.front(), own); }))
    return false;
  int64_t elements = 0;
  bool isRepeated = false;
  for (auto [op, value] : llvm::zip_equal(ops, values)) {
    int64_t size = sizeAlong(op->getResult(0), axis), of = sizeAlong(value, own);
    if (of != size && of != 1)
      return false;
    isRepeated |= of != size;
    elements += tensorType(value).getNumElements() / of * size;
  }
  if (isRepeated && !isElementwise(ops.front()))
    return false;
  return elements <= kMostRepeated || (!isRepeated && llvm::all_of(values, mayBeStoredOtherwise));
}

// What an operand is that no step makes; `own` is its axis that becomes `axis` of the results.
std::optional<EqualBranches::Operand::Kind> EqualBranches::kindOf(ArrayRef<Operation *> ops, unsigned number,
                                                                  int64_t own, int64_t axis) {
  Operation *first = ops.front();
  SmallVector<Value> values = operandsAt(ops, number);
  bool isSame = llvm::all_of(values, [&](Value value) { return isEqual(value, values.front()); });
  if (own == kSameForAll)
    return isSame ? std::optional(Operand::Same) : std::nullopt;
  // Matrices that have batches of their own are one for each layer.
  bool broadcasts = broadcastsOperands(first) && sizeAlong(values.front(), own) == 1;
  if (layers && isa<MatmulOp>(first))
    broadcasts = number == 1 && tensorType(values.front()).getRank() == 2;
  if (isSame && broadcasts)
    return Operand::Same;
  if (!layers)
    return areJoinable(ops, number, own, axis) ? std::optional(Operand::Weights) : std::nullopt;
  bool areAlike = llvm::all_of(
      values, [&](Value value) { return value.getType() == values.front().getType() && !dependsOnBranches(value); });
  return areAlike ? std::optional(Operand::Stacked) : std::nullopt;
}

std::optional<EqualBranches::Operand> EqualBranches::operandOf(ArrayRef<Operation *> ops, unsigned number, int64_t axis,
                                                               bool backwards) {
  SmallVector<Value> values = operandsAt(ops, number);
  AxisChoices choices = operandAxes(ops.front(), number, axis);
  llvm::erase_if(choices, [&](int64_t own) {
    return !llvm::all_of(ops, [&](Operation *op) { return llvm::is_contained(operandAxes(op, number, axis), own); });
  });
  // What broadcasts along the axis is no slice of what the result is a slice of.
  auto isSliced = [&](int64_t own) {
    return isa<ReshapeOp>(ops.front()) || llvm::all_of(llvm::zip_equal(ops, values), [&](auto pair) {
             auto [op, value] = pair;
             return sizeAlong(value, own) == sizeAlong(op->getResult(0), axis);
           });
  };
  for (int64_t own : choices)
    if (std::optional<size_t> step = stepOf(values, own); step && isSliced(own))
      return Operand{Operand::Step, own, *step};
  for (int64_t own : choices)
    if (std::optional<Operand::Kind> kind = kindOf(ops, number, own, axis))
      return Operand{*kind, own};
  // Backwards, an axis of the same size is the one that is meant.
  llvm::stable_sort(choices, [&](int64_t a, int64_t b) {
    int64_t size = sizeAlong(ops.front()->getResult(0), axis);
    return (sizeAlong(values.front(), a) == size) > (sizeAlong(values.front(), b) == size);
  });
  for (int64_t own : choices)
    if (backwards && own != kSameForAll && isSliced(own) && addValues(values, own))
      return Operand{Operand::Step, own, *stepOf(values, own)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void EqualBranches::insert(JoinedStep step) {
  for (auto [branch, op] : llvm::enumerate(step.ops))
    places[op] = {steps.size(), branch};
  steps.push_back(std::move(step));
}

bool EqualBranches::addSlices(ArrayRef<Value> values, int64_t axis, bool mayHaveGaps) {
  int64_t rank = tensorType(values.front()).getRank();
  SmallVector<Operation *> ops;
  SmallVector<int64_t> gaps;
  std::optional<AxisSlice> before;
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    std::optional<AxisSlice> slice = isa_and_nonnull<IndexOp, StridedSliceOp>(op) ? AxisSlice::of(value) : std::nullopt;
    if (!slice || places.contains(op) || slice->axis != rank + axis || !slice->isContiguous())
      return false;
    if (before && (slice->source != before->source || slice->range.begin < before->range.end ||
                   (!mayHaveGaps && slice->range.begin != before->range.end) ||
                   op->getName() != ops.front()->getName() || op->getBlock() != ops.front()->getBlock()))
      return false;
    gaps.push_back(before ? slice->range.begin - before->range.end : 0);
    hasGaps |= gaps.back() > 0;
    before = slice;
    ops.push_back(op);
  }
  hasSlices = true;
  insert({std::move(ops), axis, {}, std::move(gaps)});
  return true;
}

// Whether the batch axes of a product need no broadcast between its operands. With a new axis of layers, a broadcast
// would repeat an operand for each layer.
static bool isProductOfLayers(MatmulOp op) {
  ArrayRef<int64_t> left = shapeOf(op.getOperandA()).drop_back(2), right = shapeOf(op.getOperandB()).drop_back(2);
  return !op.getBias() &&
         (left == right || (right.empty() && llvm::all_of(left, [](int64_t size) { return size == 1; })));
}

bool EqualBranches::add(ArrayRef<Operation *> ops, int64_t axis, bool backwards) {
  Operation *first = ops.front();
  llvm::SmallDenseSet<Operation *> distinct(ops.begin(), ops.end());
  if (distinct.size() != count || !llvm::all_of(ops, [&](Operation *op) {
        return !places.contains(op) && areEqualOps(op, first) &&
               (layers ? op->getResultTypes() == first->getResultTypes()
                       : differAlong(op->getResult(0), first->getResult(0), axis));
      }))
    return false;
  if (layers && tensorType(first->getResult(0)).getRank() >= static_cast<int64_t>(kMostBroadcastAxes))
    return false;
  JoinedStep step{SmallVector<Operation *>(ops), axis, {}};
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
  if (!setGaps(step))
    return false;
  insert(std::move(step));
  return true;
}

// Scales the gaps between slices to the axis of this step, since a reshape may change the number of elements along the
// axis. Returns false if a gap is no whole number of elements.
bool EqualBranches::setGaps(JoinedStep &step) const {
  step.gaps.assign(count, 0);
  for (auto [number, operand] : llvm::enumerate(step.operands)) {
    if (!hasGaps || operand.kind != Operand::Step)
      continue;
    Operation *op = step.ops.front();
    int64_t size = sizeAlong(op->getResult(0), step.axis), of = sizeAlong(op->getOperand(number), operand.axis);
    for (auto [own, gap] : llvm::zip_equal(step.gaps, steps[operand.step].gaps)) {
      if (gap * size % of != 0)
        return false;
      own = gap * size / of;
    }
  }
  return true;
}

bool EqualBranches::addValues(ArrayRef<Value> values, int64_t axis) {
  if (stepOf(values, axis) || addSlices(values, axis))
    return true;
  SmallVector<Operation *> ops = llvm::map_to_vector(values, [](Value value) { return value.getDefiningOp(); });
  if (depth == kMostBackwards ||
      !llvm::all_of(ops, [](Operation *op) { return op && op->getNumResults() == 1 && op->hasOneUse(); }))
    return false;
  ++depth;
  bool isAdded = add(ops, axis, /*backwards=*/true);
  --depth;
  return isAdded;
}

bool EqualBranches::addLayers(ArrayRef<SmallVector<Operation *>> slices) {
  SmallVector<Operation *> roots;
  for (ArrayRef<Operation *> ops : slices)
    llvm::append_range(roots, ops);
  dependents.emplace(roots);
  return llvm::all_of(slices, [&](ArrayRef<Operation *> ops) { return add(ops, newAxis(ops.front()->getResult(0))); });
}

//===----------------------------------------------------------------------===//
// Users of steps
//===----------------------------------------------------------------------===//

// Compares `other`, an op of `branch`, with `first`, the op of the first branch. If both are equal ops on corresponding
// operands, returns how many operands are neither corresponding steps nor the same value; else none.
std::optional<int> EqualBranches::difference(Operation *first, Operation *other, size_t branch) const {
  if (places.contains(other) || other == first || !areEqualOps(first, other))
    return std::nullopt;
  int own = 0;
  for (auto [one, two] : llvm::zip_equal(first->getOperands(), other->getOperands())) {
    auto place = places.find(one.getDefiningOp()), counterpart = places.find(two.getDefiningOp());
    if (place != places.end() && counterpart != places.end() && place->second.step == counterpart->second.step &&
        counterpart->second.branch == branch)
      continue;
    bool isSame = isEqual(one, two);
    if (!isSame && !layers && (!isWeight(one) || isa<MatmulOp>(first)))
      return std::nullopt;
    own += isSame ? 0 : 1;
  }
  return own;
}

// Adds `user`, an op of the first branch, and its counterparts in the other branches as a step. In each branch the
// counterpart is the user of the same step that differs least from `user`.
void EqualBranches::followUser(Operation *user) {
  for (OpOperand &operand : user->getOpOperands()) {
    auto place = places.find(operand.get().getDefiningOp());
    if (place == places.end() || place->second.branch != 0)
      continue;
    const JoinedStep &step = steps[place->second.step];
    SmallVector<Operation *> ops{user};
    for (size_t branch = 1; branch < count; ++branch) {
      Operation *found = nullptr;
      std::optional<int> least;
      for (OpOperand &use : step.ops[branch]->getResult(0).getUses()) {
        if (use.getOperandNumber() != operand.getOperandNumber() || llvm::is_contained(ops, use.getOwner()))
          continue;
        std::optional<int> own = difference(user, use.getOwner(), branch);
        if (own && (!least || *own < *least)) {
          found = use.getOwner();
          least = own;
        }
      }
      if (!found)
        return;
      ops.push_back(found);
    }
    int64_t axis = step.axis;
    for (int64_t next : resultAxes(user, operand.getOperandNumber(), axis))
      // Slices along one of the two trailing axes may cut tiles. So slices of other axes do not become such slices.
      if ((layers || axis >= -2 || next < -2) && add(ops, next))
        return;
    return;
  }
}

void EqualBranches::follow(size_t most, function_ref<bool(Operation *)> mayFollow) {
  auto isBefore = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  std::set<Operation *, decltype(isBefore)> pending(isBefore);
  size_t added = 0;
  auto addUsers = [&] {
    for (; added < steps.size(); ++added)
      for (Operation *user : steps[added].ops.front()->getUsers())
        if (user->getNumResults() == 1 && !places.contains(user) && mayFollow(user))
          pending.insert(user);
  };
  for (addUsers(); !pending.empty() && length() < most; addUsers()) {
    Operation *user = *pending.begin();
    pending.erase(pending.begin());
    if (!places.contains(user))
      followUser(user);
  }
}

// Keeps only the steps `order`, in that order, and renumbers them.
void EqualBranches::arrange(ArrayRef<size_t> order) {
  llvm::SmallDenseMap<size_t, size_t> numbers;
  for (size_t old : order)
    numbers[old] = numbers.size();
  SmallVector<JoinedStep, 0> all = std::move(steps);
  steps.clear();
  places.clear();
  for (size_t old : order) {
    for (Operand &operand : all[old].operands)
      operand.step = numbers.lookup(operand.step);
    insert(std::move(all[old]));
  }
}

void EqualBranches::addFirstProducts() {
  for (size_t at = 0; at < steps.size(); ++at)
    for (unsigned number = 0; number < steps[at].operands.size(); ++number) {
      if (steps[at].operands[number].kind != Operand::Stacked)
        continue;
      SmallVector<Value> values = operandsAt(steps[at].ops, number);
      SmallVector<Operation *> ops =
          llvm::map_to_vector(values, [](Value value) -> Operation * { return value.getDefiningOp<MatmulOp>(); });
      auto isReadHere = [&](Operation *op) {
        return op && llvm::all_of(op->getUsers(), [&](Operation *user) { return places.contains(user); });
      };
      int64_t axis = newAxis(values.front());
      if (stepOf(values, axis) || (llvm::all_of(ops, isReadHere) && add(ops, axis)))
        steps[at].operands[number] = {Operand::Step, axis, *stepOf(values, axis)};
    }
}

void EqualBranches::trimLayers() {
  addFirstProducts();
  leaveToReaders([](ArrayRef<Operation *> ops) { return isa<ReshapeOp, TransposeOp>(ops.front()); });
}

void EqualBranches::leaveToReaders(function_ref<bool(ArrayRef<Operation *>)> mayLeave) {
  SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(steps.size()));
  llvm::sort(order, [&](size_t a, size_t b) { return steps[a].ops.front()->isBeforeInBlock(steps[b].ops.front()); });
  llvm::SmallDenseSet<size_t> read;
  SmallVector<size_t> kept;
  for (size_t number : llvm::reverse(order)) {
    if (!read.contains(number) && mayLeave(steps[number].ops))
      continue;
    kept.push_back(number);
    for (const Operand &operand : steps[number].operands)
      if (operand.kind == Operand::Step)
        read.insert(operand.step);
  }
  std::reverse(kept.begin(), kept.end());
  arrange(kept);
}
