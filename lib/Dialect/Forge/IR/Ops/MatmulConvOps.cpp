//===- MatmulConvOps.cpp - contractions -----------------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

InferredType MatmulOp::inferType(Adaptor op, const Inference &infer) {
  FailureOr<Type> element = infer.promotedType(op.getOperands());
  if (failed(element))
    return failure();
  SmallVector<int64_t> a(shapeOf(op.getOperandA())), b(shapeOf(op.getOperandB()));
  if (a.empty() || b.empty())
    return infer.error("(C2) expected operands of rank 1 or more, but got ", op.getOperandA().getType(), " and ",
                       op.getOperandB().getType());
  bool vectorA = a.size() == 1, vectorB = b.size() == 1;
  if (vectorA)
    a.insert(a.begin(), 1);
  if (vectorB)
    b.push_back(1);
  if (a.back() != b[b.size() - 2])
    return infer.error("(C3) expected equal contracted sizes, but got ", op.getOperandA().getType(), " and ",
                       op.getOperandB().getType());
  auto shape = infer.broadcastShapes(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2), "(C4)");
  if (failed(shape))
    return failure();
  if (!vectorA)
    shape->push_back(a[a.size() - 2]);
  if (!vectorB)
    shape->push_back(b.back());
  if (Value bias = op.getBias()) {
    auto withBias = infer.broadcastShapes(*shape, shapeOf(bias), "(C5)");
    if (failed(withBias))
      return failure();
    if (*withBias != *shape)
      return infer.error("(C5) expected a bias that broadcasts to [", *shape, "], but got ", bias.getType());
  }
  return RankedTensorType::get(*shape, *element);
}

// Rows and matrices of floats alone: what biases and weights are made of.
HostTensors MatmulOp::evaluate(ArrayRef<HostTensor> operands) {
  const HostTensor &a = operands[0], &b = operands[1];
  if (operands.size() != 2 || !a.isFloat() || a.shape().size() > 2 || b.shape().size() != 2)
    return {};
  int64_t depth = b.shape()[0], columns = b.shape()[1], rows = a.type.getNumElements() / std::max<int64_t>(depth, 1);
  HostTensor result{getType(), {}, {}};
  result.floats.assign(getType().getNumElements(), 0.0);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t column = 0; column < columns; ++column)
        result.floats[row * columns + column] += a.floats[row * depth + k] * b.floats[k * columns + column];
  return {result};
}

// The bias has `channels` elements, all in its last axis.
static LogicalResult checkBias(Value bias, int64_t channels, const Inference &infer) {
  if (!bias)
    return success();
  RankedTensorType type = tensorType(bias);
  if (type.getRank() == 0 || type.getShape().back() != channels || type.getNumElements() != channels)
    return infer.error("(C4) expected a bias of ", channels, " elements in its last axis, but got ", type);
  return success();
}

// Positions of channel, height and width in an activation.
struct Layout {
  int64_t channel, height, width;
  explicit Layout(bool channelLast)
      : channel(channelLast ? 3 : 1), height(channelLast ? 1 : 2), width(channelLast ? 2 : 3) {}
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
  ArrayRef<int64_t> padding = op.getPadding();
  auto height = infer.window(type.getDimSize(layout.height), padding[0] + padding[2], weights[2], op.getStride()[0],
                             op.getDilation()[0], /*ceilMode=*/false, "(C5)");
  auto width = infer.window(type.getDimSize(layout.width), padding[1] + padding[3], weights[3], op.getStride()[1],
                            op.getDilation()[1], /*ceilMode=*/false, "(C5)");
  if (failed(height) || failed(width))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape[layout.channel] = weights[0];
  shape[layout.height] = *height;
  shape[layout.width] = *width;
  return type.clone(shape);
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
    int64_t &dim = shape[i == 0 ? layout.height : layout.width];
    int64_t size = (dim - 1) * op.getStride()[i] - 2 * op.getPadding()[i] + op.getDilation()[i] * (weights[2 + i] - 1) +
                   op.getOutputPadding()[i] + 1;
    if (size < 1)
      return infer.error("(C5) expected a result that is not empty, but got size ", size);
    dim = size;
  }
  return type.clone(shape);
}
