//===- LowerStridedSlice.cpp - forge.strided_slice to calls ---------------===//

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Support/Diagnostics.h"

#define GEN_PASS_DEF_FORGELOWERSTRIDEDSLICEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Slices one axis of `value`. `range` is clamped and not empty. A range of a single element has stride 1, because Forge
// accepts strides up to the size only.
static Value sliceAxis(OpBuilder &builder, Location loc, Value value, int64_t axis, SliceRange range) {
  int64_t count = range.count(), dim = axis - tensorType(value).getRank();
  if (range.stride > 0 && range.start == 0 && count == axisSize(value, axis))
    return value;
  if (range.stride > 0)
    return IndexOp::create(builder, loc, value, dim, range.start, range.stop, range.stride);
  // Forge does not accept negative strides.
  SmallVector<int64_t> indices;
  for (int64_t i = 0; i < count; ++i)
    indices.push_back(range.start + i * range.stride);
  auto indexType = RankedTensorType::get({count}, builder.getI64Type());
  Value index = ConstantOp::create(builder, loc, indexType, DenseElementsAttr::get(indexType, ArrayRef(indices)));
  return AdvIndexOp::create(builder, loc, value, index, dim);
}

// Replaces `slice` by one op for each sliced axis, or by an empty constant. A reversed axis is gathered by a constant
// with all its indices (sliceAxis), so that its size is limited.
static LogicalResult lowerStridedSlice(StridedSliceOp slice) {
  constexpr int64_t kMostReversed = 1 << 24;
  OpBuilder builder(slice);
  Location loc = withoutTrace(slice.getLoc()); // Only the last op computes the result of the slice.
  Value value = slice.getOperandA();
  RankedTensorType resultType = slice.getType();
  if (resultType.getNumElements() == 0) {
    value = ConstantOp::create(builder, loc, resultType, splatAttr(resultType, 0));
  } else {
    for (auto [axis, range] : slice.getRanges()) {
      if (range.stride < 0 && range.count() > kMostReversed)
        return emitError(slice, Code::TooMuchToUnroll) << "reverses more than " << kMostReversed << " elements";
      value = sliceAxis(builder, loc, value, axis, range);
    }
  }
  takeTrace(value, slice);
  slice.replaceAllUsesWith(value);
  slice.erase();
  return success();
}

namespace {
struct ForgeLowerStridedSlicePass : forge::impl::ForgeLowerStridedSlicePassBase<ForgeLowerStridedSlicePass>,
                                    ReportingPass {
  void runOnOperation() override {
    auto lower = [&](StridedSliceOp slice) {
      count("slices-lowered");
      return WalkResult(lowerStridedSlice(slice));
    };
    if (getOperation().walk(lower).wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
