//===- MovesAcross.cpp - moves that cancel across elementwise ops ---------===//
//
// An elementwise op on a transposed value, whose result is transposed back, as where exporters write into a cache:
//
//     %t = transpose(%cache)                     // [B, H, S, D] -> [S, B, H, D]
//     %w = where(%mask, transpose(%new), %t)
//     %y = transpose(%w)                         // [S, B, H, D] -> [B, H, S, D]
//
// computes the same on the value itself, if the other operands are moved as the result is:
//
//     %y = where(transpose(%mask), %new, %cache)
//
// Here, %mask is a condition in a float or integer format: the device moves no booleans (i1).
//
// An elementwise op commutes with reshapes and transposes, so that the rewrite is legal whatever else reads the
// operands and the result; the cost decides. Old ops that others read too remain, and the trial copy counts them.
//
// The "order of the result" is the shape of %y and its order of elements.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"
#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"

using namespace mlir;
using namespace forge;

namespace {
/// A step on the way from a value of the old program to the result: the reshape or transpose `op`; or, if that is null,
/// the broadcast of an operand to `shape`, the shape of an elementwise op.
struct Stage {
  Operation *op = nullptr;
  Shape shape;
};
using Stages = SmallVector<Stage>;
} // namespace

// The index map of a value of shape `from` after `stages`, but with size 1 for the axes along which a broadcast has
// repeated it: the elementwise op that reads it broadcasts it again. A row [4], broadcast to [3, 4] and transposed to
// [4, 3], becomes [4, 1]. None if a reshape has merged such an axis with another one, such as to [12], because that op
// cannot repeat a part of an axis.
static std::optional<IndexMap> mapThrough(ArrayRef<int64_t> from, ArrayRef<Stage> stages) {
  if (IndexMap::elementsOf(from) == 0)
    return std::nullopt;
  IndexMap map(from);
  for (const Stage &stage : stages)
    if (!(stage.op ? map.apply(stage.op) : map.broadcast(stage.shape)))
      return std::nullopt;
  // All indices of a digit of stride 0 are the same element. Axes of such digits alone are sliced to their first index.
  auto isRepeated = [](IndexMap::Digit digit) { return digit.stride == 0; };
  std::optional<SmallVector<IndexMap::Digits>> axes = map.axes();
  if (!axes)
    return std::nullopt;
  SliceRange firstIndex{/*start=*/0, /*stop=*/1, /*stride=*/1};
  for (auto [axis, digits] : llvm::enumerate(*axes))
    if (!digits.empty() && llvm::all_of(digits, isRepeated) && !map.slice({int64_t(axis), firstIndex}))
      return std::nullopt;
  return llvm::none_of(map.getDigits(), isRepeated) ? std::optional(map) : std::nullopt;
}

namespace {
/// A value of the new program, in the order of the result. It is a tree: an inner node is the elementwise op `op` on
/// other such values. A leaf (`op` is null) is a value of the old program, its source, which `steps` reshape and
/// transpose.
struct Moved {
  Value source;
  Steps steps;                 ///< from the source to the order of the result
  Operation *op = nullptr;     ///< the elementwise op of the old program
  Shape shape;                 ///< the shape of its result in the new program
  std::vector<Moved> operands; ///< its operands in the new program
  bool cancels = false;        ///< whether the old program transposes a source of this tree, and the new one does not
  bool isFree = true;          ///< whether the new program moves no source of this tree, except weights

  /// Builds this value of the new program. `loc` is the location of its last op.
  Value build(OpBuilder &b, Location loc) const {
    if (!op)
      return steps.build(b, source, withoutTrace(loc));
    SmallVector<Value> made;
    for (const Moved &operand : operands)
      made.push_back(operand.build(b, withoutTrace(operand.op ? operand.op->getLoc() : loc)));
    Operation *copy = b.clone(*op);
    copy->setOperands(made);
    copy->getResult(0).setType(tensorType(op->getResult(0)).clone(shape));
    copy->setLoc(loc);
    return copy->getResult(0);
  }
};

/// The plan of the new program, with the ops of the old one that it replaces.
class Plan {
public:
  /// The plan for the result of `last`, a reshape or a transpose; none if no transposes cancel.
  static std::optional<Plan> of(Operation *last) {
    Value result = last->getResult(0);
    // The movement of a weight is no call, and an index map needs known sizes.
    if (result.use_empty() || isWeight(result) || !tensorType(result).hasStaticShape())
      return std::nullopt;
    Plan plan;
    std::optional<Moved> root = plan.move(result, {}, /*depth=*/0);
    if (!root)
      return std::nullopt;
    plan.root = std::move(*root);
    return plan;
  }
  ArrayRef<Operation *> ops() const { return replaced.getArrayRef(); }
  Value build(OpBuilder &b, Location loc) const { return root.build(b, loc); }

private:
  // Plans the new program for `value`; `stages` are the steps from `value` to the result of the plan. At depth 0
  // `value` is that result. The operands of an elementwise op are one level deeper than its result.
  // 1. The reshapes and transposes that compute `value` are prepended to `stages`. What they move is called the source.
  // 2. If an elementwise op computes the source, it is moved (moveProducer).
  // 3. Otherwise the source is moved by the fewest calls (movedSource). At depth 0 this would change nothing, so that
  //    the result is none.
  std::optional<Moved> move(Value value, Stages stages, int depth) {
    bool mayMoveProducer = true, hasTranspose = false;
    SmallVector<Operation *> moves;
    for (Operation *op = value.getDefiningOp(); isReshape(op) || isa_and_nonnull<TransposeOp>(op);
         op = value.getDefiningOp()) {
      // At depth 0, moves may have other users: these moves and the elementwise op then remain.
      mayMoveProducer &= value.hasOneUse() || depth == 0;
      hasTranspose |= isa<TransposeOp>(op);
      moves.push_back(op);
      stages.insert(stages.begin(), {op, {}});
      value = op->getOperand(0);
    }
    if (depth == 0 && !hasTranspose)
      return std::nullopt;
    replaced.insert_range(moves);
    if (mayMoveProducer)
      if (std::optional<Moved> made = moveProducer(value, stages, depth))
        return made;
    return depth == 0 ? std::nullopt : movedSource(value, stages, hasTranspose);
  }

  // The elementwise op that computes `value`, in the order of the result. None if there is no such op, if the op has
  // other users or is a weight, which movedSource() moves without a call, or if nothing is gained: at depth 0
  // transposes of its operands have to cancel; deeper it is sufficient that nothing but weights has to be moved.
  std::optional<Moved> moveProducer(Value value, const Stages &stages, int depth) {
    constexpr int kDeepest = 8; // limits the time for large programs
    Operation *producer = value.getDefiningOp();
    if (!producer || !isElementwise(producer) || producer->getNumResults() != 1 || !value.hasOneUse() ||
        isWeight(value) || depth == kDeepest)
      return std::nullopt;
    size_t known = replaced.size();
    std::optional<Moved> made = moveOperands(producer, stages, depth);
    if (made && (made->cancels || (depth > 0 && made->isFree))) {
      replaced.insert(producer);
      return made;
    }
    // The ops that moveOperands() has collected are not replaced.
    while (replaced.size() > known)
      replaced.pop_back();
    return std::nullopt;
  }

  // `value` itself, followed by the fewest reshapes and transposes that have the effect of `stages` (stepsOf). None if
  // no reshapes and transposes have it. `isTransposed` tells whether the old program transposes the value before any
  // other op.
  static std::optional<Moved> movedSource(Value value, ArrayRef<Stage> stages, bool isTransposed) {
    std::optional<IndexMap> map = mapThrough(shapeOf(value), stages);
    std::optional<Steps> steps = map ? stepsOf(*map, shapeOf(value)) : std::nullopt;
    // Booleans, also those of weights, keep their order: a call that moves them would be refused.
    if (!steps || (steps->calls() > 0 && tensorType(value).getElementType().isInteger(1)))
      return std::nullopt;
    Moved made;
    made.source = value;
    made.cancels = isTransposed && steps->swaps.empty() && !isWeight(value);
    made.isFree = steps->calls() == 0 || isWeight(value);
    made.steps = std::move(*steps);
    return made;
  }

  // The elementwise op `op` in the order of the result; `stages` are the steps from the old result of `op` to it. The
  // steps from an operand are its broadcast to the shape of `op`, and then `stages`. None if an operand cannot be
  // moved, or if the new rank is one at which the device does not broadcast operands.
  std::optional<Moved> moveOperands(Operation *op, const Stages &stages, int depth) {
    Stages fromOperand{{nullptr, Shape(shapeOf(op->getResult(0)))}};
    llvm::append_range(fromOperand, stages);
    std::optional<IndexMap> map = mapThrough(shapeOf(op->getResult(0)), stages);
    if (!map || map->shape().size() > kMostBroadcastAxes)
      return std::nullopt;
    Moved made;
    made.op = op;
    made.shape.assign(map->shape().begin(), map->shape().end());
    for (Value operand : op->getOperands()) {
      std::optional<Moved> moved = move(operand, fromOperand, depth + 1);
      if (!moved)
        return std::nullopt;
      made.cancels |= moved->cancels;
      made.isFree &= moved->isFree;
      made.operands.push_back(std::move(*moved));
    }
    return made;
  }

  Moved root;
  llvm::SetVector<Operation *> replaced; ///< the ops of the old program; those that others read too remain
};
} // namespace

// Whether the program is cheaper if the result of `last` is computed by its plan, which replaces `ops`: rewrites a copy
// of these ops, and compares the costs.
static bool isPlanCheaper(Operation *last, ArrayRef<Operation *> ops) {
  TrialCopy copy(ops);
  Operation *copied = copy.of(last);
  std::optional<Plan> plan = Plan::of(copied);
  if (!plan)
    return false;
  OpBuilder b(copied);
  copied->getResult(0).replaceAllUsesWith(plan->build(b, copied->getLoc()));
  return pays(copy.costBefore(), copy.costAfter());
}

LogicalResult forge::cancelAcrossElementwise(Operation *op, PatternRewriter &rewriter) {
  std::optional<Plan> plan = Plan::of(op);
  if (!plan || !isPlanCheaper(op, plan->ops()))
    return failure();
  rewriter.replaceOp(op, plan->build(rewriter, op->getLoc()));
  return success();
}
