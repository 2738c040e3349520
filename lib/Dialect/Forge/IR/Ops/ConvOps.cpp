//===- ConvOps.cpp - convolutions -----------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

// The bias has `channels` elements, all in its last axis.
static LogicalResult checkBias(Value bias, int64_t channels, const Inference &infer) {
  if (!bias)
    return success();
  RankedTensorType type = tensorType(bias);
  if (type.getRank() == 0 || type.getShape().back() != channels || type.getNumElements() != channels)
    return infer.error("(C4) expected a bias of ", channels, " elements in its last axis, but got ", type);
  return success();
}

// The axes of an activation. The width follows the height.
struct Layout {
  int64_t channel, height;
  explicit Layout(bool channelLast) : channel(channelLast ? 3 : 1), height(channelLast ? 1 : 2) {}
};

template <typename Adaptor>
static LogicalResult checkConvOperands(Adaptor op, const Inference &infer) {
  return success(succeeded(infer.oneElementType(op.getOperands())) &&
                 succeeded(infer.rank("activations", op.getActivations(), 4)) &&
                 succeeded(infer.rank("weights", op.getWeights(), 4)) &&
                 succeeded(infer.list("stride", op.getStride(), 2, 1)) &&
                 succeeded(infer.list("dilation", op.getDilation(), 2, 1)));
}

InferredType Conv2dOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(checkConvOperands(op, infer)) || failed(infer.list("padding", op.getPadding(), 4, 0)))
    return failure();
  RankedTensorType type = tensorType(op.getActivations());
  ArrayRef<int64_t> weights = shapeOf(op.getWeights());
  Layout layout(op.getChannelLast());
  int64_t groups = op.getGroups(), channels = type.getDimSize(layout.channel);
  if (groups < 1 || channels % groups != 0 || weights[0] % groups != 0 || weights[1] != channels / groups)
    return infer.error("(C3) expected weights (Cout, ", channels,
                       "/groups, kH, kW) with groups dividing both, but got ", op.getWeights().getType(),
                       " and groups ", groups);
  if (failed(checkBias(op.getBias(), weights[0], infer)))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape[layout.channel] = weights[0];
  for (int64_t i : {0, 1}) {
    int64_t &size = shape[layout.height + i];
    auto count = infer.window(size, op.getPadding()[i] + op.getPadding()[2 + i], weights[2 + i], op.getStride()[i],
                              op.getDilation()[i], /*ceilMode=*/false, "(C5)");
    if (failed(count))
      return failure();
    size = *count;
  }
  return infer.ofElements(op.getWeights(), type.clone(shape), "(C5)");
}

InferredType Conv2dTransposeOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(checkConvOperands(op, infer)) || failed(infer.list("padding", op.getPadding(), 2, 0)) ||
      failed(infer.list("output_padding", op.getOutputPadding(), 2, 0)))
    return failure();
  RankedTensorType type = tensorType(op.getActivations());
  ArrayRef<int64_t> weights = shapeOf(op.getWeights());
  Layout layout(op.getChannelLast());
  int64_t groups = op.getGroups(), channels = type.getDimSize(layout.channel);
  if (groups < 1 || channels % groups != 0 || weights[0] != channels)
    return infer.error("(C3) expected weights (", channels, ", Cout/groups, kH, kW) with groups dividing ", channels,
                       ", but got ", op.getWeights().getType(), " and groups ", groups);
  if (failed(checkBias(op.getBias(), weights[1] * groups, infer)))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape[layout.channel] = weights[1] * groups;
  for (int64_t i : {0, 1}) {
    if (int64_t most = std::max(op.getStride()[i], op.getDilation()[i]); op.getOutputPadding()[i] >= most)
      return infer.error("(C2) expected an 'output_padding' below the stride or the dilation, ", most, ", but got ",
                         op.getOutputPadding()[i]);
    int64_t &dim = shape[layout.height + i];
    int64_t size = (dim - 1) * op.getStride()[i] - 2 * op.getPadding()[i] + op.getDilation()[i] * (weights[2 + i] - 1) +
                   op.getOutputPadding()[i] + 1;
    if (size < 1)
      return infer.error("(C5) expected a result that is not empty, but got size ", size);
    dim = size;
  }
  return infer.ofElements(op.getOperands(), type.clone(shape), "(C5)");
}
