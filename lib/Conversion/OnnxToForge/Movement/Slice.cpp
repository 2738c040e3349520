//===- Slice.cpp - ONNX Slice ---------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Slice (since 1, 10, 11, 13): bounds are attributes in version 1, then inputs that must be constants here. A negative
// bound counts from the end; bounds clamp to the axis; steps may be negative.
Values forge::convertSlice(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> starts, ends, axes, steps;
  bool hasAxes, hasSteps = false;
  if (n.since() < 10) {
    starts = n.intsAttr("starts");
    ends = n.intsAttr("ends");
    if ((hasAxes = n.hasAttr("axes")))
      axes = n.intsAttr("axes");
  } else {
    starts = n.constantInts(1, "starts");
    ends = n.constantInts(2, "ends");
    if ((hasAxes = n.hasInput(3)))
      axes = n.constantInts(3, "axes");
    if ((hasSteps = n.hasInput(4)))
      steps = n.constantInts(4, "steps");
  }
  if (!hasAxes)
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts.size()));
  if (!hasSteps)
    steps.assign(starts.size(), 1);
  if (n.failed())
    return {};
  axes = n.axes(axes, rank);
  if (n.failed() || starts.empty())
    return {n.failed() ? Value() : x};
  return {b.create<StridedSliceOp>(x, ArrayRef(axes), ArrayRef(starts), ArrayRef(ends), ArrayRef(steps))};
}
