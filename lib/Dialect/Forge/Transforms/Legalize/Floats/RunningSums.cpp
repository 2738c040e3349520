//===- RunningSums.cpp - norms and residual sums in Float32 ---------------===//
//
// The ops that RunningSums keeps in Float32 in a function of a 16-bit format ("the format"):
//
//     %s0 = add(%x, %p0)     first residual sum: one addend is made Float32 by the bias of its product (widenFirstSum)
//     %n0 = norm(%s0)        all steps in Float32 (keepNorm), then one cast
//     %p1 = matmul(%n0, %W)  in the 16-bit format
//     %s1 = add(%s0, %p1)    promotes %p1 to Float32 without a cast (keepResidualSums)
//
// If the norm is after the sum, as in BERT, both the products and the next sum use its result: it is rounded once for
// both (shareRoundedNorm).
//
//===----------------------------------------------------------------------===//

#include "FloatPrecision.h"

using namespace mlir;
using namespace forge;

// matmul(x, W, bias), or add(matmul(x, W), addend) in either order.
bool forge::isFusedSum(Operation *sum) {
  if (auto product = dyn_cast<MatmulOp>(sum))
    return product.getBias() != nullptr;
  return isa<AddOp>(sum) && llvm::any_of(sum->getOperands(), [](Value addend) {
           auto product = addend.getDefiningOp<MatmulOp>();
           return product && !product.getBias() && addend.hasOneUse();
         });
}

// The ops whose results convolutions use, directly or through movement. All operands of a convolution have one type, so
// that a sum in Float32 would need a cast before it.
static llvm::DenseSet<Operation *> convolvedOps(Block &block) {
  llvm::DenseSet<Operation *> convolved; // In reverse order, so that the users of an op are visited first.
  auto convolves = [&](Operation *user) {
    return isa<Conv2dOp, Conv2dTransposeOp>(user) || (isMovement(user) && convolved.contains(user));
  };
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (llvm::any_of(op.getUsers(), convolves))
      convolved.insert(&op);
  return convolved;
}

// The addends of a sum: both operands of an add, and the bias alone of a matrix product.
static OperandRange addendsOf(Operation *op) {
  return isa<MatmulOp>(op) ? op->getOperands().drop_front(2) : op->getOperands();
}

namespace {
/// Collects the RunningSums of a block. Functions "keep..." add ops to `found`, which then compute in Float32.
class RunningSumsFinder {
public:
  RunningSumsFinder(Block &block, const ComputedWeights &weights) : block(block), weights(weights) {}

  /// Finds the norms first, because a residual sum continues a stream of Float32 values, which the inputs of norms
  /// start. Then the products that a bias makes Float32 (shareRoundedNorm, widenFirstSum), because all users of such a
  /// product have to be in `found` already. With `outputs`, also products that are outputs (RunningSums::of).
  RunningSums find(bool outputs) {
    for (auto root : block.getOps<SqrtOp>())
      keepNorm(root);
    keepResidualSums();
    llvm::for_each(normResults, [&](Value norm) { shareRoundedNorm(norm); });
    llvm::for_each(residualSums, [&](Operation *sum) { widenFirstSum(sum); });
    // A norm that is one call is in Float32 if its operand is, which then needs no cast.
    for (auto norm : block.getOps<LayernormOp>())
      if (Operation *input = norm.getOperandA().getDefiningOp(); input && found.ops.contains(input))
        found.ops.insert(norm);
    if (outputs)
      for (Value value : block.getTerminator()->getOperands())
        if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && type.getElementType().isF32())
          keepOutput(value);
    return std::move(found);
  }

private:
  bool isWeightOrConstant(Value value) const { return forge::isWeightOrConstant(value, weights); }
  bool hasWeightOrConstant(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return isWeightOrConstant(value); });
  }

  /// Whether `op`, which may be null, is an addition that remains a kernel of its own on the device (isFusedSum).
  bool isUnfusedSum(Operation *op) const {
    return isa_and_nonnull<AddOp>(op) && !weights.contains(op) && !isFusedSum(op);
  }
  /// Whether `op` adds two activations, such as the result of a matrix product and a residual, and is no epilogue of a
  /// product (isFusedSum).
  bool isSum(Operation *op) const {
    return isUnfusedSum(op) && isFloat(op->getResult(0)) && !hasWeightOrConstant(op->getOperands());
  }

  /// Whether `op`, which may be null, may compute a mean. A mean over the trailing axis is also written as a product
  /// with a constant matrix. Its elements are not checked: Float32 is more precise for any product.
  bool mayBeMean(Operation *op) const {
    auto product = dyn_cast_or_null<MatmulOp>(op);
    return isa_and_nonnull<ReduceAvgOp>(op) || (product && product.getOperandB().getDefiningOp<ConstantOp>());
  }

  /// Adds the residual sums. A stream of them starts at a sum with several users, one of which is a sum; each sum that
  /// uses an op of `found` continues it.
  void keepResidualSums() {
    llvm::DenseSet<Operation *> convolved = convolvedOps(block);
    for (Operation &op : block.without_terminator()) {
      if (!isSum(&op))
        continue;
      bool continuesStream =
          llvm::any_of(op.getOperands(), [&](Value addend) { return found.ops.contains(addend.getDefiningOp()); });
      bool startsStream =
          !op.getResult(0).hasOneUse() && llvm::any_of(op.getUsers(), [&](Operation *user) { return isSum(user); });
      if ((startsStream || continuesStream) && !convolved.contains(&op)) {
        found.ops.insert(&op);
        residualSums.insert(&op);
      }
    }
    dropSumsAtFusedSums();
  }

  /// Removes from `found` the sums of `residualSums` next to a fused sum of activations, which has the 16-bit format of
  /// its product. Between the two sums there would be a cast:
  /// - A sum in Float32 would be cast before it is added in a fused sum.
  /// - A fused sum would be cast before it is added in a sum in Float32. The addition promotes one addend without a
  ///   cast, but usually both are in the format: the fused sum is the residual, and the other addend is what a layer
  ///   computes from it.
  ///
  /// Repeats until nothing changes, because a sum that was removed is in the format, so that its neighbours are
  /// removed, too.
  void dropSumsAtFusedSums() {
    llvm::DenseSet<Operation *> dropped;
    // Whether `op` is a sum that cannot be in Float32: a dropped one, or a fused sum of activations.
    auto isSumIn16Bits = [&](Operation *op) {
      return dropped.contains(op) || (op && isFusedSum(op) && !hasWeightOrConstant(addendsOf(op)));
    };
    auto dropAtSumIn16Bits = [&](Operation *op) {
      auto isAddendOf = [&](Operation *user) {
        return isSumIn16Bits(user) && llvm::is_contained(addendsOf(user), op->getResult(0));
      };
      if (llvm::any_of(op->getOperands(), [&](Value addend) { return isSumIn16Bits(addend.getDefiningOp()); }) ||
          llvm::any_of(op->getUsers(), isAddendOf))
        dropped.insert(op);
    };
    size_t size;
    do {
      size = dropped.size();
      llvm::for_each(residualSums, dropAtSumIn16Bits);
      llvm::for_each(llvm::reverse(residualSums), dropAtSumIn16Bits);
    } while (size != dropped.size());
    for (Operation *op : dropped)
      found.ops.erase(op);
  }

  /// Keeps the ops of a norm in Float32: c / root or c * (1 / root), where root is sqrt(mean(c * c) + epsilon), and c
  /// is the input x or x - mean(x). A scale and a bias may follow. Does nothing if `root` is no such root. The sum that
  /// computes x is kept, too.
  void keepNorm(SqrtOp root) {
    SmallVector<Operation *> steps{root};
    Value meanSquare = root.getOperandA();
    // mean(c * c) + epsilon, in either order.
    if (auto shifted = meanSquare.getDefiningOp<AddOp>()) {
      steps.push_back(shifted);
      meanSquare = isWeightOrConstant(shifted.getOperandA()) ? shifted.getOperandB() : shifted.getOperandA();
    }
    // The square of a computed weight is that of a weight standardisation, which is no norm.
    Operation *mean = meanSquare.getDefiningOp();
    auto square = mayBeMean(mean) ? mean->getOperand(0).getDefiningOp<MultiplyOp>() : MultiplyOp();
    if (!square || square.getOperandA() != square.getOperandB() || weights.contains(square))
      return;
    steps.append({mean, square});
    // c is x - mean(x), or x itself.
    Value centred = square.getOperandA(), input = centred;
    if (auto difference = centred.getDefiningOp<SubtractOp>();
        difference && mayBeMean(difference.getOperandB().getDefiningOp())) {
      steps.append({difference, difference.getOperandB().getDefiningOp()});
      input = difference.getOperandA();
    }
    found.ops.insert_range(steps);
    // A product with a Float32 matrix has a Float32 result, whatever its left operand is.
    if (isa<MatmulOp>(mean))
      found.squaresInEitherFormat.insert(square);
    // c / root, or c * (1 / root).
    for (Operation *user : root->getUsers()) {
      if (isa<DivideOp, ReciprocalOp>(user))
        keepScaleAndBias(user);
      if (isa<ReciprocalOp>(user))
        for (Operation *scaled : user->getUsers())
          if (isa<MultiplyOp>(scaled))
            keepScaleAndBias(scaled);
    }
    // An addend may be a weight, such as a position embedding: it is stored in Float32, so that the sum is Float32.
    if (Operation *sum = input.getDefiningOp(); isUnfusedSum(sum))
      found.ops.insert(sum);
  }

  /// Keeps `op` in Float32, and the multiplications by weights and additions of weights that directly follow: the scale
  /// and the bias of a norm. Records the result of the last of them if it has several users, which may share it
  /// (shareRoundedNorm).
  void keepScaleAndBias(Operation *op) {
    found.ops.insert(op);
    while (op->hasOneUse()) {
      op = *op->getUsers().begin();
      if (!isa<MultiplyOp, AddOp>(op) || !hasWeightOrConstant(op->getOperands()))
        return;
      found.ops.insert(op);
    }
    normResults.push_back(op->getResult(0));
  }

  /// The product that computes `value`, if a bias in Float32 makes its result Float32, and all users are kept ops that
  /// read it in Float32: sums and norms, but no widened product, which reads its operands in the format. Else null.
  MatmulOp productToWiden(Value value) const {
    auto product = value.getDefiningOp<MatmulOp>();
    if (!product || !product.getBias() || weights.contains(product) || found.ops.contains(product))
      return {};
    // Only a bias of one row is added by the kernel of the product, before its result is rounded.
    ArrayRef<int64_t> bias = shapeOf(product.getBias());
    bool isRow = bias.empty() || llvm::all_of(bias.drop_back(), [](int64_t size) { return size == 1; });
    auto readsFloat32 = [&](Operation *user) {
      return found.ops.contains(user) && !found.widenedProducts.contains(user);
    };
    bool canBeWidened =
        isRow && isWeightOrConstant(product.getBias()) && llvm::all_of(product->getUsers(), readsFloat32);
    return canBeWidened ? product : MatmulOp();
  }

  /// The product (productToWiden) that computes the other addend, if the owner of `use` is a sum in Float32; else null.
  MatmulOp productAddedTo(OpOperand &use) const {
    Operation *sum = use.getOwner();
    bool isKept = isa<AddOp>(sum) && found.ops.contains(sum);
    return isKept ? productToWiden(sum->getOperand(1 - use.getOperandNumber())) : MatmulOp();
  }

  /// Keeps the result of `product` in Float32 by its bias. Its other operands remain in the 16-bit format.
  void keepProduct(MatmulOp product) {
    found.ops.insert(product);
    found.widenedProducts.insert(product);
  }

  /// If both addends of `sum` are in the format, as those of the first sum of a residual stream are, and one of them is
  /// a product (productToWiden), makes that Float32 by its bias. The sum then promotes the other addend without a cast.
  void widenFirstSum(Operation *sum) {
    // Whether the op that computes the addend, before movement of one operand, is known to be in the 16-bit format. A
    // concatenation, for example, may have operands of both formats.
    auto isInFormat = [&](Value addend) {
      Operation *op = addend.getDefiningOp();
      while (op && isMovement(op) && op->getNumOperands() == 1)
        op = op->getOperand(0).getDefiningOp();
      return op && !found.ops.contains(op) && !isMovement(op);
    };
    if (!found.ops.contains(sum) || !llvm::all_of(sum->getOperands(), isInFormat))
      return;
    for (Value addend : sum->getOperands())
      if (MatmulOp product = productToWiden(addend))
        return keepProduct(product);
  }

  /// Where the norm is after the residual sum, its result is used by products, which want the 16-bit format, and by the
  /// next sum. The sum reads the rounded value, too: one rounding more, as in a model that is written in this format.
  /// The sum itself remains Float32 by its other addend, a product with a bias in Float32. A norm with any other user
  /// is not shared.
  void shareRoundedNorm(Value norm) {
    SmallVector<MatmulOp> otherAddends;
    bool isReadInFormat = false;
    for (OpOperand &use : norm.getUses()) {
      if (MatmulOp product = productAddedTo(use))
        otherAddends.push_back(product);
      else if (isa<MatmulOp>(use.getOwner()) && !found.ops.contains(use.getOwner()))
        isReadInFormat = true;
      else
        return;
    }
    if (otherAddends.empty() || !isReadInFormat)
      return;
    found.roundedNorms.insert(norm);
    llvm::for_each(otherAddends, [&](MatmulOp product) { keepProduct(product); });
  }

  /// Keeps in Float32 a product whose result is the output `value`, maybe after movement: its left operand is cast
  /// instead of its result. With functions in between, such as a softmax, it is kept only if its left operand is
  /// Float32 already, so that there is no cast.
  void keepOutput(Value value) {
    // Whether the op that computes the operand, before movement, is in Float32.
    auto isFloat32Already = [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      while (isa_and_nonnull<IndexOp, ReshapeOp, TransposeOp, SqueezeOp, UnsqueezeOp>(op))
        op = op->getOperand(0).getDefiningOp();
      return found.ops.contains(op);
    };
    SmallVector<Operation *> opsToOutput;
    bool hasFunction = false;
    while (value.hasOneUse() && value.getDefiningOp() && !weights.contains(value.getDefiningOp())) {
      Operation *op = value.getDefiningOp();
      opsToOutput.push_back(op);
      if (auto product = dyn_cast<MatmulOp>(op)) {
        if (!hasFunction || isFloat32Already(product.getOperandA()))
          found.ops.insert_range(opsToOutput);
        return;
      }
      bool isFunction = isa<TanhOp, SigmoidOp, SoftmaxOp, LogSoftmaxOp>(op);
      if (!isFunction && !isa<ReshapeOp, TransposeOp, SqueezeOp, UnsqueezeOp>(op))
        return;
      hasFunction |= isFunction;
      value = op->getOperand(0);
    }
  }

  Block &block;
  const ComputedWeights &weights;
  RunningSums found;
  SmallVector<Value> normResults;
  llvm::SetVector<Operation *> residualSums; ///< in program order, also those that were dropped from `found`
};
} // namespace

RunningSums RunningSums::of(Block &block, const ComputedWeights &weights, bool outputs) {
  return RunningSumsFinder(block, weights).find(outputs);
}
