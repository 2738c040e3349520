//===- WindowSlices.cpp - slices out of the tiles around them -------------===//
//
// x[b:e] is (x[down(b):up(e)])[b - down(b) : e - down(b)]: always. The first slice copies whole tiles, so that only
// those, and not all of x, are taken apart by the second.
//
//===----------------------------------------------------------------------===//

#include "Layout/Rewrites.h"

using namespace mlir;
using namespace forge;

static void windowSlice(StridedSliceOp op, const RewriteContext &context) {
  std::optional<AxisSlice> slice = AxisSlice::of(op);
  std::optional<itd::SliceTraffic> whole = slice ? context.layout.traffic(*slice) : std::nullopt;
  if (!whole || whole->windowed >= whole->ttnn ||
      !context.mayRewrite(op, "window", "the slice takes apart the tiles that it touches only", whole->ttnn,
                          whole->windowed))
    return;
  AxisSlice window = *slice;
  window.range = itd::sliceWindow(shapeOf(slice->source), slice->axis, slice->range);
  OpBuilder builder(op);
  Value tiles = window.build(builder, op.getLoc());
  itd::SliceSpec range = slice->range;
  range.begin -= window.range.begin;
  range.end -= window.range.begin;
  Value result = AxisSlice{tiles, slice->axis, range}.build(builder, op.getLoc());
  op.replaceAllUsesWith(result);
}

void forge::windowSlices(func::FuncOp func, const RewriteContext &context) {
  SmallVector<StridedSliceOp> slices;
  func.walk([&](StridedSliceOp op) { slices.push_back(op); });
  for (StridedSliceOp op : slices)
    windowSlice(op, context);
}
