//===- LowerStridedSlice.cpp - forge.strided_slice to calls ---------------===//

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Support/Diagnostics.h"

#define GEN_PASS_DEF_FORGELOWERSTRIDEDSLICEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Slices one axis of `value`, or returns `value` if `range` is the whole axis. `range` is clamped and not empty. If it
// has a single element, the stride is 1, because Forge accepts strides up to the size only.
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

// Replaces `slice` by one op for each sliced axis, or by an empty constant. Reports an error for too many reversed
// elements, because these are gathered by a constant with all their indices (sliceAxis).
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
