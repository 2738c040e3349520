//===- Rounding.cpp - sums that round on purpose --------------------------===//

#include "forge/Dialect/Forge/Analysis/Rounding.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Constants above this may round on purpose: those that round to sixteenths are larger, and ordinary biases smaller.
static constexpr double kLarge = 1 << 16;
// The importer keeps splats of at most this many elements in the program. So a smaller weight that it left in the file
// is no splat, as is usual for trained weights.
static constexpr int64_t kMostKnown = 1 << 14;
// The largest numbers of ops that are followed from a term to its sources, and from a value to the ops that round it.
// Terms and values with more of them count as large, and as quantised.
static constexpr size_t kMostSources = 64, kMostResults = 256;

// The interval of the numbers of a constant; 0 for other ops.
static Interval numbersOf(Operation *op) {
  if (auto scalar = dyn_cast_or_null<ScalarConstantOp>(op); scalar && !scalar.getConstant().isNaN())
    return Interval::number(scalar.getConstant().convertToDouble());
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  return constant ? Interval::ofConstant(cast<ElementsAttr>(constant.getValue())) : Interval::number(0);
}

static bool isLargeSource(Operation *op, bool countsUnknown) {
  return !Interval{-kLarge, kLarge}.contains(numbersOf(op)) ||
         (countsUnknown && isa<ParameterOp>(op) && tensorType(op->getResult(0)).getNumElements() > kMostKnown);
}

// Whether `term` is computed from a large constant or, with `countsUnknown`, from a weight of which that is not known.
static bool hasLarge(Value term, bool countsUnknown) {
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(term.getDefiningOp());
  for (size_t at = 0; at < ops.size(); ++at) {
    Operation *op = ops[at];
    if (ops.size() > kMostSources || isLargeSource(op, countsUnknown))
      return true;
    // The right operand of a product only determines how the elements of the left one are summed.
    for (Value operand : op->getOperands().take_front(isa<MatmulOp>(op) ? 1 : op->getNumOperands()))
      ops.insert(operand.getDefiningOp());
  }
  return false;
}

bool forge::hasLargeConstant(Value term) { return hasLarge(term, /*countsUnknown=*/false); }

bool forge::mayRoundOnPurpose(Value term) { return hasLarge(term, /*countsUnknown=*/true); }

// Whether `value` has a constant that rounds the value to which it is added. Larger ones leave nothing of it in
// float32: they are masks, or round in float64.
static bool isLargeConstant(Value value) {
  constexpr double kLost = 1ull << 40;
  auto rounds = [](double number) { return std::abs(number) > kLarge && std::abs(number) < kLost; };
  Interval numbers = numbersOf(value.getDefiningOp());
  return rounds(numbers.low) || rounds(numbers.high);
}

bool forge::isRoundingSum(Operation *op) {
  return isa<AddOp, SubtractOp>(op) && llvm::any_of(op->getOperands(), isLargeConstant);
}

// Whether `op` is a multiplication by -1.
static bool isNegation(Operation *op) {
  return isa<MultiplyOp>(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           auto scalar = operand.getDefiningOp<ScalarConstantOp>();
           return scalar && scalar.getConstant().isExactlyValue(-1);
         });
}

// Whether the elements of the result are elements of the operands, maybe with another sign, or constants, so that a
// quantiser of the result rounds the operands.
static bool selectsElements(Operation *op) {
  if (isNegation(op))
    return true;
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, StridedSliceOp, SplitOp, ConcatenateOp, StackOp,
             RepeatOp, RepeatInterleaveOp, IdentityOp, BroadcastOp, AdvIndexOp, EmbeddingOp, SelectOp, IndexCopyOp,
             PixelShuffleOp, PadOp, ConstantPadOp, WhereOp, ClipOp, MaxOp, MinOp, ReluOp, AbsOp, ReduceMaxOp,
             MaxPool1dOp, MaxPool2dOp>(op);
}

// Whether `op` rounds its first operand to integers or to the steps of a constant.
static bool rounds(Operation *op) {
  if (isa<CastOp>(op))
    return !isa<FloatType>(tensorType(op->getResult(0)).getElementType());
  // Floor and Ceil compute the remainder of a division by 1.
  return isRoundingSum(op) || (isa<RemainderOp>(op) && isa<FloatType>(tensorType(op->getResult(0)).getElementType()));
}

bool forge::isReadByQuantiser(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    if (values.size() > kMostResults)
      return true;
    for (Operation *user : values[at].getUsers()) {
      if (rounds(user))
        return true;
      if (selectsElements(user))
        values.insert_range(user->getResults());
    }
  }
  return false;
}
