//===- RecurrentOps.cpp - finds the ops of unrolled recurrences -----------===//

#include "FloatPrecision.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

using namespace mlir;
using namespace forge;

namespace {
using Weights = llvm::SmallSetVector<Value, 2>;

/// Finds the ops of recurrences (recurrentOps) in one forward and one backward pass over the block.
///
/// A recurrence multiplies by the same weight repeatedly. `closing` has the products that depend on an earlier product
/// with the same weight. An op belongs to the recurrence if it is between two such products.
class RecurrenceFinder {
public:
  RecurrenceFinder(Block &block, const ComputedWeights &weights) : block(block), weights(weights) {}

  /// First the ops between closing products, which are those of all steps but the last; then what belongs to them.
  llvm::DenseSet<Operation *> find() {
    for (Operation &op : block.without_terminator())
      visitForward(&op);
    if (closing.empty())
      return {};
    for (Operation &op : llvm::reverse(block.without_terminator()))
      visitBackward(&op);
    addLastSteps();
    addConcatenatedStates();
    addInputProducts();
    return std::move(found);
  }

private:
  /// The right operand of a product if that is a weight of the model, else null. It is null for a splat constant, with
  /// which a product computes the mean of a norm.
  Value weightOf(Operation *op) const {
    auto product = dyn_cast<MatmulOp>(op);
    Operation *weight = product ? product.getOperandB().getDefiningOp() : nullptr;
    DenseElementsAttr numbers;
    bool isOfModel =
        weight && (isa<ParameterOp>(weight) ||
                   (matchPattern(weight, m_Constant(&numbers)) ? !numbers.isSplat() : weights.contains(weight)));
    return isOfModel ? product.getOperandB() : Value();
  }

  /// Whether `op` may be part of a recurrence: no computed weight, but a product with a weight, or an op that keeps
  /// elements apart. Reductions are excluded (recurrentOps).
  bool mayBelong(Operation *op) const {
    return op->getNumResults() == 1 && !weights.contains(op) && (keepsElementsApart(op) || weightOf(op));
  }

  /// Collects the weights on which `op` depends, and marks it as closing if its own weight is among them.
  void visitForward(Operation *op) {
    if (!mayBelong(op))
      return;
    Weights dependsOn;
    for (Value operand : op->getOperands())
      dependsOn.insert_range(passed.lookup(operand));
    if (Value weight = weightOf(op); weight && !dependsOn.insert(weight))
      closing.insert(op);
    if (!dependsOn.empty())
      passed[op->getResult(0)] = std::move(dependsOn);
  }

  /// Marks `op` as found if it is a closing product, or between two products with one weight: it depends on the weight
  /// (`passed`), and a closing product with the same weight depends on it (`needed`). Then hands the weights of the
  /// closing products on to the operands.
  void visitBackward(Operation *op) {
    if (!mayBelong(op))
      return;
    Weights dependsOn = passed.lookup(op->getResult(0)), neededHere = needed.lookup(op->getResult(0));
    bool isClosing = closing.contains(op);
    if (isClosing || llvm::any_of(neededHere, [&](Value weight) { return dependsOn.contains(weight); }))
      found.insert(op);
    if (isClosing)
      neededHere.insert(weightOf(op));
    if (neededHere.empty())
      return;
    for (Value operand : op->getOperands())
      if (passed.contains(operand))
        needed[operand].insert_range(neededHere);
  }

  /// Whether `value` is of the recurrence, or a weight.
  bool isOfRecurrence(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && (found.contains(op) || weights.contains(op) || op->getNumOperands() == 0);
  }

  /// The op of an earlier step that is like `op`: it is found, has the same attributes, and one of its operands is that
  /// of `op` in the earlier step (`earlier`). Operands of `op` that are not of the recurrence, such as the product of
  /// the inputs, are not in the earlier op either. Where `op` reads the recurrence, the earlier op may read something
  /// else, because the first step reads the initial state. Null if there is none.
  Operation *ofEarlierStep(Operation *op, const DenseMap<Operation *, Operation *> &earlier) const {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = earlier.lookup(operand.get().getDefiningOp());
      if (!producer)
        continue;
      for (OpOperand &use : producer->getUses()) {
        Operation *like = use.getOwner();
        if (use.getOperandNumber() == operand.getOperandNumber() && found.contains(like) &&
            OperationEquivalence::isEquivalentTo(op, like, OperationEquivalence::ignoreValueEquivalence,
                                                 /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations) &&
            llvm::all_of_zip(op->getOperands(), like->getOperands(),
                             [&](Value here, Value there) { return isOfRecurrence(here) || !isOfRecurrence(there); }))
          return like;
      }
    }
    return nullptr;
  }

  /// Adds the elementwise ops, and the slices of gates, of the last step. visitBackward() does not find them, because
  /// no later product reads the last state. Their operands are all of the recurrence, or weights, or they are like an
  /// op of an earlier step: from the product of each step on, the ops that read it are compared with those of the step
  /// before.
  void addLastSteps() {
    DenseMap<Operation *, Operation *> earlier;   // the same op of an earlier step
    DenseMap<Value, Operation *> previousProduct; // by the weight
    for (Operation &op : block.without_terminator()) {
      if (Value weight = weightOf(&op)) {
        Operation *&previous = previousProduct[weight];
        if (closing.contains(&op))
          earlier[&op] = previous;
        previous = &op;
        continue;
      }
      if (!(isElementwise(&op) || isa<IndexOp>(op)) || !mayBelong(&op) || !passed.contains(op.getResult(0)))
        continue;
      if (Operation *like = ofEarlierStep(&op, earlier)) {
        earlier[&op] = like;
        found.insert(&op);
      } else if (llvm::all_of(op.getOperands(), [&](Value operand) { return isOfRecurrence(operand); })) {
        found.insert(&op);
      }
    }
  }

  /// Adds each concatenation or stack of states, and the ops that compute its operands, back to a product with a weight
  /// that is not of the recurrence. That product is the last one added, as in addInputProducts().
  void addConcatenatedStates() {
    auto isFound = [&](Value value) { return found.contains(value.getDefiningOp()); };
    llvm::DenseSet<Operation *> joined; // In reverse order, so that the users of an op are visited first.
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      bool isJoin = isa<ConcatenateOp, StackOp>(op) && llvm::any_of(op.getOperands(), isFound);
      bool isRead = llvm::any_of(op.getUsers(), [&](Operation *user) { return joined.contains(user); });
      if (!isJoin && !(isRead && mayBelong(&op) && passed.contains(op.getResult(0))))
        continue;
      if (!weightOf(&op))
        joined.insert(&op);
      else if (!found.contains(&op))
        ends.insert(&op);
    }
    found.insert_range(joined);
    found.insert_range(ends);
  }

  /// Adds the ops that only the steps use, back to a product with a weight, such as that of the inputs. That product is
  /// the last one added (`ends`), because its operands may stay in the format. Functions of initial states and masks,
  /// which have no such product before them, are added too.
  void addInputProducts() {
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      if (found.contains(&op) || op.use_empty() || op.getNumOperands() == 0 || !mayBelong(&op) ||
          !llvm::all_of(op.getUsers(), [&](Operation *user) { return found.contains(user) && !ends.contains(user); }))
        continue;
      found.insert(&op);
      if (weightOf(&op))
        ends.insert(&op);
    }
  }

  Block &block;
  const ComputedWeights &weights;
  DenseMap<Value, Weights> passed; ///< the weights of the products that the value depends on
  DenseMap<Value, Weights> needed; ///< the weights of the closing products that depend on the value
  llvm::DenseSet<Operation *> found, closing;
  llvm::DenseSet<Operation *> ends; ///< those of `found` that are products before the recurrence
};
} // namespace

llvm::DenseSet<Operation *> forge::recurrentOps(Block &block, const ComputedWeights &weights) {
  return RecurrenceFinder(block, weights).find();
}
