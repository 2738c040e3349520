//===- Conv3d.cpp - convolutions over depth, height and width -------------===//
//
// Forge's convolutions have two spatial axes, so that a 3-D convolution is lowered to 2-D ones, with channels last. If
// the kernel is 1x1 in height and width, the two axes are depth and the flattened pixels. Otherwise they are height and
// width, and the depth slices of a window are concatenated along the channels. If windows do not overlap in depth, a
// reshape does that without slicing.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"

#include <limits>

using namespace mlir;
using namespace forge;

// With a depth of 1 only the image is transposed.
Value forge::volumeWithChannelsLast(ForgeBuilder &b, Value x) {
  SmallVector<int64_t> s(shapeOf(x));
  if (s[2] != 1)
    return b.transpose(x, {0, 2, 3, 4, 1});
  return b.reshape(b.transpose(b.reshape(x, {s[0], s[1], s[3], s[4]}), {0, 2, 3, 1}), {s[0], 1, s[3], s[4], s[1]});
}

Value forge::volumeWithChannelsFirst(ForgeBuilder &b, Value x) {
  SmallVector<int64_t> s(shapeOf(x));
  if (s[1] != 1)
    return b.transpose(x, {0, 4, 1, 2, 3});
  return b.reshape(b.transpose(b.reshape(x, ArrayRef({s[0], s[2], s[3], s[4]})), {0, 3, 1, 2}),
                   {s[0], s[4], 1, s[2], s[3]});
}

namespace {
/// The checked operands and attributes. Spatial axes are depth, height and width.
struct Conv3d {
  Value weights, bias;
  const Window &window;
  int64_t groups, batch, count; // `count` is the number of windows along the depth

  int64_t filters() const { return shapeOf(weights)[0]; }
  /// (batch * count, height, width, channels) with a depth axis after the batch.
  Value withDepth(ForgeBuilder &b, Value rows) const {
    return rows ? b.reshape(rows, concatShapes({batch, count}, shapeOf(rows).drop_front())) : Value();
  }
};
} // namespace

// Whether the kernel is 1x1 in height and width.
static bool isOnePixel(const Window &w) {
  auto isOne = [&](size_t axis) { return w.kernel[axis] == 1 && w.padBegin[axis] == 0 && w.padEnd[axis] == 0; };
  return isOne(1) && isOne(2);
}

// (batch, depth, height, width, channels), with all pixels as one axis of a 2-D convolution.
static Value convDepth(ForgeBuilder &b, const Conv3d &c, Value x) {
  const Window &w = c.window;
  for (size_t axis : {1, 2})
    x = b.stridedSlice(x, 1 + axis, 0, (shapeOf(x)[1 + axis] - 1) / w.strides[axis] + 1, w.strides[axis]);
  if (!x)
    return {};
  SmallVector<int64_t> s(shapeOf(x)), k(shapeOf(c.weights));
  x = b.reshape(x, {s[0], s[1], s[2] * s[3], s[4]});
  Value kernel = b.reshape(c.weights, {k[0], k[1], k[2], 1});
  Value result = conv2d(b, x, kernel, c.bias, depthOf(w), c.groups, /*channelsLast=*/true);
  return b.reshape(result, {s[0], c.count, s[2], s[3], c.filters()});
}

// The first and last kernel depth that read elements besides padding.
static std::pair<int64_t, int64_t> depthsInside(const Window &w, int64_t count, int64_t size) {
  auto isInside = [&](int64_t depth) {
    int64_t begin = depth * w.dilations[0] - w.padBegin[0], steps = count - 1;
    int64_t first = begin >= 0 ? 0 : llvm::divideCeil(-begin, w.strides[0]);
    return first <= steps && begin + first * w.strides[0] < size;
  };
  int64_t first = 0, last = w.kernel[0] - 1;
  while (first < last && !isInside(first))
    ++first;
  while (first < last && !isInside(last))
    --last;
  return {first, last};
}

// For each kernel depth, the slices of `axis` that it reads.
static SmallVector<Value> slicesOfDepths(ForgeBuilder &b, const Conv3d &c, Value x, int64_t axis,
                                         std::pair<int64_t, int64_t> depths) {
  const Window &w = c.window;
  int64_t size = shapeOf(x)[axis], reach = (c.count - 1) * w.strides[0], low = 0, high = 0;
  auto begin = [&](int64_t depth) { return depth * w.dilations[0] - w.padBegin[0]; };
  low = std::max<int64_t>(0, -begin(depths.first));
  high = std::max<int64_t>(0, begin(depths.second) + reach + 1 - size);
  SmallVector<int64_t> before(rankOf(x), 0), after(before);
  before[axis] = low;
  after[axis] = high;
  Value padded;
  SmallVector<Value> slices;
  for (int64_t depth = depths.first; depth <= depths.second; ++depth) {
    bool needsPads = begin(depth) < 0 || begin(depth) + reach >= size;
    if (needsPads && !padded)
      padded = b.pad(x, before, after, 0);
    slices.push_back(needsPads ? b.stridedSlice(padded, axis, begin(depth) + low, c.count, w.strides[0])
                               : b.stridedSlice(x, axis, begin(depth), c.count, w.strides[0]));
  }
  return slices;
}

// Whether one convolution of concatenated depth slices costs less than a sum of convolutions, one per slice: the former
// needs a concatenation, the latter additions of whole results.
static bool costsLessJoined(const Window &plane, ArrayRef<int64_t> slice, int64_t slices, int64_t filters,
                            Type element) {
  if (slices == 1)
    return true;
  constexpr int64_t kKernelsOfConcatenate = 3, kKernelsOfConvolution = 3;
  SmallVector<int64_t> joined(slice), result(slice);
  joined.back() *= slices;
  result.back() = filters;
  for (size_t axis : {0, 1}) {
    int64_t &size = result[result.size() - 3 + axis];
    size = std::max<int64_t>(1, plane.count(axis, size));
  }
  auto bytes = [&](ArrayRef<int64_t> shape) {
    auto report = DeviceLayout().report(RankedTensorType::get(shape, element));
    return report ? report->bytes : std::numeric_limits<int64_t>::max();
  };
  OpCost once, each;
  once.addKernels(kKernelsOfConcatenate, multiplyCounts(2, bytes(joined)));
  each.addKernels(multiplyCounts(slices - 1, kKernelsOfConvolution + 1),
                  multiplyCounts(slices - 1, multiplyCounts(4, bytes(result))));
  return pays(each, once);
}

// (batch, depth, height, width, channels); `depths` are the first and last kernel depth.
static Value convSlices(OnnxNode &n, ForgeBuilder &b, const Conv3d &c, Value x, std::pair<int64_t, int64_t> depths) {
  constexpr int64_t kMostDepths = 64;
  SmallVector<int64_t> s(shapeOf(x)), k(shapeOf(c.weights));
  int64_t taps = depths.second - depths.first + 1;
  if (taps > kMostDepths)
    return n.refuse(Code::TooMuchToUnroll, "a kernel of depth " + Twine(taps) + " is too much to unroll");
  // No axis is needed for a batch of one.
  int64_t axis = s[0] == 1 ? 0 : 1;
  if (axis == 0)
    x = b.reshape(x, ArrayRef(s).drop_front());
  SmallVector<Value> slices = slicesOfDepths(b, c, x, axis, depths);
  if (llvm::is_contained(slices, Value()))
    return {};
  Window plane = planeOf(c.window);
  Value weights = b.slice(c.weights, 2, depths.first, depths.second + 1), result;
  auto rows = [&](Value part) { return b.reshape(part, {s[0] * c.count, s[2], s[3], shapeOf(part).back()}); };
  // Concatenated channels of one group would not be adjacent.
  if (c.groups == 1 && costsLessJoined(plane, shapeOf(slices[0]), taps, k[0], elementOf(x))) {
    weights = b.reshape(b.transpose(weights, {0, 2, 1, 3, 4}), {k[0], taps * k[1], k[3], k[4]});
    Value joined = b.concatenate(slices, rankOf(x) - 1);
    result = joined ? conv2d(b, rows(joined), weights, c.bias, plane, 1, /*channelsLast=*/true) : Value();
  } else {
    for (auto [depth, part] : llvm::enumerate(slices)) {
      Value kernel = b.reshape(b.slice(weights, 2, depth, depth + 1), {k[0], k[1], k[3], k[4]});
      part = conv2d(b, rows(part), kernel, depth == 0 ? c.bias : Value(), plane, c.groups, /*channelsLast=*/true);
      result = result ? b.create<AddOp>(result, part) : part;
      if (!result)
        return {};
    }
  }
  return c.withDepth(b, result);
}

// Whether windows do not overlap along the depth, as in patch embeddings of video transformers.
static bool areApart(const Conv3d &c) {
  const Window &w = c.window;
  return w.kernel[0] > 1 && w.strides[0] == w.kernel[0] && w.dilations[0] == 1 && w.padBegin[0] == 0 &&
         w.padEnd[0] == 0 && c.groups == 1;
}

// Permutes (batch, channels, depth, height, width) so that the depth slices of a window are adjacent and depth precedes
// the channels: a reshape then merges the two into the channels of one image.
static Value convPatches(ForgeBuilder &b, const Conv3d &c, Value x) {
  SmallVector<int64_t> k(shapeOf(c.weights));
  x = b.transpose(b.slice(x, 2, 0, c.count * k[2]), {0, 2, 1, 3, 4});
  if (!x)
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  x = b.transpose(b.reshape(x, {s[0] * c.count, k[2] * s[2], s[3], s[4]}), {0, 2, 3, 1});
  Value weights = b.reshape(b.transpose(c.weights, {0, 2, 1, 3, 4}), {k[0], k[2] * k[1], k[3], k[4]});
  Value result = conv2d(b, x, weights, c.bias, planeOf(c.window), 1, /*channelsLast=*/true);
  return c.withDepth(b, result);
}

Value forge::conv3d(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value bias, const Window &w, int64_t groups) {
  ArrayRef<int64_t> s = shapeOf(x);
  Conv3d conv{weights, bias, w, groups, s[0], w.count(0, s[2])};
  if (conv.count < 1)
    return n.refuse(Code::WindowOutside, "the window does not fit into the padded input");
  std::pair<int64_t, int64_t> depths = depthsInside(w, conv.count, s[2]);
  bool isDepth = isOnePixel(w) && depths.first < depths.second, isPatches = !isDepth && areApart(conv);
  if (!isPatches)
    x = volumeWithChannelsLast(b, x);
  if (!x)
    return {};
  Value result = isDepth     ? convDepth(b, conv, x)
                 : isPatches ? convPatches(b, conv, x)
                             : convSlices(n, b, conv, x, depths);
  return result ? volumeWithChannelsFirst(b, result) : Value();
}
