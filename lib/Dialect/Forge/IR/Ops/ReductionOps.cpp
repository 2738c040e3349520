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
    return RankedTensorType::get(shape, index);
  }
  FailureOr<int64_t> dim = infer.axis("dim", *op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  if (op.getKeepDim())
    shape[*dim] = 1;
  else
    shape.erase(shape.begin() + *dim);
  return RankedTensorType::get(shape, index);
}

InferredType CumSumOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  if (failed(infer.axis("dim", op.getDim(), type.getRank())))
    return failure();
  return type;
}

// Reduces the elements along `dim` by `onFloat` or `onInt`, starting with the first one; empty if there is none.
template <typename OnFloat, typename OnInt>
static HostTensors foldAxis(Value reduced, int64_t dim, const HostTensor &operand, OnFloat onFloat, OnInt onInt) {
  if (operand.type.getNumElements() == 0)
    return {};
  int64_t axis = fromFront(dim, operand.type.getRank());
  HostTensor result{tensorType(reduced), {}, {}};
  SmallVector<int64_t> kept(operand.shape());
  kept[axis] = 1;
  SmallVector<int64_t> strides = stridesOf(operand.shape());
  auto fold = [](auto &folded, auto element, bool isFirst, auto function) {
    if (isFirst)
      folded.push_back(element);
    else
      folded.back() = function(folded.back(), element);
  };
  forEachIndex(kept, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      offset += i * stride;
    for (int64_t i = 0; i < operand.shape()[axis]; ++i, offset += strides[axis]) {
      if (operand.isFloat())
        fold(result.floats, operand.floats[offset], i == 0, onFloat);
      else
        fold(result.ints, operand.ints[offset], i == 0, onInt);
    }
  });
  return {result};
}

HostTensors ReduceSumOp::evaluate(ArrayRef<HostTensor> operands) {
  return foldAxis(getResult(), getDim(), operands[0], std::plus<double>(),
                  [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); });
}

HostTensors CumSumOp::evaluate(ArrayRef<HostTensor> operands) {
  HostTensor sums = operands[0];
  SmallVector<int64_t> starts(sums.shape()), strides = stridesOf(sums.shape());
  if (sums.type.getNumElements() == 0)
    return {};
  int64_t axis = fromFront(getDim(), starts.size()), size = std::exchange(starts[axis], 1);
  forEachIndex(starts, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      offset += i * stride;
    for (int64_t i = 1; i < size; ++i, offset += strides[axis]) {
      int64_t next = offset + strides[axis];
      if (sums.isFloat())
        sums.floats[next] += sums.floats[offset];
      else
        sums.ints[next] = wrapped(uint64_t(sums.ints[next]) + uint64_t(sums.ints[offset]));
    }
  });
  return {sums};
}

HostTensors ReduceAvgOp::evaluate(ArrayRef<HostTensor> operands) {
  HostTensors sums =
      foldAxis(getResult(), getDim(), operands[0], std::plus<double>(), [](int64_t, int64_t) { return int64_t(0); });
  int64_t count = operands[0].shape()[fromFront(getDim(), operands[0].type.getRank())];
  for (HostTensor &sum : sums)
    for (double &element : sum.floats)
      element /= static_cast<double>(count);
  return sums;
}

HostTensors ReduceMaxOp::evaluate(ArrayRef<HostTensor> operands) {
  return foldAxis(
      getResult(), getDim(), operands[0], [](double a, double b) { return std::isnan(a) || a > b ? a : b; },
      [](int64_t a, int64_t b) { return std::max(a, b); });
}
