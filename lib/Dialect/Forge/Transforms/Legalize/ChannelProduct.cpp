//===- ChannelProduct.cpp - convolutions that are a number per channel ----===//

#include "Legalize/ChannelProduct.h"

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
  auto castTo = [&](Value value, Type to) -> Value {
    return tensorType(value).getElementType() == to ? value : CastOp::create(b, value, to).getResult();
  };
  auto perChannel = [&](Value value) -> Value {
    value = castTo(value, wide);
    return shapeOf(value) == ArrayRef(shape) ? value : ReshapeOp::create(b, value, shape).getResult();
  };
  Value result = MultiplyOp::create(b, castTo(op.getActivations(), wide), perChannel(op.getWeights()));
  if (Value bias = op.getBias())
    result = AddOp::create(b, result, perChannel(bias));
  return castTo(result, element);
}
