//===- MatmulOps.cpp - matrix products ------------------------------------===//

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

// Only for floats of rank 1 and 2, of which biases and weights are computed.
HostTensors MatmulOp::evaluate(Operands operands) {
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
