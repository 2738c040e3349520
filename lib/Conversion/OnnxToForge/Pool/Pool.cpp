//===- Pool.cpp - ONNX MaxPool, AveragePool; the table of pools -----------===//

#include "Pool.h"

#include "../Norm/Norm.h"
#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// The number of windows along one axis. With ceil_mode the last window may extend beyond the end, but must start inside
// the input or its leading padding. If the kernel exceeds the input by less than a stride, onnxruntime has one window,
// which models rely on.
static int64_t windowCount(int64_t size, int64_t begin, int64_t end, int64_t span, int64_t stride, bool ceilMode) {
  int64_t room = size + begin + end - span;
  if (room < 0)
    return room > -stride ? 1 : 0;
  int64_t count = room / stride + 1;
  if (ceilMode && room % stride != 0 && count * stride < size + begin)
    ++count;
  return count;
}

std::optional<PoolNd> forge::readPoolNd(OnnxNode &n, Value x, int64_t firstCeilMode) {
  PoolNd pool;
  pool.x = x;
  bool ceilMode = n.since() >= firstCeilMode && n.flagAttr("ceil_mode", false);
  if (n.failed())
    return std::nullopt;
  if (rankOf(pool.x) < 3)
    return n.refuse(Code::RankWrong, "the operand must have rank 3 or more");
  ArrayRef<int64_t> spatial = shapeOf(pool.x).drop_front(2);
  pool.window = readWindow(n, spatial, {});
  if (n.failed())
    return std::nullopt;
  Window &w = pool.window;
  pool.padEndDeclared = w.padEnd;
  for (size_t i = 0; i < w.rank(); ++i) {
    int64_t span = w.span(i);
    int64_t count = windowCount(spatial[i], w.padBegin[i], w.padEnd[i], span, w.strides[i], ceilMode);
    if (w.kernel[i] > (1 << 16) || count > (1 << 24))
      n.refuse(Code::TooManyElements, "the window or the padded input is too large");
    if (count < 1)
      n.refuse(Code::WindowOutside, "the window does not fit into the padded input");
    // The end of the last window: ceil_mode extends it, and without it some elements may not be covered.
    w.padEnd[i] = std::max(w.padEnd[i], (count - 1) * w.strides[i] + span - spatial[i] - w.padBegin[i]);
    pool.counts.push_back(count);
  }
  if (n.failed())
    return std::nullopt;
  return pool;
}

// The number of elements of window `index` along an axis that are in [low, high) of the input.
static int64_t elementsIn(const PoolNd &pool, size_t axis, int64_t index, int64_t low, int64_t high) {
  const Window &w = pool.window;
  int64_t start = index * w.strides[axis] - w.padBegin[axis], step = w.dilations[axis];
  int64_t first = std::max<int64_t>(llvm::divideCeilSigned(low - start, step), 0);
  int64_t last = std::min(llvm::divideFloorSigned(high - 1 - start, step), w.kernel[axis] - 1);
  return std::max<int64_t>(last - first + 1, 0);
}

// Refuses a window of padding only: it has no elements, so that its maximum and average are undefined. Returns whether
// there is one.
static bool refuseEmptyWindow(OnnxNode &n, const PoolNd &pool) {
  for (auto [axis, count] : llvm::enumerate(pool.counts))
    for (int64_t index = 0; index < count; ++index)
      if (elementsIn(pool, axis, index, 0, shapeOf(pool.x)[2 + axis]) == 0) {
        n.refuse(Code::WindowOutside, "a window lies entirely in the padding");
        return true;
      }
  return false;
}

// Refuses a constant with an entry per window if it would be too large.
static bool checkTable(OnnxNode &n, ArrayRef<int64_t> counts) {
  if (isCountable(counts) && ShapedType::getNumElements(counts) <= (1 << 24))
    return true;
  return n.refuse(Code::TooManyElements, "a table of more than 16777216 windows is not supported");
}

// The operand with explicit padding.
static Value padded(ForgeBuilder &b, const PoolNd &pool, Value x, Value fill) {
  return b.window(x, concatShapes({0, 0}, pool.window.padBegin), concatShapes({0, 0}, pool.window.padEnd), fill);
}

Value forge::foldWindows(OnnxNode &n, ForgeBuilder &b, const PoolNd &pool, Value x, Value fill,
                         llvm::function_ref<Value(Value, Value)> combine) {
  constexpr int64_t kMostSteps = 256;
  const Window &w = pool.window;
  if (llvm::any_of(w.kernel, [](int64_t size) { return size > kMostSteps; }))
    return n.refuse(Code::TooMuchToUnroll,
                    "a window of more than " + Twine(kMostSteps) + " elements along an axis is too much to unroll");
  x = padded(b, pool, x, fill);
  for (size_t i = 0; i < w.rank(); ++i) {
    Value folded;
    for (int64_t step = 0; step < w.kernel[i]; ++step) {
      Value part = b.stridedSlice(x, 2 + i, step * w.dilations[i], pool.counts[i], w.strides[i]);
      folded = folded ? combine(folded, part) : part;
    }
    x = folded;
  }
  return x;
}

// Forge has 2-D pools, from which 3-D pools are composed, without dilation.
static bool hasForgePool(const PoolNd &pool) {
  return pool.window.rank() <= 3 && isa<FloatType>(elementOf(pool.x)) &&
         llvm::all_of(pool.window.dilations, [](int64_t dilation) { return dilation == 1; });
}

// A pool over one axis as a pool over two.
static PoolNd raised(ForgeBuilder &b, PoolNd pool) {
  if (pool.window.rank() == 1) {
    pool.x = raisedTo2d(b, pool.x);
    raiseTo2d(pool.window);
    pool.counts.insert(pool.counts.begin(), 1);
  }
  return pool;
}

// The result of a raised pool in the shape of `pool`.
static Value lowered(ForgeBuilder &b, Value result, const PoolNd &pool) {
  return b.reshape(result, concatShapes(shapeOf(pool.x).take_front(2), pool.counts));
}

// Whether Forge's pool has the same windows, with the leading pad of each axis on both sides and their number rounded
// up if `ceilMode`. Padding never is the maximum, and adds nothing to a sum, so that only the starts of windows matter.
// As PyTorch, Forge accepts padding of at most half a kernel.
static bool hasSameWindows(const PoolNd &pool, bool ceilMode) {
  const Window &w = pool.window;
  for (auto [i, count] : llvm::enumerate(pool.counts)) {
    int64_t room = shapeOf(pool.x)[2 + i] + 2 * w.padBegin[i] - w.kernel[i], stride = w.strides[i];
    if (2 * w.padBegin[i] > w.kernel[i] || room < 0 ||
        (ceilMode ? llvm::divideCeilSigned(room, stride) : room / stride) + 1 != count)
      return false;
  }
  return true;
}

// The padding of Forge's pools: left, right, top, bottom.
static SmallVector<int64_t> paddingOf(const Window &w) {
  return {w.padBegin[1], w.padEnd[1], w.padBegin[0], w.padEnd[0]};
}

Value forge::maxPool2d(ForgeBuilder &b, Value x, const Window &w, bool ceilMode, bool channelsLast) {
  return b.create<MaxPool2dOp>(x, ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(paddingOf(w)), /*dilation=*/1,
                               ceilMode, /*return_indices=*/false, channelsLast);
}

Value forge::averagePool2d(ForgeBuilder &b, Value x, const Window &w, bool channelsLast) {
  return b.create<AvgPool2dOp>(x, ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(paddingOf(w)),
                               /*ceil_mode=*/false, /*count_include_pad=*/true, channelsLast);
}

// Calls `pool2d` on images of `pool`. If Forge's pool may have the padding (`hasPadding`), it has that of the begin of
// each axis on both sides; otherwise explicit padding with `fill` is added.
static Value poolImages(ForgeBuilder &b, const PoolNd &pool, double fill, bool hasPadding,
                        llvm::function_ref<Value(Value, const Window &)> pool2d) {
  Window w = pool.window;
  Value x = pool.x;
  if (!hasPadding) {
    x = b.pad(x, concatShapes({0, 0}, w.padBegin), concatShapes({0, 0}, w.padEnd), fill);
    w.padBegin.assign(2, 0);
  }
  w.padEnd = w.padBegin;
  return pool2d(x, w);
}

static Value maxPoolImages(ForgeBuilder &b, const PoolNd &pool) {
  bool roundsDown = hasSameWindows(pool, /*ceilMode=*/false);
  bool ceilMode = !roundsDown && hasSameWindows(pool, /*ceilMode=*/true);
  return poolImages(b, pool, lowestOf(elementOf(pool.x)), roundsDown || ceilMode,
                    [&](Value x, const Window &w) { return maxPool2d(b, x, w, ceilMode, /*channelsLast=*/false); });
}

// The strides of the spatial axes in the flattened index.
static SmallVector<int64_t> indexStrides(ArrayRef<int64_t> spatial, bool columnMajor) {
  SmallVector<int64_t> strides = stridesOf(spatial);
  if (columnMajor)
    for (size_t i = 0; i < strides.size(); ++i)
      strides[i] = i == 0 ? 1 : strides[i - 1] * spatial[i - 1];
  return strides;
}

// (1, 1, windows): the flattened spatial index of an element of every window: of that at `offset`, -1 if it is padding;
// without an offset, of the first element that is not padding.
static Value elementIndices(ForgeBuilder &b, const PoolNd &pool, ArrayRef<int64_t> strides,
                            std::optional<ArrayRef<int64_t>> offset) {
  const Window &w = pool.window;
  ArrayRef<int64_t> spatial = shapeOf(pool.x).drop_front(2);
  return b.tabulate(concatShapes({1, 1}, pool.counts), b.getI64Type(), [&](ArrayRef<int64_t> window) -> double {
    int64_t index = 0;
    for (size_t i = 0; i < w.rank(); ++i) {
      int64_t begin = window[2 + i] * w.strides[i] - w.padBegin[i], step = w.dilations[i];
      int64_t steps = offset ? (*offset)[i] : std::max<int64_t>(0, llvm::divideCeilSigned(-begin, step));
      int64_t at = begin + steps * step;
      if (at < 0 || at >= spatial[i])
        return -1;
      index += at * strides[i];
    }
    return index;
  });
}

// Both outputs: the maximum of each window, and the flattened index of its first occurrence.
static Values maxPoolWithIndices(ForgeBuilder &b, const PoolNd &pool, bool columnMajor) {
  const Window &w = pool.window;
  ArrayRef<int64_t> shape = shapeOf(pool.x);
  SmallVector<int64_t> strides = indexStrides(shape.drop_front(2), columnMajor);
  SmallVector<int64_t> full = concatShapes(shape.take_front(2), pool.counts);
  Value x = padded(b, pool, pool.x, b.scalarLike(pool.x, lowestOf(elementOf(pool.x)))), best, where;
  forEachIndex(w.kernel, [&](ArrayRef<int64_t> offset) {
    Value part = x;
    for (size_t i = 0; i < w.rank(); ++i)
      part = b.stridedSlice(part, 2 + i, offset[i] * w.dilations[i], pool.counts[i], w.strides[i]);
    if (!best) {
      best = part;
      where = b.expand(elementIndices(b, pool, strides, std::nullopt), full);
      return;
    }
    Value better = b.compare<GreaterOp>(part, best);
    where = b.create<WhereOp>(better, elementIndices(b, pool, strides, offset), where);
    // Unlike a selection, the maximum of a NaN and a number is NaN, as in a pool without indices.
    best = b.create<MaxOp>(best, part);
  });
  // (batch, channels, 1, ...): the flattened index of the first element of each plane.
  SmallVector<int64_t> planes = withSize(sizesAlong(shape.size(), 1, shape[1]), 0, shape[0]);
  int64_t plane = ShapedType::getNumElements(shape.drop_front(2));
  auto planeBegin = [&](ArrayRef<int64_t> at) { return (at[0] * shape[1] + at[1]) * plane; };
  return {best, b.create<AddOp>(where, b.tabulate(planes, b.getI64Type(), planeBegin))};
}

Value forge::maxPool(OnnxNode &n, ForgeBuilder &b, const PoolNd &pool) {
  if (refuseEmptyWindow(n, pool))
    return {};
  if (hasForgePool(pool))
    return pool.window.rank() == 3 ? maxPool3d(b, pool) : lowered(b, maxPoolImages(b, raised(b, pool)), pool);
  return foldWindows(n, b, pool, pool.x, b.scalarLike(pool.x, lowestOf(elementOf(pool.x))),
                     [&](Value x, Value y) { return b.create<MaxOp>(x, y); });
}

static Values convertMaxPool(OnnxNode &n, ForgeBuilder &b) {
  bool columnMajor = n.since() >= 8 && n.flagAttr("storage_order", false);
  std::optional<PoolNd> pool = readPoolNd(n, n.input(0), /*firstCeilMode=*/10);
  if (!pool)
    return {};
  if (!n.usesOutput(1))
    return {maxPool(n, b, *pool)};
  constexpr int64_t kMostSteps = 64;
  if (refuseEmptyWindow(n, *pool))
    return {};
  if (ShapedType::getNumElements(pool->window.kernel) > kMostSteps)
    return n.refuse(Code::TooMuchToUnroll, "output 'Indices' of windows of more than " + Twine(kMostSteps) +
                                               " elements is too much to unroll");
  return checkTable(n, pool->counts) ? maxPoolWithIndices(b, *pool, columnMajor) : Values();
}

// The number of elements that each window averages: those of the input, optionally also the declared padding.
static HostTensor windowSizes(const PoolNd &pool, bool countPads, Type element) {
  const Window &w = pool.window;
  HostTensor sizes{RankedTensorType::get(concatShapes({1, 1}, pool.counts), element), {}, {}};
  auto covered = [&](size_t axis, int64_t index) {
    int64_t size = shapeOf(pool.x)[2 + axis];
    return countPads ? elementsIn(pool, axis, index, -w.padBegin[axis], size + pool.padEndDeclared[axis])
                     : elementsIn(pool, axis, index, 0, size);
  };
  forEachIndex(pool.counts, [&](ArrayRef<int64_t> index) {
    double count = 1;
    for (size_t i = 0; i < w.rank(); ++i)
      count *= static_cast<double>(covered(i, index[i]));
    sizes.floats.push_back(count);
  });
  return sizes;
}

// Whether Forge's average pool may have the padding. It has the same on all four sides, and ignores it where the window
// is as large as the image, for which it computes a mean.
static bool mayPadAverages(const PoolNd &pool) {
  const Window &w = pool.window;
  return w.padBegin[0] == w.padBegin[1] && shapeOf(pool.x).drop_front(2) != ArrayRef(w.kernel) &&
         hasSameWindows(pool, /*ceilMode=*/false);
}

// Averages that divide by the whole kernel size, including padding. As a separate op, padding takes the device two
// concatenations.
static Value averageImages(ForgeBuilder &b, const PoolNd &pool) {
  return poolImages(b, pool, 0, mayPadAverages(pool),
                    [&](Value x, const Window &w) { return averagePool2d(b, x, w, /*channelsLast=*/false); });
}

// AveragePool (since 1, 7, 10, 11, 19, 22): padding is zero, and counts as elements or not.
static Values convertAveragePool(OnnxNode &n, ForgeBuilder &b) {
  bool countPads = n.since() >= 7 && n.flagAttr("count_include_pad", false);
  std::optional<PoolNd> pool = readPoolNd(n, n.input(0), /*firstCeilMode=*/10);
  if (!pool)
    return {};
  auto element = dyn_cast<FloatType>(elementOf(pool->x));
  if (!element)
    return n.refuse(Code::IntegersUnsupported, "integers have no average");
  // Runtimes agree on the size of a window that extends beyond the declared padding only if ceil_mode caused it.
  if (countPads && pool->window.padEnd != pool->padEndDeclared && !n.flagAttr("ceil_mode", false))
    return n.refuse(Code::ResultUndefined,
                    "count_include_pad does not say what a window that exceeds the padded input counts");
  if (!checkTable(n, pool->counts))
    return {};
  bool isForgePool = hasForgePool(*pool);
  // A sum of 16-bit floats may overflow; Forge's pool has no such sum.
  Type wide = isForgePool ? element : statisticsType(b, pool->x);
  HostTensor sizes = windowSizes(*pool, countPads, wide);
  if (llvm::any_of(sizes.floats, [](double size) { return size < 1; }))
    return n.refuse(Code::WindowOutside, "a window lies entirely in the padding");
  if (!isForgePool) {
    auto add = [&](Value x, Value y) { return b.create<AddOp>(x, y); };
    pool->x = b.cast(pool->x, wide);
    Value sum = foldWindows(n, b, *pool, pool->x, b.scalarLike(pool->x, 0), add);
    return {b.cast(b.create<DivideOp>(sum, b.constant(sizes.toAttr())), element)};
  }
  Value averages =
      pool->window.rank() == 3 ? averagePool3d(b, *pool) : lowered(b, averageImages(b, raised(b, *pool)), *pool);
  // Forge divides by the kernel size, so that the average of a window with fewer elements is multiplied by kernel size
  // / count.
  double whole = static_cast<double>(ShapedType::getNumElements(pool->window.kernel));
  if (llvm::all_of(sizes.floats, [&](double size) { return size == whole; }))
    return {averages};
  for (double &size : sizes.floats)
    size = whole / size;
  return {b.create<MultiplyOp>(averages, b.constant(sizes.toAttr()))};
}

void forge::registerPoolOps(OnnxRegistry &registry) {
  registry.add({
      {"MaxPool", {1, 8, 10, 11, 12, 22}, convertMaxPool},
      {"AveragePool", {1, 7, 10, 11, 19, 22}, convertAveragePool},
      {"LpPool", {1, 2, 11, 18, 22}, convertLpPool},
      {"GlobalMaxPool", {1, 22}, convertGlobalMaxPool},
      {"GlobalAveragePool", {1, 22}, convertGlobalAveragePool},
      {"GlobalLpPool", {1, 2, 22}, convertGlobalLpPool},
      {"MaxUnpool", {9, 11, 22}, convertMaxUnpool},
  });
}
