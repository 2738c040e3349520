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
// The largest numbers of ops that are followed from a term to its sources, and from a value to the op that rounds it.
static constexpr size_t kMostSources = 64;
static constexpr int kMostOps = 8;

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

bool forge::mayRound(Value term) { return hasLarge(term, /*countsUnknown=*/true); }

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

static bool isQuantised(Value value, int depth) {
  return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (isa<AddOp, SubtractOp>(user))
             return isRoundingSum(user);
           if (isa<CastOp>(user))
             return !isa<FloatType>(tensorType(user->getResult(0)).getElementType());
           return isa<WhereOp, ClipOp, MaxOp, MinOp, ReluOp>(user) && isQuantised(user->getResult(0), depth - 1);
         });
}

bool forge::isQuantised(Value value) { return ::isQuantised(value, kMostOps); }
