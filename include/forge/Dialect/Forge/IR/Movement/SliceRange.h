//===- SliceRange.h - begin:end:stride on one axis --------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENT_SLICERANGE_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENT_SLICERANGE_H

#include <algorithm>
#include <cstdint>

namespace forge {

/// A slice of one axis as ONNX Slice (since version 10) defines it, after clamping.
/// For a positive stride: start <= stop, both in [0, size]. For a negative one: stop <= start, start in [0, size - 1]
/// and stop in [-1, size - 1]. An empty axis gives 0:0.
struct SliceRange {
  int64_t start, stop, stride;

  /// Negative bounds count from the end, and bounds outside the axis are clamped. `stride` is not zero.
  static SliceRange clamp(int64_t begin, int64_t end, int64_t stride, int64_t size) {
    if (size == 0)
      return {0, 0, stride};
    auto resolve = [&](int64_t bound, int64_t low, int64_t high) {
      return std::clamp(bound < 0 ? bound + size : bound, low, high);
    };
    if (stride > 0) {
      int64_t start = resolve(begin, 0, size);
      return {start, std::max(start, resolve(end, 0, size)), stride};
    }
    int64_t start = resolve(begin, 0, size - 1);
    return {start, std::min(start, resolve(end, -1, size - 1)), stride};
  }

  /// The same slice, with stride 1 if it has a single element.
  SliceRange normalized() const { return count() == 1 ? SliceRange{start, start + 1, 1} : *this; }

  /// The number of elements. The stride is negated as an unsigned integer, because -INT64_MIN would overflow.
  int64_t count() const {
    int64_t length = stride > 0 ? stop - start : start - stop;
    if (length == 0)
      return 0;
    uint64_t step = stride > 0 ? stride : 0 - static_cast<uint64_t>(stride);
    return static_cast<int64_t>((static_cast<uint64_t>(length) - 1) / step) + 1;
  }
};

/// A slice of the axis `axis`, counted from the front.
struct AxisSliceRange {
  int64_t axis;
  SliceRange range;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENT_SLICERANGE_H
