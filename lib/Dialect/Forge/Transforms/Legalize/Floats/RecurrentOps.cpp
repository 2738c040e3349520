//===- RecurrentOps.cpp - finds the ops of unrolled recurrences -----------===//

#include "FloatPrecision.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

using namespace mlir;
using namespace forge;

namespace {
/// Finds the ops of recurrences (recurrentOps).
///
/// A recurrence multiplies by the same weight repeatedly. `closing` has the products that depend on an earlier product
/// with the same weight. An op belongs to the recurrence if it is between two such products.
class RecurrenceFinder {
public:
  RecurrenceFinder(Block &block, const ComputedWeights &weights) : block(block), weights(weights) {}

  /// First the ops between closing products, which are products by a weight that depend on an earlier product by it:
  /// those of all steps but the last. Then the last steps, states and input products that belong to them.
  llvm::DenseSet<Operation *> find() {
    SmallVector<Value> repeated = collectProducts();
    // 64 weights at once, so that memory is linear in the ops even if most weights are repeated.
    for (size_t at = 0; at < repeated.size(); at += 64)
      findSteps(ArrayRef(repeated).drop_front(at).take_front(64));
    if (closing.empty())
      return {};
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

  /// Fills `ofProducts`, and returns the weights of several products: a product with any other weight closes nothing.
  SmallVector<Value> collectProducts() {
    llvm::MapVector<Value, int64_t> products;
    for (Operation &op : block.without_terminator()) {
      if (!mayBelong(&op))
        continue;
      Value weight = weightOf(&op);
      if (weight)
        ++products[weight];
      auto isOfProduct = [&](Value operand) { return ofProducts.contains(operand.getDefiningOp()); };
      if (weight || llvm::any_of(op.getOperands(), isOfProduct))
        ofProducts.insert(&op);
    }
    products.remove_if([](const auto &product) { return product.second < 2; });
    return llvm::to_vector(llvm::make_first_range(products));
  }

  /// Finds the products that depend on an earlier product with the same one of `repeated`, which are at most 64
  /// weights, and the ops between the two. Bit i of a set of weights is that of repeated[i].
  void findSteps(ArrayRef<Value> repeated) {
    DenseMap<Value, uint64_t> bits;
    for (auto [i, weight] : llvm::enumerate(repeated))
      bits[weight] = uint64_t(1) << i;
    DenseMap<Operation *, uint64_t> passed; // the weights of the products that an op depends on, and its own
    for (Operation *op : ofProducts) {
      uint64_t own = bits.lookup(weightOf(op)), earlier = 0;
      for (Value operand : op->getOperands())
        earlier |= passed.lookup(operand.getDefiningOp());
      if (own & earlier)
        closing.insert(op);
      passed[op] = own | earlier;
    }
    DenseMap<Operation *, uint64_t> needed; // those of `passed` whose closing products depend on the op or are the op
    for (Operation *op : llvm::reverse(ofProducts)) {
      if (closing.contains(op))
        needed[op] |= bits.lookup(weightOf(op));
      uint64_t later = needed.lookup(op);
      if (later == 0)
        continue;
      found.insert(op);
      for (Value operand : op->getOperands())
        if (uint64_t both = later & passed.lookup(operand.getDefiningOp()))
          needed[operand.getDefiningOp()] |= both;
    }
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

  /// Adds the elementwise ops, and the slices of gates, of the last step. findSteps() does not find them, because
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
      if (!(isElementwise(&op) || isa<IndexOp>(op)) || !ofProducts.contains(&op))
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
      if (!isJoin && !(isRead && ofProducts.contains(&op)))
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
  llvm::SetVector<Operation *> ofProducts; ///< products with weights and the ops that depend on one, in program order
  llvm::DenseSet<Operation *> found, closing;
  llvm::DenseSet<Operation *> ends; ///< those of `found` that are products before the recurrence
};
} // namespace

llvm::DenseSet<Operation *> forge::recurrentOps(Block &block, const ComputedWeights &weights) {
  return RecurrenceFinder(block, weights).find();
}
