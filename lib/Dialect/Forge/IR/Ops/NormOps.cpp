//===- NormOps.cpp - normalisation ----------------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

template <typename Adaptor>
static InferredType inferSoftmax(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.floatingPoint(op.getOperandA())) || failed(infer.axis("dim", op.getDim(), type.getRank(), "(C2)")))
    return failure();
  return type;
}

InferredType SoftmaxOp::inferType(Adaptor op, const Inference &infer) { return inferSoftmax(op, infer); }
InferredType LogSoftmaxOp::inferType(Adaptor op, const Inference &infer) { return inferSoftmax(op, infer); }

InferredType LayernormOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.floatingPoint(op.getOperandA())) || failed(infer.oneElementType(op.getOperands())))
    return failure();
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank(), "(C2)");
  if (failed(dim))
    return failure();
  if (*dim != type.getRank() - 1)
    return infer.error("(C2) expected 'dim' to be the last axis, but got ", op.getDim());
  for (Value scale : {op.getWeights(), op.getBias()}) {
    RankedTensorType scaleType = tensorType(scale);
    if (scaleType.getRank() == 0 || scaleType.getShape().back() != type.getShape().back() ||
        scaleType.getNumElements() != type.getShape().back())
      return infer.error("(C3) expected ", type.getShape().back(), " elements in the last axis, but got ", scaleType);
  }
  return type;
}

InferredType BatchnormOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.floatingPoint(op.getOperandA())) || failed(infer.oneElementType(op.getOperands())))
    return failure();
  if (type.getRank() < 2)
    return infer.error("(C1) expected rank 2 or more, but got ", type);
  for (Value statistic : op.getOperands().drop_front())
    if (shapeOf(statistic) != ArrayRef{type.getDimSize(1)})
      return infer.error("(C2) expected shape [", type.getDimSize(1), "], but got ", statistic.getType());
  return type;
}
