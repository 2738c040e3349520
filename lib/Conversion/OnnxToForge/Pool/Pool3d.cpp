//===- Pool3d.cpp - pools over depth, height and width --------------------===//
//
// A 3-D pool is two 2-D pools: over height and width of each slice, then over the depth, with flattened pixels.
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

using namespace mlir;
using namespace forge;

// Whether each window is one element, and each element is a window.
static bool isTrivial(const Window &w) {
  auto isOne = [](int64_t size) { return size == 1; };
  auto isZero = [](int64_t size) { return size == 0; };
  return llvm::all_of(w.kernel, isOne) && llvm::all_of(w.strides, isOne) && llvm::all_of(w.padBegin, isZero) &&
         llvm::all_of(w.padEnd, isZero);
}

// `pool2d` pools (rows, height, width, channels). Without padding support, explicit padding with `fill` is added.
static Value poolVolume(ForgeBuilder &b, const PoolNd &pool, double fill, bool hasPadding,
                        llvm::function_ref<Value(Value, const Window &)> pool2d) {
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
  Window plane = planeOf(w), depth = depthOf(w);
  if (!isTrivial(plane))
    x = pool2d(b.reshape(x, {s[0] * s[1], s[2], s[3], s[4]}), plane);
  if (!isTrivial(depth))
    x = pool2d(b.reshape(x, {s[0], s[1], n[1] * n[2], s[4]}), depth);
  return x ? volumeWithChannelsFirst(b, b.reshape(x, {s[0], n[0], n[1], n[2], s[4]})) : Value();
}

Value forge::maxPool3d(ForgeBuilder &b, const PoolNd &pool) {
  return poolVolume(b, pool, lowestOf(elementOf(pool.x)), /*hasPadding=*/true, [&](Value x, const Window &w) {
    return maxPool2d(b, x, w, /*ceilMode=*/false, /*channelsLast=*/true);
  });
}

Value forge::averagePool3d(ForgeBuilder &b, const PoolNd &pool) {
  return poolVolume(b, pool, 0, /*hasPadding=*/false,
                    [&](Value x, const Window &w) { return averagePool2d(b, x, w, /*channelsLast=*/true); });
}
