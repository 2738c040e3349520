//===- ShuffleRows.cpp - channel shuffles of rows, not of columns ---------===//

#include "Layout/ShuffleRows.h"

#include "Fusion/Scaling.h"
#include "Layout/BlockMoves.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

std::optional<ShuffleOfColumns> ShuffleOfColumns::of(ReshapeOp merge) {
  Operation *transpose = merge.getOperandA().getDefiningOp();
  if (!isMatrixTranspose(transpose) || !transpose->hasOneUse() || isWeight(merge) || merge->use_empty())
    return std::nullopt;
  auto split = transpose->getOperand(0).getDefiningOp<ReshapeOp>();
  if (!split || !split->hasOneUse() || merge.getType().getNumElements() == 0)
    return std::nullopt;
  ArrayRef<int64_t> columns = shapeOf(split.getOperandA()), groups = split.getShape();
  bool splitsColumns = !columns.empty() && groups.size() == columns.size() + 1 &&
                       groups.drop_back(2) == columns.drop_back() && shapeOf(merge.getResult()) == columns;
  return splitsColumns ? std::optional(ShuffleOfColumns{split, cast<TransposeOp>(transpose), merge}) : std::nullopt;
}

RankedTensorType ShuffleOfColumns::pixels() {
  RankedTensorType type = merge.getType();
  return type.clone({1, 1, type.getNumElements() / type.getShape().back(), type.getShape().back()});
}

RankedTensorType ShuffleOfColumns::groups() {
  ArrayRef<int64_t> shape = split.getShape();
  return merge.getType().clone({1, shape.end()[-2], shape.end()[-1], pixels().getDimSize(2)});
}

RankedTensorType ShuffleOfColumns::shuffled() {
  ArrayRef<int64_t> shape = groups().getShape();
  return groups().clone({1, shape[2], shape[1], shape[3]});
}

// Whether the device has `value` as rows of pixels: a convolution or pool computes it, maybe with functions after it.
static bool isInPixels(Value value) {
  Operation *producer = value.getDefiningOp();
  while (producer && isElementwise(producer) && producer->getNumOperands() == 1)
    producer = producer->getOperand(0).getDefiningOp();
  return isOnPixelRows(producer);
}

// The kernels of the rewritten shuffle: a reshape to pixels() unless the operand has these rows already, a transpose,
// the exchange of G and C in blocks (BlockMoves.h), a transpose back, and a reshape unless the users read such rows.
bool ShuffleOfColumns::isFasterByRows() {
  OpCost before, after;
  for (Operation *op : {split.getOperation(), transpose.getOperation(), merge.getOperation()})
    before.time = addCounts(before.time, timeOf(op));
  RankedTensorType rows = transposedType(pixels());
  if (!isInPixels(split.getOperandA()))
    after.addMove(tensorType(split.getOperandA()), pixels());
  after.addMove(pixels(), rows);
  IndexMap exchange(rows.getShape());
  bool isMap =
      exchange.reshape(groups().getShape()) && exchange.permute({0, 2, 1, 3}) && exchange.reshape(rows.getShape());
  std::optional<BlockSteps> blocks = isMap ? BlockSteps::of(exchange, rows) : std::nullopt;
  if (!blocks)
    return false;
  after.time = addCounts(after.time, blocks->time);
  after.addMove(rows, pixels());
  if (!llvm::all_of(merge->getUsers(), isOnPixelRows))
    after.addMove(pixels(), merge.getType());
  return pays(before, after);
}

void ShuffleOfColumns::rewrite() {
  ImplicitLocOpBuilder b(withoutTrace(merge.getLoc()), merge);
  Value value = reshaped(b, b.getLoc(), split.getOperandA(), pixels().getShape());
  value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
  value = reshaped(b, b.getLoc(), value, groups().getShape());
  value = TransposeOp::create(b, value, int64_t(-3), int64_t(-2));
  value = reshaped(b, b.getLoc(), value, transposedType(pixels()).getShape());
  value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
  value = reshaped(b, b.getLoc(), value, merge.getShape());
  value.getDefiningOp()->setLoc(merge.getLoc());
  merge.getResult().replaceAllUsesWith(value);
}
