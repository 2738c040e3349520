//===- LowerIntegers.cpp - lowers integer quotients and indices -----------===//

#define GEN_PASS_DEF_FORGELOWERINTEGERSPASS
#include "Casts.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace forge;

// The quotient of Int32 values, rounded toward 0. The device divides in Float32, which has 24 bits, so that two
// divisions are needed:
//
//     first = int(x / d), second = int((x - first * d) / d), x / d = first + second + (1, -1 or 0)
//
// The first quotient has the upper bits, and the second one the lower bits. Both are multiplied by 1 - 2^-20, so that
// neither they nor their products with d overflow. A quotient q is computed too small in magnitude, by less than
// 1 + 2^-19 |q|: 1 because it is rounded toward 0, and the rest because of that factor and of the roundings in Float32.
// Times |d|, this bounds the remainders: the first one, x - first * d, is below |d| + 2^-19 |x| <= |d| + 2^12, and the
// last one below |d| + 2^-19 (|d| + 2^12) < 2 |d|. If the last one is at least |d|, the quotient is one step larger in
// magnitude.
static Value lowerQuotient(QuotientOp op) {
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), op);
  Value dividend = op.getOperandA(), divisor = op.getOperandB();
  Type integer = tensorType(dividend).getElementType(), float32 = b.getF32Type();
  Value zero = scalarOf(b, integer, 0), floatDivisor = CastOp::create(b, divisor, float32);
  Value shrink = scalarOf(b, float32, 1 - 0x1p-20);
  auto shrunkQuotient = [&](Value x) -> Value {
    Value quotient = DivideOp::create(b, CastOp::create(b, x, float32), floatDivisor);
    return CastOp::create(b, MultiplyOp::create(b, quotient, shrink), integer);
  };
  auto remainder = [&](Value x, Value quotient) -> Value {
    return SubtractOp::create(b, x, MultiplyOp::create(b, quotient, divisor));
  };
  // -|x|, which does not overflow for any Int32.
  auto minusMagnitude = [&](Value x) -> Value {
    Value positive = MaxOp::create(b, x, zero), negative = MinOp::create(b, x, zero);
    return SubtractOp::create(b, negative, positive);
  };
  Value first = shrunkQuotient(dividend), rest = remainder(dividend, first), second = shrunkQuotient(rest);
  // 1 if the magnitude of the last remainder is at least that of the divisor, else 0.
  Value minusDivisor = minusMagnitude(divisor), minusRemainder = minusMagnitude(remainder(rest, second));
  Value missing = LessEqualOp::create(b, minusRemainder, minusDivisor);
  Value isNegativeDivisor = LessOp::create(b, divisor, zero), isNegative = LessOp::create(b, dividend, zero);
  Value differ = NotEqualOp::create(b, isNegative, isNegativeDivisor);
  // -1 if the signs of dividend and divisor differ, else 1.
  Value twice = AddOp::create(b, differ, differ), sign = SubtractOp::create(b, scalarOf(b, integer, 1), twice);
  Value sum = AddOp::create(b, first, second);
  return AddOp::create(b, sum, MultiplyOp::create(b, sign, missing));
}

// The argument of the function whose elements are the indices of `op`, maybe reshaped. Null if they are computed, and
// for an empty axis: it has no valid index, so that noteIndexRange() has no range to record, and lowerIndex() may not
// divide by its size.
static BlockArgument indexArgument(WrapIndexOp op) {
  Value value = op.getIndices();
  while (isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return op.getSize() > 0 ? dyn_cast<BlockArgument>(value) : BlockArgument();
}

// Records the range of the indices of `op` in an attribute of the argument that has them, as [lowest, highest]. They
// may be negative. If the argument has indices of several axes, the shortest axis counts.
static void noteIndexRange(WrapIndexOp op) {
  BlockArgument argument = indexArgument(op);
  if (!argument)
    return;
  auto func = op->getParentOfType<func::FuncOp>();
  unsigned number = argument.getArgNumber();
  int64_t size = op.getSize();
  if (auto known = func.getArgAttrOfType<DenseI64ArrayAttr>(number, kIndexRangeAttr))
    size = std::min(size, known[1] + 1);
  func.setArgAttr(number, kIndexRangeAttr, DenseI64ArrayAttr::get(func.getContext(), {-size, size - 1}));
}

// The indices from 0 to size - 1 for indices of which negative ones are counted from the end.
//
// The indices of an argument are checked before the program runs (noteIndexRange). For them a single call is
// sufficient: the remainder of index / size, which has the sign of the size. Other indices are not checked, and a
// remainder would make an invalid index valid. Therefore the size is added to those that are negative.
//
// `ranges` assumes that no earlier op overflows. If one does, ONNX does not define its result, so that any index is
// correct.
static Value lowerIndex(WrapIndexOp op, const IntegerRanges &ranges) {
  Value index = op.getIndices();
  if (ranges.of(index).low >= 0)
    return index;
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), op);
  Type element = tensorType(index).getElementType();
  auto size = static_cast<double>(op.getSize());
  if (indexArgument(op))
    return RemainderOp::create(b, index, scalarOf(b, element, size));
  Value negative = CastOp::create(b, LessOp::create(b, index, scalarOf(b, element, 0)), b.getI1Type());
  // Adds `size` or 0, instead of selecting a sum, which could overflow for a large index that is not negative.
  Value zero = scalarOf(b, element, 0), added = WhereOp::create(b, negative, scalarOf(b, element, size), zero);
  return AddOp::create(b, index, added);
}

// How many operands of `op` are integers beyond 2^53, whose bounds are rounded, because an Interval has doubles. Only
// constants of 64 bits may be so large.
static int64_t countRoundedOperands(Operation *op, const IntegerRanges &ranges) {
  return llvm::count_if(op->getOperands(), [&](Value operand) {
    return isa<IntegerType>(getElementTypeOrSelf(operand)) &&
           !Interval{1 - 0x1p53, 0x1p53 - 1}.contains(ranges.of(operand));
  });
}

// The operand that `op`, a maximum, minimum or selection, gives according to the ranges of its operands; null if none.
// This removes bounds beyond Int32, such as the limits of int64 in a Clip.
static Value chosenOperand(Operation *op, const IntegerRanges &ranges) {
  if (!isa<MaxOp, MinOp, WhereOp>(op))
    return {};
  if (auto where = dyn_cast<WhereOp>(op)) {
    // The range of a condition of floats leaves out NaN, which counts as true.
    Interval condition = ranges.of(where.getCondition());
    bool isKnown = condition.isNumber() && isa<IntegerType>(tensorType(where.getCondition()).getElementType());
    return !isKnown ? Value() : condition.low != 0 ? where.getX() : where.getY();
  }
  auto isChosen = [&](Value one, Value other) {
    return isa<MaxOp>(op) ? ranges.of(one).low >= ranges.of(other).high : ranges.of(one).high <= ranges.of(other).low;
  };
  Value a = op->getOperand(0), b = op->getOperand(1);
  return isChosen(a, b) ? a : isChosen(b, a) ? b : Value();
}

// A new constant, or an operand, that is equal to the result of an integer op according to the ranges of its operands;
// null if there is none.
static Value knownResult(Operation *op, const IntegerRanges &ranges) {
  // A range that assumes that no op before overflows is not used: the rewrite could remove the overflow, which would
  // not be reported.
  Value result = op->getResult(0);
  auto tensor = dyn_cast<RankedTensorType>(result.getType());
  if (!tensor || !isa<IntegerType>(tensor.getElementType()) || op->hasTrait<OpTrait::ConstantLike>() ||
      ranges.isAssumed(result))
    return {};
  // If only one operand is beyond 2^53, its rounded bounds remain above or below those of the other operand, so that
  // comparisons are right.
  bool compares = isa<EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp, LessOp, LessEqualOp, MaxOp, MinOp, WhereOp>(op);
  if (countRoundedOperands(op, ranges) > (compares ? 1 : 0))
    return {};
  Interval found = ranges.of(result);
  // An op without operands, such as a scalar constant, is no computation that a constant would replace.
  if (found.isNumber() && op->getNumOperands() != 0) {
    OpBuilder builder(op);
    return ConstantOp::create(builder, withoutTrace(op->getLoc()), splatAttr(tensor, found.low));
  }
  Value chosen = chosenOperand(op, ranges);
  return chosen && chosen.getType() == result.getType() ? chosen : Value();
}

// The value that replaces the result of `op`; null if the op is not lowered.
static Value replacementOf(Operation *op, const IntegerRanges &ranges) {
  auto index = dyn_cast<WrapIndexOp>(op);
  // An axis of size 1 has a known result, 0, but the indices may be others, which are invalid. Those of an argument are
  // checked before the program runs (noteIndexRange), and computed ones when they are used.
  bool mayBeInvalid =
      index && !indexArgument(index) &&
      !Interval{-double(index.getSize()), double(index.getSize()) - 1}.contains(ranges.of(index.getIndices()));
  if (Value known = mayBeInvalid ? Value() : knownResult(op, ranges))
    return known;
  if (auto quotient = dyn_cast<QuotientOp>(op))
    return lowerQuotient(quotient);
  return index ? lowerIndex(index, ranges) : Value();
}

namespace {
struct ForgeLowerIntegersPass : forge::impl::ForgeLowerIntegersPassBase<ForgeLowerIntegersPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func) || func.isExternal())
      return;
    auto &ranges = getAnalysis<IntegerRanges>();
    ReplacedOps replaced;
    func.walk([&](Operation *op) {
      if (auto index = dyn_cast<WrapIndexOp>(op))
        noteIndexRange(index);
      Value lowered = op->getNumResults() == 1 ? replacementOf(op, ranges) : Value();
      if (!lowered)
        return;
      ranges.replace(op->getResult(0), lowered);
      takeTrace(lowered, op->getResult(0));
      replaced.replace(op, lowered);
    });
  }
};
} // namespace
