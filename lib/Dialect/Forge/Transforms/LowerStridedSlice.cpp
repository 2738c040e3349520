//===- LowerStridedSlice.cpp - forge.strided_slice to forge.index ---------===//

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/SliceRange.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGELOWERSTRIDEDSLICEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// Slices one axis of `value`; `range` is clamped and not empty.
static Value sliceAxis(OpBuilder &builder, Location loc, Value value, int64_t axis, SliceRange range) {
  RankedTensorType type = tensorType(value);
  int64_t rank = type.getRank(), size = type.getDimSize(axis), count = range.count(), dim = axis - rank;
  if (range.stride > 0 && range.start == 0 && count == size)
    return value;
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = count;
  // One element needs no stride, which Forge would bound by the size.
  if (count == 1)
    range = {range.start, range.start + 1, 1};
  if (range.stride > 0)
    return IndexOp::create(builder, loc, type.clone(shape), value, dim, range.start, range.stop, range.stride);
  // Forge slices forward only.
  SmallVector<int64_t> indices;
  for (int64_t i = 0; i < count; ++i)
    indices.push_back(range.start + i * range.stride);
  auto indexType = RankedTensorType::get({count}, builder.getI64Type());
  Value index = ConstantOp::create(builder, loc, indexType, DenseElementsAttr::get(indexType, ArrayRef(indices)));
  return AdvIndexOp::create(builder, loc, type.clone(shape), value, index, dim);
}

static LogicalResult lowerStridedSlice(StridedSliceOp slice) {
  OpBuilder builder(slice);
  Value value = slice.getOperandA();
  RankedTensorType resultType = slice.getType();
  if (resultType.getNumElements() == 0) {
    value = ConstantOp::create(builder, slice.getLoc(), resultType, splatAttr(resultType, 0));
  } else {
    for (auto [axis, begin, end, stride] :
         llvm::zip_equal(slice.getAxes(), slice.getBegin(), slice.getEnd(), slice.getStrides())) {
      int64_t normal = axis < 0 ? axis + resultType.getRank() : axis;
      SliceRange range = SliceRange::clamp(begin, end, stride, shapeOf(value)[normal]);
      if (constexpr int64_t kMost = 1 << 24; range.stride < 0 && range.count() > kMost)
        return emitError(slice, Code::TooMuchToUnroll) << "reverses more than " << kMost << " elements";
      value = sliceAxis(builder, slice.getLoc(), value, normal, range);
    }
  }
  slice.replaceAllUsesWith(value);
  slice.erase();
  return success();
}

namespace {
struct ForgeLowerStridedSlicePass : forge::impl::ForgeLowerStridedSlicePassBase<ForgeLowerStridedSlicePass> {
  void runOnOperation() override {
    auto lower = [](StridedSliceOp slice) { return WalkResult(lowerStridedSlice(slice)); };
    if (getOperation().walk(lower).wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
