//===- JoinSlices.cpp - what neighbouring slices have in common, once -----===//
//
// Queries and keys are neighbouring heads of one projection, and both get the same rotary embedding. Where the same ops
// are done to neighbouring slices, they are done to the slice of both, and what comes out is cut in the end.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/MovementChains.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEJOINSLICESPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
/// Values that are neighbouring slices, in order, of one that there may be. The axis counts from the back, as operands
/// of several ranks broadcast.
struct Parts {
  SmallVector<Operation *> ops;
  int64_t axis;
  Value whole = {};

  Value operator[](size_t index) const { return ops[index]->getResult(0); }
  int64_t sizeOf(size_t index) const { return sizeAt((*this)[index], axis); }
  int64_t size() const {
    int64_t total = 0;
    for (size_t index = 0; index < ops.size(); ++index)
      total += sizeOf(index);
    return total;
  }

  static int64_t sizeAt(Value value, int64_t axis) {
    ArrayRef<int64_t> shape = shapeOf(value);
    return axis + static_cast<int64_t>(shape.size()) < 0 ? 1 : shape[shape.size() + axis];
  }
};
} // namespace

// The axis of the result of `op` that `axis` of its operands is, if `op` does the same to each slice along it.
static std::optional<int64_t> axisThrough(Operation *op, int64_t axis) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  int64_t rank = tensorType(op->getResult(0)).getRank();
  auto unless = [&](int64_t dim) { return fromFront(dim, rank) != rank + axis ? std::optional(axis) : std::nullopt; };
  if (auto slice = dyn_cast<IndexOp>(op))
    return unless(slice.getDim());
  if (auto joined = dyn_cast<ConcatenateOp>(op))
    return unless(joined.getAxis());
  if (auto repeat = dyn_cast<RepeatInterleaveOp>(op))
    return unless(repeat.getDim());
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return unless(softmax.getDim());
  if (auto mean = dyn_cast<ReduceAvgOp>(op))
    return mean.getKeepDim() ? unless(mean.getDim()) : std::nullopt;
  // Each row gets the same matrix.
  if (auto product = dyn_cast<MatmulOp>(op))
    return axis != -1 && tensorType(product.getOperandB()).getRank() == 2 ? std::optional(axis) : std::nullopt;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    int64_t moved = transposedAxis(transpose, rank + axis) - rank;
    // A slice of the last two axes cuts tiles; one of the others does not.
    return axis < -2 && moved >= -2 ? std::nullopt : std::optional(moved);
  }
  return isElementwise(op) ? std::optional(axis) : std::nullopt;
}

namespace {
/// What is done to neighbouring slices of one value, all of them alike.
class Chain {
public:
  explicit Chain(ArrayRef<Operation *> slices, int64_t axis) {
    add({SmallVector<Operation *>(slices), axis});
    for (size_t next = 0; next < steps.size(); ++next)
      // Operands come before their ops, so each step finds those of which it is made, or is found again by the last.
      for (Operation *user : llvm::to_vector(steps[next][0].getUsers()))
        follow(user, steps[next].axis);
  }

  /// Calls that are saved.
  int64_t gain() const {
    auto count = static_cast<int64_t>(steps.front().ops.size());
    int64_t saved = static_cast<int64_t>(steps.size() - 1) * (count - 1);
    for (size_t part = 0; part < steps.front().ops.size(); ++part)
      saved += isReadElsewhere(steps.front(), part) ? 0 : 1;
    for (const Parts &step : ArrayRef(steps).drop_front())
      for (size_t part = 0; part < step.ops.size(); ++part)
        saved -= isReadElsewhere(step, part) ? 1 : 0;
    auto first = AxisSlice::of(steps.front()[0]);
    return saved - (steps.front().size() == first->extent() ? 0 : 1);
  }

  size_t length() const { return steps.size() - 1; }
  void build();

private:
  void add(Parts parts) {
    known[parts[0]] = steps.size();
    steps.push_back(std::move(parts));
  }

  // The step that `value` is the first part of.
  const Parts *find(Value value) const {
    auto found = known.find(value);
    return found == known.end() ? nullptr : &steps[found->second];
  }

  void follow(Operation *user, int64_t axis);
  bool isSame(Operation *first, Operation *other, size_t part, int64_t axis, bool joinsWeights) const;

  bool isReadElsewhere(const Parts &step, size_t part) const {
    return llvm::any_of(step[part].getUsers(), [&](Operation *user) {
      return llvm::none_of(steps, [&](const Parts &next) { return next.ops[part] == user; });
    });
  }

  SmallVector<Parts> steps; ///< the slices first
  llvm::DenseMap<Value, size_t> known;
};
} // namespace

// Whether two operands are one value, or equal constants.
static bool isEqual(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return a == b || (first && second && isa<ConstantOp, ScalarConstantOp>(first) &&
                    OperationEquivalence::isEquivalentTo(first, second, OperationEquivalence::IgnoreLocations));
}

// Whether weights of parts become one for all of them: that is stored, too.
static bool joinAsWeights(Value a, Value b, int64_t axis, int64_t size) {
  constexpr int64_t kMost = 1 << 16;
  return isWeight(a) && isWeight(b) && a.getType() == b.getType() && Parts::sizeAt(a, axis) == 1 &&
         tensorType(a).getNumElements() <= kMost / size;
}

// Whether `other` does to slice `part` what `first` does to the first one, with the same weights or, if those may be
// joined, others of their kind.
bool Chain::isSame(Operation *first, Operation *other, size_t part, int64_t axis, bool joinsWeights) const {
  if (other->getName() != first->getName() || other->getBlock() != first->getBlock() ||
      other->getNumOperands() != first->getNumOperands() ||
      other->getDiscardableAttrDictionary() != first->getDiscardableAttrDictionary() ||
      other->getPropertiesAsAttribute() != first->getPropertiesAsAttribute())
    return false;
  bool joins = isa<ConcatenateOp>(first);
  int64_t size = Parts::sizeAt(first->getResult(0), *axisThrough(first, axis));
  for (auto [own, others] : llvm::zip_equal(first->getOperands(), other->getOperands())) {
    const Parts *step = find(own);
    bool isPart = step && step->axis == axis && (*step)[part] == others && Parts::sizeAt(own, axis) == size;
    auto product = dyn_cast<MatmulOp>(first);
    bool isShared =
        isEqual(own, others) && (Parts::sizeAt(own, axis) == 1 || (product && own == product.getOperandB()));
    bool mustBePart = joins || (product && own == product.getOperandA());
    bool mayJoin = joinsWeights && joinAsWeights(own, others, axis, steps.front().size());
    if (!isPart && (mustBePart || (!isShared && !mayJoin)))
      return false;
  }
  return true;
}

void Chain::follow(Operation *user, int64_t axis) {
  constexpr size_t kMost = 32;
  if (steps.size() > kMost || user->getNumResults() != 1 || known.contains(user->getResult(0)) ||
      !axisThrough(user, axis))
    return;
  Parts next{{user}, *axisThrough(user, axis)};
  size_t count = steps.front().ops.size();
  // One of its operands is the first part of a step, and that step's other parts have its counterparts as users.
  const Parts *step = nullptr;
  for (Value operand : user->getOperands())
    step = step ? step : find(operand);
  for (size_t part = 1; part < count; ++part) {
    Operation *found = nullptr;
    for (bool joinsWeights : {false, !isa<MatmulOp>(user)})
      for (Operation *other : (*step)[part].getUsers())
        if (!found && !llvm::is_contained(next.ops, other) && isSame(user, other, part, axis, joinsWeights))
          found = other;
    if (!found)
      return;
    next.ops.push_back(found);
  }
  add(std::move(next));
}

// The operand of all parts, which is the same for all, or weights of their own.
static Value joinedOperand(OpBuilder &b, Operation *op, const Parts &step, unsigned number) {
  Value first = step.ops.front()->getOperand(number);
  if (llvm::all_of(step.ops, [&](Operation *part) { return isEqual(part->getOperand(number), first); })) {
    if (first.getDefiningOp())
      makeAvailable(first, op);
    return first;
  }
  SmallVector<int64_t> shape(shapeOf(first));
  shape.insert(shape.begin(), std::max<int64_t>(0, -step.axis - static_cast<int64_t>(shape.size())), 1);
  SmallVector<Value> rows;
  for (auto [part, made] : llvm::enumerate(step.ops)) {
    SmallVector<int64_t> repeats(shape.size(), 1);
    repeats[shape.size() + step.axis] = step.sizeOf(part);
    makeAvailable(made->getOperand(number), op);
    rows.push_back(
        RepeatOp::create(b, op->getLoc(), reshaped(b, op->getLoc(), made->getOperand(number), shape), repeats));
  }
  return ConcatenateOp::create(b, op->getLoc(), rows, step.axis);
}

void Chain::build() {
  AxisSlice first = *AxisSlice::of(steps.front()[0]);
  OpBuilder b(steps.front().ops.front());
  for (Parts &step : steps) {
    // All that the earliest part is made of is there, for all parts, in front of it.
    Operation *earliest =
        *llvm::min_element(step.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    b.setInsertionPoint(earliest);
    Location loc = withoutTrace(earliest->getLoc());
    if (&step == &steps.front()) {
      int64_t begin = first.range.begin;
      step.whole = step.size() == first.extent()
                       ? first.source
                       : IndexOp::create(b, loc, first.source, step.axis, begin, begin + step.size(), int64_t(1));
    } else {
      Operation *op = b.clone(*step.ops.front());
      op->setLoc(loc);
      b.setInsertionPoint(op);
      for (OpOperand &operand : op->getOpOperands())
        if (const Parts *made = find(operand.get()))
          operand.set(made->whole);
        else
          operand.set(joinedOperand(b, op, step, operand.getOperandNumber()));
      SmallVector<int64_t> shape(shapeOf(step[0]));
      shape[shape.size() + step.axis] = step.size();
      op->getResult(0).setType(tensorType(step[0]).clone(shape));
      step.whole = op->getResult(0);
    }
  }
  for (const Parts &step : ArrayRef(steps).drop_front()) {
    int64_t begin = 0;
    b.setInsertionPointAfterValue(step.whole);
    for (size_t part = 0; part < step.ops.size(); ++part) {
      int64_t end = begin + step.sizeOf(part);
      if (isReadElsewhere(step, part)) {
        Value cut = IndexOp::create(b, step.ops[part]->getLoc(), step.whole, step.axis, begin, end, int64_t(1));
        step[part].replaceUsesWithIf(cut, [&](OpOperand &use) {
          return llvm::none_of(steps, [&](const Parts &next) { return next.ops[part] == use.getOwner(); });
        });
      }
      begin = end;
    }
  }
}

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
/// Slices along one axis of one value, by where they begin.
using SlicedAxis = std::pair<Value, int64_t>;

struct ForgeJoinSlicesPass : forge::impl::ForgeJoinSlicesPassBase<ForgeJoinSlicesPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    composeSlices(func, *this);
    llvm::MapVector<SlicedAxis, SmallVector<Operation *>> groups;
    for (IndexOp op : func.front().getOps<IndexOp>())
      if (!isWeight(op) && op.getStride() == 1)
        groups[{op.getOperandA(), fromFront(op.getDim(), op.getType().getRank()) - op.getType().getRank()}].push_back(
            op);
    for (auto &[sliced, slices] : groups)
      joinRuns(slices, sliced.second);
    eraseDeadOps(func.front());
  }

private:
  // Joins runs of neighbouring slices, the longest that saves something at each place.
  void joinRuns(SmallVectorImpl<Operation *> &slices, int64_t axis) {
    constexpr size_t kMost = 8;
    auto range = [](Operation *op) { return AxisSlice::of(op->getResult(0))->range; };
    llvm::stable_sort(slices, [&](Operation *a, Operation *b) { return range(a).begin < range(b).begin; });
    for (size_t begin = 0; begin + 1 < slices.size(); ++begin) {
      size_t end = begin + 1;
      while (end < slices.size() && end - begin < kMost && range(slices[end]).begin == range(slices[end - 1]).end)
        ++end;
      for (; end - begin > 1; --end) {
        Chain chain(ArrayRef<Operation *>(slices).slice(begin, end - begin), axis);
        if (chain.gain() <= 0 ||
            !mayRewrite(slices[begin], "slices-joined",
                        Twine(end - begin) + " slices get the same " + Twine(chain.length()) + " ops"))
          continue;
        chain.build();
        begin = end - 1;
        break;
      }
    }
  }
};
} // namespace
