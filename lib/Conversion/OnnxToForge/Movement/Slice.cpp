//===- Slice.cpp - ONNX Slice ---------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Slice (since 1, 10, 11, 13): bounds are attributes in version 1, then inputs, which must be constant here. Negative
// bounds count from the end; bounds are clamped to the axis; steps may be negative.
Values forge::convertSlice(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  SmallVector<int64_t> starts = n.intsOrInput("starts", 1, /*inputSince=*/10);
  SmallVector<int64_t> ends = n.intsOrInput("ends", 2, /*inputSince=*/10), steps(starts.size(), 1);
  std::optional<SmallVector<int64_t>> given = n.optionalIntsOrInput("axes", 3, /*inputSince=*/10);
  if (n.since() >= 10 && n.hasInput(4))
    steps = n.constantInts(4, "steps");
  SmallVector<int64_t> axes = n.axes(given.value_or(allAxes(starts.size())), rankOf(x));
  if (n.failed())
    return {};
  if (starts.empty())
    return {x};
  return {b.create<StridedSliceOp>(x, ArrayRef(axes), ArrayRef(starts), ArrayRef(ends), ArrayRef(steps))};
}
