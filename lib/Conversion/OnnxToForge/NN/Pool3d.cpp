//===- Pool3d.cpp - pools over depth, height and width --------------------===//
//
// A 3-D pool is two 2-D pools: over height and width of each slice, then over the depth, with flattened pixels.
//
//===----------------------------------------------------------------------===//

#include "NN.h"

#include <limits>

using namespace mlir;
using namespace forge;

namespace {
/// A 2-D window without padding, or with equal padding on both sides of an axis.
struct Window2d {
  SmallVector<int64_t> kernel, strides, padding; // padding is [left, right, top, bottom]

  bool isTrivial() const {
    auto all = [](ArrayRef<int64_t> values, int64_t value) {
      return llvm::all_of(values, [value](int64_t each) { return each == value; });
    };
    return all(kernel, 1) && all(strides, 1) && all(padding, 0);
  }
};
} // namespace

// `pool2d` pools (rows, height, width, channels). Without padding support, explicit padding with `fill` is added.
static Value poolVolume(ForgeBuilder &b, const PoolNd &pool, double fill, bool hasPadding,
                        llvm::function_ref<Value(Value, const Window2d &)> pool2d) {
  Window w = pool.window;
  Value x = volumeWithChannelsLast(b, pool.x);
  SmallVector<int64_t> before(5, 0), after(5, 0);
  for (size_t i = 0; i < w.rank(); ++i) {
    if (hasPadding && w.padBegin[i] == w.padEnd[i])
      continue;
    before[1 + i] = std::exchange(w.padBegin[i], 0);
    after[1 + i] = std::exchange(w.padEnd[i], 0);
  }
  if (!x || !(x = b.window(x, before, after, b.scalarLike(x, fill))))
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  ArrayRef<int64_t> n = pool.counts;
  Window2d plane{{w.kernel[1], w.kernel[2]},
                 {w.strides[1], w.strides[2]},
                 {w.padBegin[2], w.padEnd[2], w.padBegin[1], w.padEnd[1]}};
  Window2d depth{{w.kernel[0], 1}, {w.strides[0], 1}, {0, 0, w.padBegin[0], w.padEnd[0]}};
  if (!plane.isTrivial())
    x = pool2d(b.reshape(x, {s[0] * s[1], s[2], s[3], s[4]}), plane);
  if (!depth.isTrivial())
    x = pool2d(b.reshape(x, {s[0], s[1], n[1] * n[2], s[4]}), depth);
  return x ? volumeWithChannelsFirst(b, b.reshape(x, {s[0], n[0], n[1], n[2], s[4]})) : Value();
}

Value forge::maxPool3d(ForgeBuilder &b, const PoolNd &pool) {
  return poolVolume(b, pool, -std::numeric_limits<double>::infinity(), /*hasPadding=*/true,
                    [&](Value x, const Window2d &w) {
                      return b.create<MaxPool2dOp>(x, ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(w.padding),
                                                   /*dilation=*/1, /*ceil_mode=*/false, /*return_indices=*/false,
                                                   /*channel_last=*/true);
                    });
}

Value forge::averagePool3d(ForgeBuilder &b, const PoolNd &pool) {
  return poolVolume(b, pool, 0, /*hasPadding=*/false, [&](Value x, const Window2d &w) {
    return b.create<AvgPool2dOp>(x, ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(w.padding), /*ceil_mode=*/false,
                                 /*count_include_pad=*/true, /*channel_last=*/true);
  });
}
