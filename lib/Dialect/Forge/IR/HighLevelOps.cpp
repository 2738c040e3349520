//===- HighLevelOps.cpp - ops without a Forge call ------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/SliceRange.h"

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
  // Subtracting keeps the sum from overflowing.
  int64_t rest = type.getDimSize(*dim);
  for (int64_t size : sizes) {
    if (size > rest)
      return infer.error("(C3) expected 'sizes' that add up to ", type.getDimSize(*dim), ", but got [", sizes, "]");
    rest -= size;
  }
  if (rest != 0)
    return infer.error("(C3) expected 'sizes' that add up to ", type.getDimSize(*dim), ", but got [", sizes, "]");
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t size : sizes) {
    shape[*dim] = size;
    types.push_back(type.clone(shape));
  }
  return success();
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
    int64_t dim = axis < 0 ? axis + type.getRank() : axis;
    if (seen.test(dim))
      return infer.error("(C2) expected distinct axes, but got ", axis, " twice");
    seen.set(dim);
    if (stride == 0)
      return infer.error("(C3) expected strides that are not zero, but got 0 on axis ", axis);
    shape[dim] = SliceRange::clamp(begin, end, stride, type.getDimSize(dim)).count();
  }
  return type.clone(shape);
}
