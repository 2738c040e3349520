//===- HighLevelOps.cpp - ops without a Forge call ------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"

using namespace mlir;
using namespace forge;

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  Inference infer{location, getOperationName()};
  RankedTensorType type = tensorType(op.getOperandA());
  FailureOr<int64_t> dim = infer.axis("dim", op.getDim(), type.getRank());
  if (failed(dim))
    return failure();
  ArrayRef<int64_t> sizes = op.getSizes();
  if (sizes.empty() || llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return infer.error("(C2) expected 'sizes' with at least one value, none negative, but got [", sizes, "]");
  // Subtracts the sizes from the axis, because their sum could overflow.
  int64_t rest = type.getDimSize(*dim);
  bool fit = llvm::all_of(sizes, [&](int64_t size) { return (rest -= size) >= 0; });
  if (!fit || rest != 0)
    return infer.error("(C3) expected 'sizes' that add up to ", type.getDimSize(*dim), ", but got [", sizes, "]");
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t size : sizes) {
    shape[*dim] = size;
    types.push_back(type.clone(shape));
  }
  return success();
}

HostTensors SplitOp::evaluate(Operands operands) {
  int64_t dim = fromFront(getDim(), operands[0].type.getRank()), begin = 0;
  HostTensors outputs;
  for (Value output : getOutputs()) {
    outputs.push_back(operands[0].remap(shapeOf(output), [&](Position &position) { position[dim] += begin; }));
    begin += shapeOf(output)[dim];
  }
  return outputs;
}

InferredType StridedSliceOp::inferType(Adaptor op, const Inference &infer) {
  RankedTensorType type = tensorType(op.getOperandA());
  size_t count = op.getAxes().size();
  if (op.getBegin().size() != count || op.getEnd().size() != count || op.getStrides().size() != count)
    return infer.error("(C1) expected ", count, " values in 'begin', 'end' and 'strides', but got ",
                       op.getBegin().size(), ", ", op.getEnd().size(), " and ", op.getStrides().size());
  SmallVector<int64_t> shape(type.getShape());
  llvm::SmallBitVector seen(type.getRank());
  for (auto [axis, begin, end, stride] : llvm::zip_equal(op.getAxes(), op.getBegin(), op.getEnd(), op.getStrides())) {
    if (axis < -type.getRank() || axis >= type.getRank())
      return infer.error("(C2) expected axes inside rank ", type.getRank(), ", but got ", axis);
    int64_t dim = fromFront(axis, type.getRank());
    if (seen.test(dim))
      return infer.error("(C2) expected distinct axes, but got ", axis, " twice");
    seen.set(dim);
    if (stride == 0)
      return infer.error("(C3) expected strides that are not zero, but got 0 on axis ", axis);
    shape[dim] = SliceRange::clamp(begin, end, stride, type.getDimSize(dim)).count();
  }
  return type.clone(shape);
}

SmallVector<AxisSliceRange> StridedSliceOp::getRanges() {
  RankedTensorType type = tensorType(getOperandA());
  SmallVector<AxisSliceRange> ranges;
  for (auto [axis, begin, end, stride] : llvm::zip_equal(getAxes(), getBegin(), getEnd(), getStrides())) {
    int64_t dim = fromFront(axis, type.getRank());
    ranges.push_back({dim, SliceRange::clamp(begin, end, stride, type.getDimSize(dim)).normalized()});
  }
  return ranges;
}

HostTensors StridedSliceOp::evaluate(Operands operands) {
  SmallVector<AxisSliceRange> ranges = getRanges();
  return {operands[0].remap(getType().getShape(), [&](Position &position) {
    for (auto [axis, range] : ranges)
      position[axis] = range.start + position[axis] * range.stride;
  })};
}

InferredType QuotientOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.integers(op.getOperandA())))
    return failure();
  return infer.broadcast(op.getOperands());
}

// Computed in 64 bits. Empty if a divisor is 0, or a quotient could overflow.
HostTensors QuotientOp::evaluate(Operands operands) {
  if (llvm::is_contained(operands[1].ints, 0) ||
      (llvm::is_contained(operands[0].ints, INT64_MIN) && llvm::is_contained(operands[1].ints, -1)))
    return {};
  return mapIntPairs(*this, operands, std::divides<int64_t>());
}

InferredType WrapIndexOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.integers(op.getIndices())))
    return failure();
  if (op.getSize() < 0)
    return infer.error("(C2) expected a 'size' that is not negative, but got ", op.getSize());
  return tensorType(op.getIndices());
}

// Empty for an index outside of the axis.
HostTensors WrapIndexOp::evaluate(Operands operands) {
  HostTensor result = operands[0];
  int64_t size = getSize();
  for (int64_t &index : result.ints) {
    if (index < -size || index >= size)
      return {};
    index = index < 0 ? index + size : index;
  }
  return {result};
}
