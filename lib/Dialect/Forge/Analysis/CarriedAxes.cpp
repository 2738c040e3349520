//===- CarriedAxes.cpp - axes along which ops commute with slicing --------===//

#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

int64_t forge::sizeAlong(Value value, int64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return axis + static_cast<int64_t>(shape.size()) < 0 ? 1 : shape[shape.size() + axis];
}

bool forge::broadcastsOperands(Operation *op) { return isElementwise(op) || isa<MatmulOp>(op); }

// The `dim` with which an op works along the same axis if its operand gets a new leading one: a negative one, which
// stays the same, except for reductions, for which some axes of more than 4 have no `dim` (reductionDim).
static std::optional<int64_t> dimWithLeadingAxis(AxisOpInterface op) {
  int64_t axis = op.getWorkAxis(), rank = tensorType(op->getOperand(0)).getRank();
  if (isa<ReduceSumOp, ReduceAvgOp, ReduceMaxOp>(op))
    return reductionDim(axis + 1, rank + 1);
  return axis - rank;
}

void forge::addLeadingAxis(Operation *op) {
  if (auto own = dyn_cast<AxisOpInterface>(op))
    own.setWorkAxis(*dimWithLeadingAxis(own));
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    auto [dim0, dim1] = swapOf(transpose);
    transpose.setDim0(dim0 - transpose.getType().getRank());
    transpose.setDim1(dim1 - transpose.getType().getRank());
  }
}

// The axes of `to`, a reshape of `from`, that correspond to `axis` of `from`: those whose leading axes have as many
// elements together. The sizes may differ: axis -1 of [4, 6] is axis -2 of [4, 2, 3], and slices of 3 elements become
// slices of 1. There are several if axes of size 1 precede the axis: -2 and -1 of [4, 1, 6].
static AxisChoices reshapedAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t axis) {
  int64_t at = static_cast<int64_t>(from.size()) + axis, before = ShapedType::getNumElements(from.take_front(at));
  AxisChoices found;
  for (int64_t i = 0, rank = to.size(), own = 1; i < rank; own *= to[i++])
    if (own == before)
      found.push_back(i - rank);
  return found;
}

// The axes of a product [..., R, K] x [..., K, C] + bias: rows of the result are those of the left operand, columns
// those of the right operand and of the bias, and batch axes are those of all operands.
static AxisChoices operandAxes(MatmulOp op, unsigned number, int64_t axis) {
  if (tensorType(op.getOperandA()).getRank() < 2 || tensorType(op.getOperandB()).getRank() < 2)
    return {};
  if (isNewAxis(op, axis))
    return {newAxis(op->getOperand(number))};
  bool isSame = (axis == -1 && number == 0) || (axis == -2 && number == 1);
  return {isSame ? kSameForAll : axis};
}

// Of a convolution without groups, the output channels: they are the leading axis of the filters [out, in, H, W], and
// the trailing axis of the bias.
static AxisChoices operandAxes(Conv2dOp op, unsigned number, int64_t axis) {
  if (op.getGroups() != 1 || axis != (op.getChannelLast() ? -1 : -3))
    return {};
  return {number == 0 ? kSameForAll : number == 1 ? -4 : -1};
}

AxisChoices forge::operandAxes(Operation *op, unsigned number, int64_t axis) {
  Value operand = op->getOperand(number), result = op->getResult(0);
  if (auto product = dyn_cast<MatmulOp>(op))
    return ::operandAxes(product, number, axis);
  if (auto convolution = dyn_cast<Conv2dOp>(op))
    return ::operandAxes(convolution, number, axis);
  int64_t rank = tensorType(result).getRank();
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return isNewAxis(result, axis) || repeat.getRepeats()[rank + axis] != 1 ? AxisChoices() : AxisChoices{axis};
  if (auto pool = dyn_cast<AvgPool2dOp>(op))
    return axis == (pool.getChannelLast() ? -1 : -3) ? AxisChoices{axis} : AxisChoices();
  auto own = dyn_cast<AxisOpInterface>(op);
  if (own && (!own.keepsAxis() || own.getWorkAxis() - rank == axis))
    return {};
  if (!own && !isElementwise(op) && !isa<TransposeOp, ReshapeOp>(op))
    return {};
  if (isNewAxis(result, axis))
    return own && !dimWithLeadingAxis(own) ? AxisChoices() : AxisChoices{newAxis(operand)};
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return {transposedAxis(transpose, rank + axis) - rank};
  return isa<ReshapeOp>(op) ? reshapedAxes(shapeOf(result), shapeOf(operand), axis) : AxisChoices{axis};
}

AxisChoices forge::resultAxes(Operation *op, unsigned number, int64_t axis) {
  if (op->getNumResults() != 1)
    return {};
  Value operand = op->getOperand(number), result = op->getResult(0);
  AxisChoices found{axis};
  int64_t rank = tensorType(result).getRank();
  if (isNewAxis(operand, axis))
    found = {newAxis(result)};
  else if (auto transpose = dyn_cast<TransposeOp>(op))
    found = {transposedAxis(transpose, rank + axis) - rank};
  else if (isa<ReshapeOp>(op))
    found = reshapedAxes(shapeOf(operand), shapeOf(result), axis);
  // Only an op that commutes with slicing along the axis of its result (operandAxes) does so along that of the operand.
  llvm::erase_if(found, [&](int64_t each) {
    return (rank + each < 0 && !isNewAxis(result, each)) || !llvm::is_contained(operandAxes(op, number, each), axis);
  });
  return found;
}

std::optional<int64_t> forge::pairedAxis(OpOperand &use, int64_t axis, bool toResult) {
  Operation *op = use.getOwner();
  if (isa<IndexOp, ConcatenateOp>(op) && cast<AxisOpInterface>(op).getWorkAxis() == axis)
    return axis;
  int64_t ofOperand = tensorType(use.get()).getRank(), ofResult = tensorType(op->getResult(0)).getRank();
  unsigned number = use.getOperandNumber();
  AxisChoices found = toResult ? resultAxes(op, number, axis - ofOperand) : operandAxes(op, number, axis - ofResult);
  int64_t rank = toResult ? ofResult : ofOperand;
  // If a reshape has axes of size 1 next to the axis, choose the one with the size of the axis.
  Value from = toResult ? use.get() : op->getResult(0), to = toResult ? op->getResult(0) : use.get();
  if (found.size() > 1)
    llvm::erase_if(found, [&](int64_t each) { return sizeAlong(to, each) != shapeOf(from)[axis]; });
  if (found.size() != 1 || found[0] == kSameForAll || found[0] + rank < 0)
    return std::nullopt;
  return found[0] + rank;
}
