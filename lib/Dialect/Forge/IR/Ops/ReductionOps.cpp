//===- ReductionOps.cpp - reductions --------------------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"

#include <cmath>

using namespace mlir;
using namespace forge;

InferredType ArgmaxOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  Type index = IntegerType::get(type.getContext(), 32);
  SmallVector<int64_t> shape(type.getShape());
  if (!op.getDim()) {
    shape.assign(op.getKeepDim() ? type.getRank() : 0, 1);
    return infer.ofElements(op.getOperandA(), RankedTensorType::get(shape, index), "(C2)");
  }
  FailureOr<int64_t> dim = infer.axis("dim", *op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (op.getKeepDim())
    shape[*dim] = 1;
  else
    shape.erase(shape.begin() + *dim);
  return infer.ofElements(op.getOperandA(), RankedTensorType::get(shape, index), "(C2)");
}

InferredType CumSumOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.axis("dim", op.getDim(), type.getRank())))
    return failure();
  return type;
}

// Calls `visit` for each row of elements along `dim`: with the numbers of its first element and after its last one, and
// the step between them.
static void forEachRow(const HostTensor &tensor, int64_t dim,
                       llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
  int64_t axis = fromFront(dim, tensor.type.getRank()), size = tensor.shape()[axis];
  int64_t step = ShapedType::getNumElements(tensor.shape().drop_front(axis + 1));
  for (int64_t first = 0; first < tensor.type.getNumElements(); ++first)
    if (first / step % size == 0)
      visit(first, first + size * step, step);
}

// Reduces the elements along `dim` by `onFloat` or `onInt`, starting with the first one; empty if there is none.
template <typename OnFloat, typename OnInt>
static HostTensors foldAxis(Value reduced, int64_t dim, const HostTensor &operand, OnFloat onFloat, OnInt onInt) {
  if (operand.type.getNumElements() == 0)
    return {};
  HostTensor result{tensorType(reduced), {}, {}};
  forEachRow(operand, dim, [&](int64_t first, int64_t end, int64_t step) {
    result.append(operand, first);
    for (int64_t i = first + step; i < end; i += step)
      if (operand.isFloat())
        result.floats.back() = onFloat(result.floats.back(), operand.floats[i]);
      else
        result.ints.back() = onInt(result.ints.back(), operand.ints[i]);
  });
  return {result};
}

HostTensors ReduceSumOp::evaluate(Operands operands) {
  return foldAxis(getResult(), getDim(), operands[0], std::plus<>(), wrapping(std::plus<>()));
}

HostTensors CumSumOp::evaluate(Operands operands) {
  HostTensor sums = operands[0];
  if (sums.type.getNumElements() == 0)
    return {};
  forEachRow(sums, getDim(), [&](int64_t first, int64_t end, int64_t step) {
    for (int64_t i = first + step; i < end; i += step)
      if (sums.isFloat())
        sums.floats[i] += sums.floats[i - step];
      else
        sums.ints[i] = wrapping(std::plus<>())(sums.ints[i], sums.ints[i - step]);
  });
  return {sums};
}

// Empty for integers.
HostTensors ReduceAvgOp::evaluate(Operands operands) {
  if (!operands[0].isFloat())
    return {};
  HostTensors sums = foldAxis(getResult(), getDim(), operands[0], std::plus<>(), wrapping(std::plus<>()));
  auto count = static_cast<double>(operands[0].shape()[fromFront(getDim(), operands[0].type.getRank())]);
  for (HostTensor &sum : sums)
    for (double &element : sum.floats)
      element /= count;
  return sums;
}

HostTensors ReduceMaxOp::evaluate(Operands operands) {
  auto larger = [](auto a, auto b) { return std::isnan(a) || a > b ? a : b; };
  return foldAxis(getResult(), getDim(), operands[0], larger, larger);
}
