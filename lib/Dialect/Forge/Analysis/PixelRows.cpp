//===- PixelRows.cpp - images as rows of pixels ---------------------------===//

#include "forge/Dialect/Forge/Analysis/PixelRows.h"

using namespace mlir;
using namespace forge;

std::optional<bool> forge::channelsLast(Operation *op) {
  auto last = op ? dyn_cast_or_null<BoolAttr>(op->getInherentAttr("channel_last").value_or(Attribute())) : BoolAttr();
  return last ? std::optional(last.getValue()) : std::nullopt;
}

bool forge::isOnPixelRows(Operation *op) {
  return isa_and_nonnull<Conv2dOp, Conv2dTransposeOp, MaxPool2dOp, AvgPool2dOp>(op) && channelsLast(op) == true;
}

bool forge::isReshapeOfRows(Operation *op, Value image) {
  // The device writes a token into a cache as rows of heads.
  if (auto write = dyn_cast_or_null<UpdateCacheOp>(op))
    return write->getOperand(1) == image;
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  if (!reshape || tensorType(image).getRank() != 4)
    return false;
  Value other = reshape.getResult() == image ? reshape.getOperandA() : Value(reshape.getResult());
  Shape rows = pixelRows(shapeOf(image));
  return shapeOf(other) == ArrayRef(rows) || shapeOf(other) == ArrayRef<int64_t>({rows[0], rows[2], rows[3]});
}

ReduceAvgOp forge::outerSpatialMean(Operation *op) {
  auto inner = dyn_cast<ReduceAvgOp>(op);
  auto outer = inner && inner->hasOneUse() ? dyn_cast<ReduceAvgOp>(*inner->user_begin()) : ReduceAvgOp();
  bool isMean =
      outer && inner.getType().getRank() == 4 && inner.getKeepDim() && outer.getKeepDim() &&
      std::minmax({fromFront(inner.getDim(), 4), fromFront(outer.getDim(), 4)}) == std::pair<int64_t, int64_t>(1, 2);
  return isMean ? outer : ReduceAvgOp();
}
