//===- PoolOps.cpp - pooling ----------------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

// The type of a pool whose padding is [left, right, top, bottom]. `fits` is the constraint that windows fit.
template <typename Adaptor>
static InferredType inferPool2d(Adaptor op, const Inference &infer, StringRef fits) {
  ArrayRef<int64_t> kernel = op.getKernelSize(), stride = op.getStride(), padding = op.getPadding();
  if (failed(infer.floatingPoint(op.getActivations())) || failed(infer.rank("activations", op.getActivations(), 4)) ||
      failed(infer.list("kernel_size", kernel, 2, 1)) || failed(infer.list("stride", stride, 2, 1)) ||
      failed(infer.list("padding", padding, 4, 0)))
    return failure();
  if (padding[0] != padding[1] || padding[2] != padding[3])
    return infer.error("(C3) expected symmetric 'padding' [left, right, top, bottom], but got [", padding, "]");
  RankedTensorType type = tensorType(op.getActivations());
  SmallVector<int64_t> shape(type.getShape());
  int64_t height = op.getChannelLast() ? 1 : 2;
  for (int64_t i : {0, 1}) {
    int64_t size = shape[height + i], before = padding[i == 0 ? 2 : 0];
    auto count = infer.window(size, 2 * before, kernel[i], stride[i], /*dilation=*/1, op.getCeilMode(), fits);
    if (failed(count))
      return failure();
    // Forge's shape rule counts a window outside of the input, which torch drops.
    if (op.getCeilMode() && (*count - 1) * stride[i] >= size + before)
      return infer.error(fits, " expected every window of 'ceil_mode' to start inside the input, but got ", *count,
                         " windows of stride ", stride[i], " on size ", size);
    shape[height + i] = *count;
  }
  return type.clone(shape);
}

InferredType MaxPool1dOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getActivations());
  if (type.getRank() < 3)
    return infer.error("(C1) expected rank 3 or more, but got ", type);
  if (op.getDilation() != 1 || op.getCeilMode() || op.getReturnIndices() || op.getKernelSize() < 1 ||
      op.getStride() < 1 || op.getPadding() < 0)
    return infer.error("(C2) expected dilation 1, no ceil_mode, no return_indices, positive sizes");
  auto width =
      infer.window(type.getShape().back(), 2 * op.getPadding(), op.getKernelSize(), op.getStride(), 1, false, "(C3)");
  if (failed(width))
    return failure();
  return withDim(op.getActivations(), type.getRank() - 1, *width);
}

InferredType MaxPool2dOp::inferType(Adaptor op, const Inference &infer) {
  if (op.getDilation() != 1 || op.getReturnIndices())
    return infer.error("(C4) expected dilation 1 and no return_indices");
  return inferPool2d(op, infer, "(C5)");
}

InferredType AvgPool1dOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getActivations());
  if (failed(infer.floatingPoint(op.getActivations())))
    return failure();
  if (type.getRank() != 3)
    return infer.error("(C1) expected rank 3, but got ", type);
  if (op.getKernelSize() != type.getShape().back())
    return infer.error("(C2) expected a window over the whole last axis, but got ", op.getKernelSize(), " on ", type);
  if (op.getPadding() != 0 || op.getCeilMode() || op.getStride() < 1)
    return infer.error("(C3) expected no padding, no ceil_mode and a positive stride");
  return withDim(op.getActivations(), type.getRank() - 1, 1);
}

InferredType AvgPool2dOp::inferType(Adaptor op, const Inference &infer) {
  InferredType type = inferPool2d(op, infer, "(C4)");
  if (failed(type))
    return failure();
  ArrayRef<int64_t> padding = op.getPadding();
  if (padding[0] != padding[2])
    return infer.error("(C3) expected four equal pads, but got [", padding, "]");
  if (2 * padding[0] > std::min(op.getKernelSize()[0], op.getKernelSize()[1]))
    return infer.error("(C5) expected pads of at most half the window, but got [", padding, "] for [",
                       op.getKernelSize(), "]");
  return type;
}
