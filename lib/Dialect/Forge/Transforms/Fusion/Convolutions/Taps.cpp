//===- Taps.cpp - windows of filters that become one ----------------------===//

#include "Fusion/Convolutions/Taps.h"

#include "Fusion/Scaling.h"

using namespace mlir;
using namespace forge;

// The taps along axis 0 (height) or 1 (width). Output element 0 reads the padding before the image first, so that the
// first tap is minus that padding.
static Taps tapsOf(Conv2dOp op, int64_t axis) {
  int64_t size = shapeOf(op.getWeights())[2 + axis], first = -op.getPadding()[axis];
  int64_t dilation = size == 1 ? 0 : op.getDilation()[axis];
  return {first, first + (size - 1) * dilation, dilation};
}

// The fewest evenly spaced taps that contain `a` and `b`: -2 to 2 in steps of 2 for {-2, 0} and {2}. None if the steps
// of `a` and `b` differ, or a tap of one is between two of the other: {0, 2} and {1}.
static std::optional<Taps> unionOf(Taps a, Taps b) {
  Taps both{std::min(a.first, b.first), std::max(a.last, b.last), std::max(a.dilation, b.dilation)};
  if (both.first == both.last)
    return both;
  // Of two different single taps, the distance is the step.
  if (both.dilation == 0)
    both.dilation = both.last - both.first;
  bool fits = llvm::all_of(ArrayRef{a, b}, [&](Taps each) {
    return (each.dilation == 0 || each.dilation == both.dilation) && (each.first - both.first) % both.dilation == 0;
  });
  return fits ? std::optional(both) : std::nullopt;
}

FilterWindow forge::windowOf(Conv2dOp op) { return {tapsOf(op, 0), tapsOf(op, 1)}; }

std::optional<FilterWindow> forge::unionWindow(const FilterWindow &a, const FilterWindow &b) {
  std::optional<Taps> height = unionOf(a[0], b[0]), width = unionOf(a[1], b[1]);
  return height && width ? std::optional(FilterWindow{*height, *width}) : std::nullopt;
}

Value forge::enlarged(OpBuilder &b, Location loc, Value filters, const FilterWindow &from, const FilterWindow &to) {
  // Windows with the same number of taps along an axis are equal there, because `to` contains `from`.
  for (int64_t axis : {0, 1})
    if (from[axis].size() != to[axis].size())
      filters = padded(b, loc, filters, 2 + axis, (from[axis].first - to[axis].first) / to[axis].dilation,
                       (to[axis].last - from[axis].last) / to[axis].dilation, 0);
  return filters;
}

Conv2dOp forge::convolutionLike(OpBuilder &b, Location loc, Conv2dOp like, Value filters, Value bias,
                                const FilterWindow &window) {
  // Padding is [top, left, bottom, right]. That before the image follows from the first tap (tapsOf). That after the
  // image grows with the last tap, so that the result keeps its size.
  FilterWindow oldWindow = windowOf(like);
  SmallVector<int64_t> padding(like.getPadding()), dilation, shape(shapeOf(like));
  for (int64_t axis : {0, 1}) {
    padding[axis] = -window[axis].first;
    padding[2 + axis] += window[axis].last - oldWindow[axis].last;
    dilation.push_back(std::max<int64_t>(window[axis].dilation, 1));
  }
  shape[1] = shapeOf(filters)[0];
  return Conv2dOp::create(b, loc, like.getType().clone(shape), like.getActivations(), filters, bias, like.getStride(),
                          padding, dilation, like.getGroups(), /*channel_last=*/false);
}
