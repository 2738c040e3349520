//===- IntegerRanges.cpp - range analysis of integers ---------------------===//

#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"

using namespace mlir;
using namespace forge;

static IntegerType integerElement(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? dyn_cast<IntegerType>(tensor.getElementType()) : IntegerType();
}

// The part of `held` in `reach`; all of it if they do not meet.
static Interval partOf(Interval held, Interval reach) {
  return reach.low <= held.high && reach.high >= held.low ? held.intersect(reach) : held;
}

// The interval of an argument: that of its type, intersected with the one that the user stated.
static Interval ofArgument(func::FuncOp func, BlockArgument argument) {
  auto integer = integerElement(argument);
  if (!integer)
    return {};
  Interval held = Interval::ofType(integer);
  if (integer.isUnsigned())
    held = held.intersect({0, held.high});
  auto stated = func.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), kRangeAttr);
  if (!stated || stated.size() != 2)
    return held;
  Interval range{static_cast<double>(stated[0]), static_cast<double>(stated[1])};
  // A stated range outside of the type is ignored.
  return range.low <= range.high ? partOf(held, range) : held;
}

IntegerRanges::IntegerRanges(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments())
    intervals[argument] = ofArgument(func, argument);
  for (Operation &op : func.front())
    visit(op);
}

// Whether ONNX does not define the result of `op` either if it is outside of Int32: a cast of a float to an integer of
// at most 32 bits.
static bool isUndefinedOutside(Operation &op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && !integerElement(cast.getOperandA()) && integerElement(cast.getResult()).getWidth() <= 32;
}

void IntegerRanges::visit(Operation &op) {
  auto inferred = dyn_cast<IntervalOpInterface>(op);
  Interval reach;
  if (inferred)
    reach = inferred.inferRange(llvm::map_to_vector(op.getOperands(), [&](Value value) { return of(value); }));
  bool isAssumption = llvm::any_of(op.getOperands(), [&](Value operand) { return isAssumed(operand); });
  // A double rounds bounds beyond 2^53, which only constants of 64 bits have: a sum or product of them may be another
  // number than the range tells, and so may be what is computed from that.
  auto isRounded = [&](Value operand) {
    return integerElement(operand) && !Interval{1 - 0x1p53, 0x1p53 - 1}.contains(of(operand));
  };
  isAssumption |=
      isa<AddOp, SubtractOp, MultiplyOp, QuotientOp, RemainderOp>(op) && llvm::any_of(op.getOperands(), isRounded);
  for (Value result : op.getResults()) {
    auto integer = integerElement(result);
    intervals[result] = reach;
    // Constants cannot overflow. One that does not fit is refused by --forge-legalize-types.
    if (integer && !op.hasTrait<OpTrait::ConstantLike>()) {
      Interval held = Interval::ofType(integer);
      // Narrower integers are computed in Int32 and then truncated, so that all of them may result.
      bool isTruncated = integer.getWidth() < 32 && !held.contains(reach);
      if (!held.contains(reach) && !isTruncated && !isUndefinedOutside(op)) {
        overflows.push_back({&op, reach});
        isAssumption = true;
      }
      intervals[result] = isTruncated ? held : partOf(held, reach);
    }
    if (isAssumption)
      assumed.insert(result);
  }
}

void IntegerRanges::replace(Value value, Value by) {
  intervals.try_emplace(by, of(value));
  if (isAssumed(value))
    assumed.insert(by);
}

SmallVector<BlockArgument> IntegerRanges::sourceArguments(Operation *op) const {
  SetVector<Value> seen;
  SmallVector<BlockArgument> found;
  seen.insert(op->operand_begin(), op->operand_end());
  for (size_t next = 0; next < seen.size(); ++next) { // The loop appends to `seen`.
    Value value = seen[next];
    auto integer = integerElement(value);
    if (!integer || integer.getWidth() == 1)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value))
      found.push_back(argument);
    // A wrapped index is bounded by its axis, and its operands do not matter.
    else if (Operation *producer = value.getDefiningOp(); !isa<WrapIndexOp>(producer))
      seen.insert(producer->operand_begin(), producer->operand_end());
  }
  llvm::sort(found, [](BlockArgument a, BlockArgument b) { return a.getArgNumber() < b.getArgNumber(); });
  return found;
}
