//===- ResizeOps.cpp - resampling -----------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

InferredType Resize1dOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  int64_t width = op.getChannelLast() ? 1 : 2;
  if (failed(infer.floatingPoint(op.getOperandA())))
    return failure();
  if (type.getRank() != 3 || op.getSize() < 1)
    return infer.error("(C1) expected rank 3 and a positive size, but got ", type, " and ", op.getSize());
  if (op.getMode() == Resize1dMode::Linear &&
      (op.getAlignCorners() || op.getSize() % std::max<int64_t>(type.getDimSize(width), 1) != 0))
    return infer.error("(C2) expected linear without align_corners to a multiple of the width, but got ", op.getSize());
  return withDim(op.getOperandA(), width, op.getSize());
}

InferredType Resize2dOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.floatingPoint(op.getOperandA())) || failed(infer.rank("operandA", op.getOperandA(), 4)) ||
      failed(infer.list("sizes", op.getSizes(), 2, 1, "(C1)")))
    return failure();
  int64_t height = op.getChannelLast() ? 1 : 2;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i : {0, 1}) {
    if (op.getMode() == Resize2dMode::Bilinear &&
        (op.getAlignCorners() || op.getSizes()[i] % std::max<int64_t>(shape[height + i], 1) != 0))
      return infer.error("(C2) expected bilinear without align_corners to multiples of the sizes, but got [",
                         op.getSizes(), "] from ", type);
    shape[height + i] = op.getSizes()[i];
  }
  return type.clone(shape);
}

template <typename Adaptor, typename Scale>
static InferredType inferScaled(Adaptor op, const Inference &infer, Scale scale) {
  if (failed(infer.floatingPoint(op.getOperandA())) || failed(infer.rank("operandA", op.getOperandA(), 4)) ||
      failed(infer.list("scale_factor", op.getScaleFactor(), 2, 1, "(C1)")))
    return failure();
  RankedTensorType type = tensorType(op.getOperandA());
  SmallVector<int64_t> shape(type.getShape());
  int64_t height = op.getChannelLast() ? 1 : 2;
  for (int64_t i : {0, 1}) {
    FailureOr<int64_t> size = scale(shape[height + i], op.getScaleFactor()[i]);
    if (failed(size))
      return infer.error("(C1) expected factors that fit ", type, ", but got [", op.getScaleFactor(), "]");
    shape[height + i] = *size;
  }
  return type.clone(shape);
}

InferredType Upsample2dOp::inferType(Adaptor op, const Inference &infer) {
  return inferScaled(op, infer, [](int64_t size, int64_t factor) -> FailureOr<int64_t> {
    int64_t scaled;
    if (llvm::MulOverflow(size, factor, scaled))
      return failure();
    return scaled;
  });
}

InferredType Downsample2dOp::inferType(Adaptor op, const Inference &infer) {
  return inferScaled(op, infer, [](int64_t size, int64_t factor) -> FailureOr<int64_t> {
    if (size % factor != 0)
      return failure();
    return size / factor;
  });
}
