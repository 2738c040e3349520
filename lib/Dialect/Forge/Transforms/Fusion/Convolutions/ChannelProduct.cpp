//===- ChannelProduct.cpp - convolutions that scale each channel -----------===//

#include "Fusion/Convolutions/ChannelProduct.h"

#include "Casts.h"

using namespace mlir;
using namespace forge;

Value forge::channelProduct(Conv2dOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  ArrayRef<int64_t> filters = shapeOf(op.getWeights());
  auto all = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [value](int64_t each) { return each == value; });
  };
  int64_t channels = op.getGroups();
  if (channels == 1 || filters[0] != channels || !all(filters.drop_front(), 1) || !all(op.getStride(), 1) ||
      !all(op.getPadding(), 0) || type.getNumElements() == 0)
    return {};
  SmallVector<int64_t> shape(4, 1);
  shape[op.getChannelLast() ? 3 : 1] = channels;
  // The 16-bit types round a product and a sum together, as a convolution does.
  Type element = type.getElementType(), wide = op.getBias() && !element.isF64() ? b.getF32Type() : element;
  auto perChannel = [&](Value value) { return reshaped(b, castTo(b, value, wide), shape); };
  Value result = MultiplyOp::create(b, castTo(b, op.getActivations(), wide), perChannel(op.getWeights()));
  if (Value bias = op.getBias())
    result = AddOp::create(b, result, perChannel(bias));
  return castTo(b, result, element);
}
