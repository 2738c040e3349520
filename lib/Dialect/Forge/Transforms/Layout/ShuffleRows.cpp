//===- ShuffleRows.cpp - channel shuffles of rows, not of columns ---------===//

#include "Layout/ShuffleRows.h"

#include "Fusion/Scaling.h"
#include "Layout/BlockMoves.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/Analysis/TrialCopy.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Shuffles of rows
//===----------------------------------------------------------------------===//

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

RankedTensorType ShuffleOfColumns::columnsOfGroups() {
  ArrayRef<int64_t> shape = groups().getShape();
  return groups().clone({1, shape[3], shape[2], shape[1]});
}

// Whether the device has `value` as rows of pixels: a convolution or pool computes it, maybe with functions after it.
static bool isInPixels(Value value) {
  Operation *producer = value.getDefiningOp();
  while (producer && isElementwise(producer) && producer->getNumOperands() == 1)
    producer = producer->getOperand(0).getDefiningOp();
  return isOnPixelRows(producer);
}

std::optional<OpCost> ShuffleOfColumns::costFromRows(Form form) {
  OpCost cost;
  RankedTensorType rows = transposedType(pixels()), groups = this->groups();
  // The reshape to an image is no kernel if its users read pixels.
  RankedTensorType read = llvm::all_of(merge->getUsers(), isOnPixelRows) ? pixels() : merge.getType();
  if (form == Form::RowsToColumns) {
    cost.addMove(rows, groups);
    cost.addMove(groups, columnsOfGroups());
    cost.addMove(columnsOfGroups(), read);
    return cost;
  }
  IndexMap exchange(rows.getShape());
  bool isMap =
      exchange.reshape(groups.getShape()) && exchange.permute({0, 2, 1, 3}) && exchange.reshape(rows.getShape());
  std::optional<BlockSteps> blocks = isMap ? BlockSteps::of(exchange, rows) : std::nullopt;
  if (!blocks)
    return std::nullopt;
  cost.time = blocks->time;
  cost.addMove(rows, pixels());
  if (read != pixels())
    cost.addMove(pixels(), read);
  return cost;
}

std::optional<ShuffleOfColumns::Form> ShuffleOfColumns::fasterForm() {
  OpCost before;
  for (Operation *op : {split.getOperation(), transpose.getOperation(), merge.getOperation()})
    before.time = addCounts(before.time, timeOf(op));
  std::optional<OpCost> byRows = costFromRows(Form::Rows), toColumns = costFromRows(Form::RowsToColumns);
  bool areRowsFaster = byRows && byRows->time <= toColumns->time;
  OpCost after = areRowsFaster ? *byRows : *toColumns;
  if (!isInPixels(split.getOperandA()))
    after.addMove(tensorType(split.getOperandA()), pixels());
  after.addMove(pixels(), transposedType(pixels()));
  if (!pays(before, after))
    return std::nullopt;
  return areRowsFaster ? Form::Rows : Form::RowsToColumns;
}

void ShuffleOfColumns::rewrite(Form form) {
  ImplicitLocOpBuilder b(withoutTrace(merge.getLoc()), merge);
  Value value = reshaped(b, b.getLoc(), split.getOperandA(), pixels().getShape());
  value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
  value = reshaped(b, b.getLoc(), value, groups().getShape());
  if (form == Form::RowsToColumns) {
    value = TransposeOp::create(b, value, int64_t(-3), int64_t(-1));
  } else {
    value = TransposeOp::create(b, value, int64_t(-3), int64_t(-2));
    value = reshaped(b, b.getLoc(), value, transposedType(pixels()).getShape());
    value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
  }
  value = reshaped(b, b.getLoc(), value, merge.getShape());
  value.getDefiningOp()->setLoc(merge.getLoc());
  merge.getResult().replaceAllUsesWith(value);
}

//===----------------------------------------------------------------------===//
// Shuffles of the result of a convolution
//===----------------------------------------------------------------------===//

std::optional<ShuffleBeforeFilters> ShuffleBeforeFilters::of(ReshapeOp merge) {
  auto conv = merge->hasOneUse() ? dyn_cast<Conv2dOp>(*merge->user_begin()) : Conv2dOp();
  std::optional<WeightProduct> product = WeightProduct::of(conv.getOperation());
  if (!product || channelsLast(conv) != true || product->x->get() != merge.getResult() || !product->mayReplaceBias())
    return std::nullopt;
  int64_t channels = merge.getType().getShape().back();
  bool hasFilterPerChannel = product->groups == channels && conv.getType().getShape().back() == channels;
  std::optional<ShuffleOfColumns> shuffle = hasFilterPerChannel ? ShuffleOfColumns::of(merge) : std::nullopt;
  return shuffle ? std::optional(ShuffleBeforeFilters{*shuffle, conv}) : std::nullopt;
}

bool ShuffleBeforeFilters::isFasterAfter() const {
  TrialCopy copy({shuffle.split, shuffle.transpose, shuffle.merge, conv});
  std::optional<ShuffleBeforeFilters> copied = of(cast<ReshapeOp>(copy.of(shuffle.merge)));
  if (!copied)
    return false;
  copied->rewrite();
  return pays(copy.costBefore(), copy.costAfter());
}

// `weight`, whose elements start with an axis of the shuffled channels [C, G], in the order [G, C] of those before.
static Value unshuffled(ImplicitLocOpBuilder &b, Value weight, ArrayRef<int64_t> shuffled) {
  int64_t rest = tensorType(weight).getNumElements() / (shuffled.end()[-2] * shuffled.back());
  Value groups = reshaped(b, b.getLoc(), weight, {shuffled.end()[-2], shuffled.back(), rest});
  return reshaped(b, b.getLoc(), TransposeOp::create(b, groups, int64_t(0), int64_t(1)), shapeOf(weight));
}

void ShuffleBeforeFilters::rewrite() {
  ImplicitLocOpBuilder b(withoutTrace(conv.getLoc()), conv);
  ArrayRef<int64_t> image = conv.getType().getShape(), shuffled = shapeOf(shuffle.transpose.getResult());
  SmallVector<int64_t> apart(image.drop_back());
  llvm::append_range(apart, shuffle.split.getShape().take_back(2));
  conv.getWeightsMutable().assign(unshuffled(b, conv.getWeights(), shuffled));
  if (Value bias = conv.getBias())
    conv.getBiasMutable().assign(unshuffled(b, bias, shuffled));
  conv.getActivationsMutable().assign(shuffle.split.getOperandA());
  b.setInsertionPointAfter(conv);
  Value groups = reshaped(b, b.getLoc(), conv, apart);
  Value exchanged = TransposeOp::create(b, groups, int64_t(-2), int64_t(-1));
  Value merged = reshaped(b, conv.getLoc(), exchanged, image);
  conv->setLoc(withoutTrace(conv.getLoc()));
  conv.getResult().replaceUsesWithIf(merged, [&](OpOperand &use) { return use.getOwner() != groups.getDefiningOp(); });
}
