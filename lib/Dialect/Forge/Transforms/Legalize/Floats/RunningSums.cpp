//===- RunningSums.cpp - sums and norms that keep Float32 -----------------===//

#include "RunningSums.h"

using namespace mlir;
using namespace forge;

namespace {
class Finder {
public:
  Finder(Block &block, const ComputedWeights &weights) : block(block), weights(weights) {}

  RunningSums find(bool outputs);

private:
  bool isOfModel(Value value) const;
  bool isSum(Operation *op) const;
  void keepSum(Operation *op);
  bool isMean(Operation *op) const;
  void keepCarried();
  void keepNorm(SqrtOp root);
  void keepScaled(Operation *op);
  void keepOutput(Value value);

  Block &block;
  const ComputedWeights &weights;
  RunningSums found;
};
} // namespace

// Whether `value` is a weight or a constant, or computed from those.
bool Finder::isOfModel(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && (isa<ParameterOp, ConstantOp, ScalarConstantOp>(op) || weights.contains(op));
}

// A sum of two activations: one of its own, or a product with a residual as third operand.
bool Finder::isSum(Operation *op) const {
  if (!op || !isa<AddOp, MatmulOp>(op) || weights.contains(op) ||
      !isa<FloatType>(tensorType(op->getResult(0)).getElementType()))
    return false;
  if (auto product = dyn_cast<MatmulOp>(op))
    return product.getBias() && !isOfModel(product.getBias());
  return isa<AddOp>(op) && llvm::none_of(op->getOperands(), [&](Value operand) { return isOfModel(operand); });
}

void Finder::keepSum(Operation *op) {
  found.ops.insert(op);
  if (isa<MatmulOp>(op))
    found.products.insert(op);
}

// What a sum adds to: the operands of a sum, but of a product only its third one.
static OperandRange addendsOf(Operation *op) {
  return isa<MatmulOp>(op) ? op->getOperands().drop_front(2) : op->getOperands();
}

void Finder::keepCarried() {
  for (Operation &op : block.without_terminator()) {
    if (!isSum(&op))
      continue;
    bool readsCarried =
        llvm::any_of(addendsOf(&op), [&](Value addend) { return found.ops.contains(addend.getDefiningOp()); });
    // A sum that is read by another one and by others is carried along.
    bool isCarried = !op.getResult(0).hasOneUse() && llvm::any_of(op.getResult(0).getUses(), [&](OpOperand &use) {
      return isSum(use.getOwner()) && llvm::is_contained(addendsOf(use.getOwner()), op.getResult(0));
    });
    if (readsCarried || isCarried)
      keepSum(&op);
  }
}

// The mean of rows is also written as a product with a constant.
bool Finder::isMean(Operation *op) const {
  auto product = dyn_cast_or_null<MatmulOp>(op);
  return isa_and_nonnull<ReduceAvgOp>(op) || (product && product.getOperandB().getDefiningOp<ConstantOp>());
}

// Factors and addends of the model that nothing else is between: the scale and the bias of a norm.
void Finder::keepScaled(Operation *op) {
  found.ops.insert(op);
  while (op->hasOneUse()) {
    op = *op->getUsers().begin();
    if (!isa<MultiplyOp, AddOp>(op) || llvm::none_of(op->getOperands(), [&](Value value) { return isOfModel(value); }))
      return;
    found.ops.insert(op);
  }
}

// root = sqrt(mean(c * c) + epsilon), where c is the input or the input less its mean; then c / root.
void Finder::keepNorm(SqrtOp root) {
  Operation *mean = root.getOperandA().getDefiningOp();
  SmallVector<Operation *> steps{root};
  if (auto shifted = dyn_cast_or_null<AddOp>(mean)) {
    steps.push_back(shifted);
    mean = (isOfModel(shifted.getOperandA()) ? shifted.getOperandB() : shifted.getOperandA()).getDefiningOp();
  }
  auto square = isMean(mean) ? mean->getOperand(0).getDefiningOp<MultiplyOp>() : MultiplyOp();
  if (!square || square.getOperandA() != square.getOperandB() || weights.contains(square))
    return;
  steps.append({mean, square});
  Value centred = square.getOperandA(), input = centred;
  if (auto difference = centred.getDefiningOp<SubtractOp>();
      difference && isMean(difference.getOperandB().getDefiningOp())) {
    steps.append({difference, difference.getOperandB().getDefiningOp()});
    input = difference.getOperandA();
  }
  found.ops.insert_range(steps);
  for (Operation *user : root->getUsers()) {
    if (isa<DivideOp, ReciprocalOp>(user))
      keepScaled(user);
    if (isa<ReciprocalOp>(user))
      for (Operation *scaled : user->getUsers())
        if (isa<MultiplyOp>(scaled))
          keepScaled(scaled);
  }
  Operation *sum = input.getDefiningOp();
  if (isSum(sum))
    keepSum(sum);
  // An addend of the model, such as one for each position, is stored in Float32 and makes the sum that.
  else if (isa_and_nonnull<AddOp>(sum) && !weights.contains(sum))
    found.ops.insert(sum);
}

// A product that is moved at most before it is an output. Its left operand is cast instead of its result.
void Finder::keepOutput(Value value) {
  SmallVector<Operation *> moves;
  while (value.hasOneUse() && value.getDefiningOp() && !weights.contains(value.getDefiningOp())) {
    Operation *op = value.getDefiningOp();
    moves.push_back(op);
    if (isa<MatmulOp>(op))
      return found.ops.insert_range(moves);
    if (!isa<ReshapeOp, TransposeOp, SqueezeOp, UnsqueezeOp>(op))
      return;
    value = op->getOperand(0);
  }
}

RunningSums Finder::find(bool outputs) {
  for (auto root : block.getOps<SqrtOp>())
    keepNorm(root);
  keepCarried();
  for (auto norm : block.getOps<LayernormOp>())
    if (Operation *input = norm.getOperandA().getDefiningOp(); input && found.ops.contains(input))
      found.ops.insert(norm);
  if (outputs)
    for (Value value : block.getTerminator()->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && type.getElementType().isF32())
        keepOutput(value);
  return std::move(found);
}

RunningSums forge::runningSums(Block &block, const ComputedWeights &weights, bool outputs) {
  return Finder(block, weights).find(outputs);
}
