//===- LowerIntegers.cpp - lowers integer quotients and indices -----------===//

#include "DeadOps.h"
#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGELOWERINTEGERSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
// Builds the ops that replace one op. The last of them gets its trace.
struct Steps {
  OpBuilder builder;
  Location loc;

  template <typename OpTy>
  Value make(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }
  Value cast(Value value, Type element) { return CastOp::create(builder, loc, value, element); }
  Value number(Type element, double value) {
    return ConstantOp::create(builder, loc, splatAttr(RankedTensorType::get({}, element), value));
  }
};
} // namespace

// Divides Int32 values in Float32, which has 24 bits, in two steps:
//
//     first = int(a / b), second = int((a - first * b) / b), a / b = first + second + (1, -1 or 0)
//
// The first quotient has the upper bits, and the second one the lower bits. Both are multiplied by a number just below
// 1, so that neither they nor their products with b overflow. The last remainder is therefore less than 2 |b|: if it is
// at least |b|, the quotient is one step larger in magnitude.
static Value lowerQuotient(QuotientOp op) {
  Steps s{OpBuilder(op), withoutTrace(op.getLoc())};
  Value a = op.getOperandA(), b = op.getOperandB();
  Type integer = tensorType(a).getElementType(), real = Float32Type::get(op.getContext());
  Value zero = s.number(integer, 0), divisor = s.cast(b, real), shrink = s.number(real, 1 - 0x1p-20);
  auto part = [&](Value dividend) {
    Value exact = s.make<DivideOp>(s.cast(dividend, real), divisor);
    return s.cast(s.make<MultiplyOp>(exact, shrink), integer);
  };
  auto without = [&](Value dividend, Value times) {
    return s.make<SubtractOp>(dividend, s.make<MultiplyOp>(times, b));
  };
  // -|x|, which does not overflow for any Int32.
  auto magnitude = [&](Value x) { return s.make<SubtractOp>(s.make<MinOp>(x, zero), s.make<MaxOp>(x, zero)); };
  Value first = part(a), rest = without(a, first), second = part(rest);
  Value missing = s.make<LessEqualOp>(magnitude(without(rest, second)), magnitude(b));
  Value differ = s.make<NotEqualOp>(s.make<LessOp>(a, zero), s.make<LessOp>(b, zero));
  Value sign = s.make<SubtractOp>(s.number(integer, 1), s.make<AddOp>(differ, differ));
  Value found = s.make<AddOp>(first, second);
  return s.make<AddOp>(found, s.make<MultiplyOp>(sign, missing));
}

// The argument of the function that `value` is, maybe after reshapes; null if it is none.
static BlockArgument reshapedArgument(Value value) {
  while (isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

// Records in an attribute that `argument` contains indices of an axis of `size` elements, which may be negative.
static void noteIndices(func::FuncOp func, BlockArgument argument, int64_t size) {
  unsigned number = argument.getArgNumber();
  if (auto known = func.getArgAttrOfType<DenseI64ArrayAttr>(number, kIndexRangeAttr))
    size = std::min(size, known[1] + 1);
  func.setArgAttr(number, kIndexRangeAttr, DenseI64ArrayAttr::get(func.getContext(), {-size, size - 1}));
}

// Wraps indices that may be negative. Those of an argument are checked before the program runs, so that the remainder
// is used. For other indices a Where adds the size, because the remainder would hide invalid indices.
static Value lowerIndex(WrapIndexOp op, const IntegerRanges &ranges) {
  Value index = op.getIndices();
  BlockArgument argument = op.getSize() > 0 ? reshapedArgument(index) : BlockArgument();
  if (argument)
    noteIndices(op->getParentOfType<func::FuncOp>(), argument, op.getSize());
  if (ranges.of(index).low >= 0)
    return index;
  Steps s{OpBuilder(op), withoutTrace(op.getLoc())};
  Type element = tensorType(index).getElementType();
  if (argument)
    return s.make<RemainderOp>(index, s.number(element, static_cast<double>(op.getSize())));
  Value negative = s.cast(s.make<LessOp>(index, s.number(element, 0)), IntegerType::get(op.getContext(), 1));
  // Adds a selected number instead of selecting a sum, which could overflow for a large index that is not negative.
  Value added = WhereOp::create(s.builder, s.loc, negative, s.number(element, static_cast<double>(op.getSize())),
                                s.number(element, 0));
  return s.make<AddOp>(index, added);
}

// A constant or operand that is equal to the result of an integer op, by the ranges of its operands; null if there is
// none. This removes bounds beyond Int32, such as the limits of int64 in a Clip.
static Value decided(Operation *op, const IntegerRanges &ranges) {
  Value result = op->getResult(0);
  auto tensor = dyn_cast<RankedTensorType>(result.getType());
  if (!tensor || !isa<IntegerType>(tensor.getElementType()) || op->hasTrait<OpTrait::ConstantLike>() ||
      ranges.isAssumed(result))
    return {};
  Interval found = ranges.of(result);
  if (found.isNumber() && op->getNumOperands() != 0) {
    OpBuilder builder(op);
    return ConstantOp::create(builder, withoutTrace(op->getLoc()), splatAttr(tensor, found.low));
  }
  auto chosen = [&]() -> Value {
    if (op->getNumOperands() < 2)
      return {};
    Interval a = ranges.of(op->getOperand(0)), b = ranges.of(op->getOperand(1));
    if (isa<MaxOp>(op))
      return a.low >= b.high ? op->getOperand(0) : b.low >= a.high ? op->getOperand(1) : Value();
    if (isa<MinOp>(op))
      return a.high <= b.low ? op->getOperand(0) : b.high <= a.low ? op->getOperand(1) : Value();
    if (auto where = dyn_cast<WhereOp>(op); where && a.isNumber())
      return a.low != 0 ? where.getX() : where.getY();
    return {};
  }();
  return chosen && chosen.getType() == result.getType() ? chosen : Value();
}

// The value that replaces the result of `op`; null if the op is not lowered.
static Value lower(Operation *op, const IntegerRanges &ranges) {
  if (Value known = decided(op, ranges))
    return known;
  if (auto quotient = dyn_cast<QuotientOp>(op))
    return lowerQuotient(quotient);
  auto index = dyn_cast<WrapIndexOp>(op);
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
      Value lowered = op->getNumResults() == 1 ? lower(op, ranges) : Value();
      if (!lowered)
        return;
      ranges.replace(op->getResult(0), lowered);
      takeTrace(lowered, op->getResult(0));
      replaced.replace(op, lowered);
    });
  }
};
} // namespace
