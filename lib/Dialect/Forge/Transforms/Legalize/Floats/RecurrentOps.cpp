//===- RecurrentOps.cpp - finds the ops of unrolled recurrences -----------===//
//
// A recurrence, such as an LSTM, multiplies by the same weight at each step. If it is unrolled, each product but the
// first one depends on an earlier product with the same weight (`repeatedProducts`). The ops between two such products
// are the recurrence; those before the first and after the last one are found by other rules (recurrentOps).
//
//===----------------------------------------------------------------------===//

#include "FloatPrecision.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

using namespace mlir;
using namespace forge;

namespace {
/// Finds the ops of recurrences (recurrentOps). "Weights" are those by which a product multiplies (weightOf).
class RecurrenceFinder {
public:
  RecurrenceFinder(Block &block, const ComputedWeights &weights) : block(block), weights(weights) {}

  /// First finds the ops between the products of two steps, which are those of all steps but the last. Then adds the
  /// last steps, states and input products that belong to them.
  llvm::DenseSet<Operation *> find() {
    SmallVector<Value> sharedWeights = collectProducts();
    // 64 weights at once, so that memory is linear in the ops even if most weights are shared.
    for (size_t at = 0; at < sharedWeights.size(); at += 64)
      findSteps(ArrayRef(sharedWeights).drop_front(at).take_front(64));
    if (repeatedProducts.empty())
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
    SplatElementsAttr splat;
    bool isOfModel = product && isWeightOrConstant(product.getOperandB(), weights) &&
                     !matchPattern(product.getOperandB(), m_Constant(&splat));
    return isOfModel ? product.getOperandB() : Value();
  }

  /// Whether `op` may be part of a recurrence: no computed weight, but a product with a weight, or an op that keeps
  /// elements apart. Reductions are excluded (recurrentOps).
  bool mayBelong(Operation *op) const {
    return op->getNumResults() == 1 && !weights.contains(op) && (keepsElementsApart(op) || weightOf(op));
  }

  /// Fills `afterProducts`, and returns the weights of several products: only their products can be repeated.
  SmallVector<Value> collectProducts() {
    llvm::MapVector<Value, int64_t> products;
    for (Operation &op : block.without_terminator()) {
      if (!mayBelong(&op))
        continue;
      Value weight = weightOf(&op);
      if (weight)
        ++products[weight];
      auto isOfProduct = [&](Value operand) { return afterProducts.contains(operand.getDefiningOp()); };
      if (weight || llvm::any_of(op.getOperands(), isOfProduct))
        afterProducts.insert(&op);
    }
    products.remove_if([](const auto &product) { return product.second < 2; });
    return llvm::to_vector(llvm::make_first_range(products));
  }

  /// Adds to `repeatedProducts` the products that depend on an earlier product with the same one of `sharedWeights`,
  /// which are at most 64 weights, and to `found` these and the ops between two products. A set of weights is a number,
  /// whose bit i is that of sharedWeights[i].
  void findSteps(ArrayRef<Value> sharedWeights) {
    DenseMap<Value, uint64_t> bits;
    for (auto [i, weight] : llvm::enumerate(sharedWeights))
      bits[weight] = uint64_t(1) << i;
    DenseMap<Operation *, uint64_t> passed; // the weights of the products that an op depends on, and its own
    for (Operation *op : afterProducts) {
      uint64_t own = bits.lookup(weightOf(op)), earlier = 0;
      for (Value operand : op->getOperands())
        earlier |= passed.lookup(operand.getDefiningOp());
      if (own & earlier)
        repeatedProducts.insert(op);
      passed[op] = own | earlier;
    }
    // Of each op, the weights of repeated products that are the op or depend on it. Only weights in `passed` count.
    DenseMap<Operation *, uint64_t> needed;
    for (Operation *op : llvm::reverse(afterProducts)) {
      if (repeatedProducts.contains(op))
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

  /// Whether `value` is a result of an op of the recurrence, a weight or a constant.
  bool isOfRecurrence(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && (found.contains(op) || weights.contains(op) || op->getNumOperands() == 0);
  }

  /// The op of an earlier step that does what `op` does in its step; null if there is none:
  /// - the earlier op is in `found`, and has the same name and attributes as `op`;
  /// - one of its operands is the counterpart (`earlier`) of the same operand of `op`;
  /// - where `op` reads a value that is not of the recurrence, such as the product of the inputs, the earlier op does,
  ///   too. (The converse need not hold: the first step reads the initial state.)
  Operation *earlierCounterpart(Operation *op, const DenseMap<Operation *, Operation *> &earlier) const {
    auto isCounterpart = [&](Operation *other) {
      return found.contains(other) &&
             OperationEquivalence::isEquivalentTo(op, other, OperationEquivalence::ignoreValueEquivalence,
                                                  /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations) &&
             llvm::all_of_zip(op->getOperands(), other->getOperands(),
                              [&](Value here, Value there) { return isOfRecurrence(here) || !isOfRecurrence(there); });
    };
    for (OpOperand &operand : op->getOpOperands())
      if (Operation *producer = earlier.lookup(operand.get().getDefiningOp()))
        for (OpOperand &use : producer->getUses())
          if (use.getOperandNumber() == operand.getOperandNumber() && isCounterpart(use.getOwner()))
            return use.getOwner();
    return nullptr;
  }

  /// Adds the elementwise ops, and the slices of gates, of the last step. findSteps() does not find them, because no
  /// later product reads the last state. Two rules find them:
  /// - They have a counterpart in an earlier step. From the product of each step on, the ops that read it are compared
  ///   with those of the step before. So all steps are visited, although those before the last are found already.
  /// - All their operands are of the recurrence. This finds functions of the last state that no earlier step has.
  void addLastSteps() {
    DenseMap<Operation *, Operation *> earlier;   // the counterpart of an op in an earlier step
    DenseMap<Value, Operation *> previousProduct; // by the weight
    for (Operation &op : block.without_terminator()) {
      if (Value weight = weightOf(&op)) {
        Operation *&previous = previousProduct[weight];
        if (repeatedProducts.contains(&op))
          earlier[&op] = previous;
        previous = &op;
        continue;
      }
      if (!(isElementwise(&op) || isa<IndexOp>(op)) || !afterProducts.contains(&op))
        continue;
      if (Operation *like = earlierCounterpart(&op, earlier)) {
        earlier[&op] = like;
        found.insert(&op);
      } else if (llvm::all_of(op.getOperands(), [&](Value operand) { return isOfRecurrence(operand); })) {
        found.insert(&op);
      }
    }
  }

  /// Adds each concatenation or stack of states, and the ops that compute its operands, back to a product with a
  /// weight. If that product is not of the recurrence, it is added as the last op, as in addInputProducts().
  ///
  /// A concatenation of states in Float32 is rounded once, by one cast, instead of each state. One state among its
  /// operands is sufficient, because all operands have the type of the result. Those that depend on no product with a
  /// weight, such as initial states and zeros, are no ops of a step, and are cast where the concatenation reads them.
  void addConcatenatedStates() {
    auto isFound = [&](Value value) { return found.contains(value.getDefiningOp()); };
    llvm::DenseSet<Operation *> joinedOps; // the concatenations, and ops that compute their operands
    // In reverse order, so that the users of an op are visited first.
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      bool isJoin = isa<ConcatenateOp, StackOp>(op) && llvm::any_of(op.getOperands(), isFound);
      bool isRead = llvm::any_of(op.getUsers(), [&](Operation *user) { return joinedOps.contains(user); });
      if (!isJoin && !(isRead && afterProducts.contains(&op)))
        continue;
      if (!weightOf(&op))
        joinedOps.insert(&op);
      else if (!found.contains(&op))
        inputProducts.insert(&op);
    }
    found.insert_range(joinedOps);
    found.insert_range(inputProducts);
  }

  /// Adds the ops that only the steps use, back to a product with a weight, such as that of the inputs. That product is
  /// the last op added (`inputProducts`), because its operands may stay in the format. Functions of initial states and
  /// masks, which have no such product before them, are added too.
  void addInputProducts() {
    auto isOfStep = [&](Operation *user) { return found.contains(user) && !inputProducts.contains(user); };
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      if (found.contains(&op) || op.use_empty() || op.getNumOperands() == 0 || !mayBelong(&op) ||
          !llvm::all_of(op.getUsers(), isOfStep))
        continue;
      found.insert(&op);
      if (weightOf(&op))
        inputProducts.insert(&op);
    }
  }

  Block &block;
  const ComputedWeights &weights;
  llvm::SetVector<Operation *> afterProducts; ///< products with weights, and ops that depend on one, in program order
  llvm::DenseSet<Operation *> found, repeatedProducts;
  llvm::DenseSet<Operation *> inputProducts; ///< those of `found` that are products before the recurrence
};
} // namespace

llvm::DenseSet<Operation *> forge::recurrentOps(Block &block, const ComputedWeights &weights) {
  return RecurrenceFinder(block, weights).find();
}
