//===- DeviceFusions.cpp - ops that the device's compiler fuses -----------===//
//
// Which ops Tenstorrent's compiler fuses into the call before or after them, which reshapes and transposes it removes
// or moves, and which values it keeps in rows, as observed in its output.
//
//===----------------------------------------------------------------------===//

#include "DeviceFusions.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/IR/Operands.h"

using namespace mlir;
using namespace forge;

static bool isArithmetic(Operation *op) { return isa_and_nonnull<AddOp, SubtractOp, MultiplyOp, DivideOp>(op); }

static bool isProduct(Operation *op) { return isa_and_nonnull<Conv2dOp, MatmulOp>(op); }

// Clip(x, 0, 6), of which tt-mlir makes relu6.
static bool isRelu6(Operation *op) {
  auto clip = dyn_cast<ClipOp>(op);
  return clip && clip.getMin().isZero() && clip.getMax().isExactlyValue(6);
}

// Whether `op` is a function that tt-mlir fuses into arithmetic before or after it.
static bool isFusedIntoArithmetic(Operation *op) {
  return isRelu6(op) || isa<AbsOp, ExpOp, ReciprocalOp, SqrtOp, ReluOp, LeakyReluOp, SigmoidOp, SineOp, CosineOp,
                            AtanOp, TanhOp, ErfOp, GeluOp>(op);
}

Operation *forge::onlyUser(Value value) { return value.hasOneUse() ? *value.user_begin() : nullptr; }

// The op that computes a value, before reshapes that are no kernel and have no other users.
static Operation *computedBy(Value value) {
  Operation *producer = value.getDefiningOp();
  while (producer && isFreeReshape(producer) && producer->getOperand(0).hasOneUse())
    producer = producer->getOperand(0).getDefiningOp();
  return producer;
}

// Whether the device's compiler fuses the addition of `bias` to a convolution as the bias of the convolution.
static bool mayBeBiasOf(Conv2dOp conv, Value bias) {
  if (!conv || conv.getBias() || channelsLast(conv) == false)
    return false;
  int64_t channels = conv.getType().getShape().back();
  ArrayRef<int64_t> shape = shapeOf(bias);
  return !shape.empty() && shape.back() == channels && tensorType(bias).getNumElements() == channels && isWeight(bias);
}

// The convolution without a bias to which `op` adds a per-channel bias.
static Conv2dOp convolutionOfBias(Operation *op) {
  if (auto add = dyn_cast_or_null<AddOp>(op))
    for (auto [value, bias] : inEitherOrder(add))
      if (auto conv = dyn_cast_or_null<Conv2dOp>(value.hasOneUse() ? computedBy(value) : nullptr);
          mayBeBiasOf(conv, bias))
        return conv;
  return {};
}

bool forge::isFusedCast(Operation *op) {
  auto cast = dyn_cast_or_null<CastOp>(op);
  return cast && cast.getType().getElementType().isBF16() && cast.getOperandA().hasOneUse() &&
         isArithmetic(cast.getOperandA().getDefiningOp());
}

// Whether `op` is a unary function that tt-mlir fuses into the producer of its operand. This depends on both ops.
static bool isFusedIntoProducer(Operation *op) {
  if (isFusedCast(op))
    return true;
  if (op->getNumOperands() != 1 || !op->getOperand(0).hasOneUse())
    return false;
  Operation *producer = computedBy(op->getOperand(0));
  if (Conv2dOp conv = convolutionOfBias(producer))
    producer = conv;
  if (isArithmetic(producer))
    return isFusedIntoArithmetic(op);
  if (isa_and_nonnull<MatmulOp>(producer))
    return isa<GeluOp, SigmoidOp>(op);
  return isa_and_nonnull<Conv2dOp>(producer) && (isa<ReluOp, SigmoidOp>(op) || isRelu6(op));
}

// The operand x of `op` if that is x * sigmoid(x), of which tt-mlir makes one function; else null.
static Value operandOfSilu(Operation *op) {
  if (auto multiply = dyn_cast<MultiplyOp>(op))
    for (auto [x, other] : inEitherOrder(multiply))
      if (auto sigmoid = other.getDefiningOp<SigmoidOp>())
        return sigmoid.getOperandA() == x ? x : Value();
  return {};
}

static bool isSiluFusedIntoProducer(Operation *op) {
  Value x = operandOfSilu(op);
  Operation *producer = x ? computedBy(x) : nullptr;
  return isProduct(producer) || isArithmetic(producer);
}

bool forge::isFused(Operation *op) {
  return isFusedIntoProducer(op) || isSiluFusedIntoProducer(op) || convolutionOfBias(op) ||
         ((isFusedIntoArithmetic(op) || operandOfSilu(op)) && isArithmetic(onlyUser(op->getResult(0))));
}

bool forge::isMeanOfImage(Operation *op) {
  auto pool = dyn_cast<AvgPool2dOp>(op);
  return pool && pool.getChannelLast() && shapeOf(pool.getActivations()).slice(1, 2) == pool.getKernelSize();
}

RankedTensorType forge::asPixels(RankedTensorType type) {
  int64_t channels = type.getShape().back();
  return type.clone({1, 1, channels == 0 ? 0 : type.getNumElements() / channels, channels});
}

// x + x has one operand that is no scalar, too.
Value forge::changedByElement(Operation *op) {
  if (Value operand = operandOfSilu(op))
    return operand;
  if (op->getNumResults() != 1 || !isElementwise(op))
    return {};
  if (auto add = dyn_cast<AddOp>(op))
    for (auto [value, bias] : inEitherOrder(add))
      if (value.hasOneUse() && mayBeBiasOf(value.getDefiningOp<Conv2dOp>(), bias))
        return value;
  Value changed;
  for (Value operand : op->getOperands()) {
    if (tensorType(operand).getNumElements() == 1 || operand == changed)
      continue;
    if (changed)
      return {};
    changed = operand;
  }
  // The reshape after a transposed convolution is not moved.
  bool isMoved =
      changed && shapeOf(changed) == shapeOf(op->getResult(0)) && !changed.getDefiningOp<Conv2dTransposeOp>();
  return isMoved ? changed : Value();
}

// The largest number of ops of a chain that are followed.
constexpr int kLongestChain = 32;

bool forge::isOfWindow(Value value) {
  for (int step = 0; step < kLongestChain; ++step) {
    Operation *producer = value.getDefiningOp();
    if (!producer || isOnPixelRows(producer))
      return producer != nullptr;
    if (!(value = changedByElement(producer)))
      return false;
  }
  return false;
}

bool forge::allReadPixels(Value value, int depth) {
  constexpr unsigned kMostReaders = 16;
  if (value.hasNUsesOrMore(kMostReaders + 1))
    return false;
  // A user that reads the value twice, as x + x does, is followed once: a chain of such users has exponentially many
  // paths.
  llvm::SmallPtrSet<Operation *, kMostReaders> users(value.user_begin(), value.user_end());
  return llvm::all_of(users, [&](Operation *user) {
    if (depth > kLongestChain)
      return false;
    if (isOnPixelRows(user) || isa<ReshapeOp>(user))
      return true;
    return (isa<SigmoidOp>(user) && isFused(user)) ||
           (changedByElement(user) && allReadPixels(user->getResult(0), depth + 1));
  });
}

RankedTensorType forge::reshapedFrom(ReshapeOp op) {
  RankedTensorType type = tensorType(op.getOperandA());
  return isOfWindow(op.getOperandA()) ? asPixels(type) : type;
}

RankedTensorType forge::reshapedTo(ReshapeOp op) {
  if (op->use_empty())
    return op.getType();
  if (llvm::all_of(op->getUsers(), isOnPixelRows))
    return asPixels(op.getType());
  auto isToken = [&](OpOperand &use) { return isa<UpdateCacheOp>(use.getOwner()) && use.getOperandNumber() == 1; };
  return llvm::all_of(op->getUses(), isToken) ? asRowsOfHeads(op.getType()) : op.getType();
}

RankedTensorType forge::asRowsOfHeads(RankedTensorType token) { return token.clone(pixelRows(token.getShape())); }

bool forge::isFreeReshape(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && reshapedFrom(reshape) == reshapedTo(reshape);
}

bool forge::concatenatesRows(Operation *op) {
  auto concatenate = dyn_cast_or_null<ConcatenateOp>(op);
  int64_t rank = concatenate ? concatenate.getType().getRank() : 0;
  return concatenate && fromFront(concatenate.getAxis(), rank) == rank - 1 &&
         !llvm::all_of(concatenate.getOperands(), [](Value value) { return shapeOf(value).back() % kTile == 0; });
}

bool forge::isInRows(Value value) {
  Operation *producer = value.getDefiningOp();
  while (producer && isFreeReshape(producer))
    producer = producer->getOperand(0).getDefiningOp();
  return concatenatesRows(producer) || (isa_and_nonnull<MaxPool2dOp>(producer) && isOnPixelRows(producer));
}

// A window op reads rows of pixels. An image that is neither the result of a window op nor of a reshape is reshaped
// before, in tiles.
bool forge::readsRows(Operation *user, Value value) {
  if (isFreeReshape(user))
    return allReadRows(user->getResult(0));
  return concatenatesRows(user) ||
         (isOnPixelRows(user) && !isMeanOfImage(user) && user->getOperand(0) == value &&
          (isOfWindow(value) || value.getDefiningOp<ReshapeOp>() || asPixels(tensorType(value)) == value.getType()));
}

bool forge::allReadRows(Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) { return readsRows(user, value); });
}

bool forge::isDeferred(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  return transpose && !op->use_empty() &&
         (isa_and_nonnull<TransposeOp>(onlyUser(transpose)) || llvm::all_of(op->getUsers(), llvm::IsaPred<IndexOp>));
}

std::pair<RankedTensorType, Value> forge::beforeDeferred(RankedTensorType type, Value value) {
  SmallVector<int64_t> shape(type.getShape());
  while (isDeferred(value.getDefiningOp())) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    auto [dim0, dim1] = swapOf(transpose);
    std::swap(shape[dim0], shape[dim1]);
    value = transpose.getOperandA();
  }
  return {type.clone(shape), value};
}
