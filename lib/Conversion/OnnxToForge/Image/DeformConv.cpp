//===- DeformConv.cpp - ONNX DeformConv -----------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

namespace {
// The checked operands and attributes. The channels of an offset group share their offsets.
struct DeformConv {
  Value x, weights, offset, bias, mask;
  Window window;
  int64_t groups = 1, offsetGroups = 1;
  SmallVector<int64_t> counts; // spatial sizes of the result
  int64_t batch() const { return shapeOf(x)[0]; }
  int64_t channels() const { return shapeOf(x)[1]; }
  int64_t taps() const { return ShapedType::getNumElements(window.kernel); }
  int64_t positions() const { return ShapedType::getNumElements(counts); }
};
} // namespace

static FailureOr<DeformConv> readDeformConv(OnnxNode &n) {
  DeformConv c{n.input(0), n.input(1), n.input(2), n.optionalInput(3), n.optionalInput(4), {}, 1, 1, {}};
  c.groups = n.intAttr("group", 1);
  c.offsetGroups = n.intAttr("offset_group", 1);
  if (n.failed())
    return failure();
  ArrayRef<int64_t> x = shapeOf(c.x), weights = shapeOf(c.weights);
  if (x.size() < 3 || x.size() > 5 || weights.size() != x.size() || !isa<FloatType>(elementOf(c.x)))
    return n.refuse(Code::RankWrong, "the operand and the weights must be floating point, of one rank of 3 to 5");
  c.window = readWindow(n, x.drop_front(2), weights.drop_front(2));
  if (n.failed())
    return failure();
  const Window &w = c.window;
  for (size_t i = 0; i < w.rank(); ++i) {
    c.counts.push_back(w.count(i, x[2 + i]));
    if (c.counts.back() < 1 || c.counts.back() > (1 << 24))
      return n.refuse(Code::WindowOutside, "the kernel does not fit into the padded input, or that is too large");
  }
  if (c.groups < 1 || c.offsetGroups < 1 || weights[0] % c.groups != 0 || x[1] != weights[1] * c.groups ||
      x[1] % c.offsetGroups != 0)
    return n.refuse(Code::ShapeMismatch, "the channels of the operand, the weights and the groups do not fit");
  auto expected = [&](int64_t perTap) { return concatShapes({x[0], c.offsetGroups * perTap * c.taps()}, c.counts); };
  if (shapeOf(c.offset) != ArrayRef(expected(w.rank())) || (c.mask && shapeOf(c.mask) != ArrayRef(expected(1))))
    n.refuse(Code::ShapeMismatch, "the offsets or the mask do not fit the kernel and the result");
  if (c.bias && numElements(c.bias) != weights[0])
    n.refuse(Code::ShapeMismatch, "there must be one bias per output channel");
  constexpr double kMostSamples = 1 << 28;
  if (static_cast<double>(x[0] * x[1]) * static_cast<double>(c.taps()) * static_cast<double>(c.positions()) >
      kMostSamples)
    n.refuse(Code::TooManyElements, "more than 268435456 samples of the operand are too many");
  checkSampled(n, c.x);
  return n.unlessFailed(c);
}

// (1, taps * positions, 1): the coordinate of each kernel tap along an axis, without its offset.
static Value regularCoordinates(ForgeBuilder &b, const DeformConv &c, size_t axis) {
  const Window &w = c.window;
  Value coordinates =
      b.tabulate(concatShapes(w.kernel, c.counts), b.getF32Type(), [&](ArrayRef<int64_t> tapAndPosition) {
        int64_t tap = tapAndPosition[axis], position = tapAndPosition[w.rank() + axis];
        return position * w.strides[axis] - w.padBegin[axis] + tap * w.dilations[axis];
      });
  return b.reshape(coordinates, {1, c.taps() * c.positions(), 1});
}

// (batch * offset groups, taps * positions, channels): the pixels at the offset taps, multiplied by the mask.
static Value sampled(ForgeBuilder &b, const DeformConv &c) {
  Type f32 = b.getF32Type();
  int64_t images = c.batch() * c.offsetGroups, taps = c.taps(), positions = c.positions(), rank = c.counts.size();
  ArrayRef<int64_t> size = shapeOf(c.x).drop_front(2);
  Value offset = b.reshape(b.cast(c.offset, f32), {images, taps, rank, positions});
  SmallVector<SmallVector<Neighbour>> axes;
  for (int64_t i = 0; i < rank; ++i) {
    Value moved = b.reshape(b.slice(offset, 2, i, i + 1), {images, taps * positions, 1});
    Value at = b.create<AddOp>(moved, regularCoordinates(b, c, i));
    axes.push_back(neighbours({b, size[i], "zeros", 0, 0}, at, "linear"));
  }
  Value pixels = combinedNeighbours(b, pixelsOf(b, c.x, images, size, taps * positions), axes);
  return c.mask ? b.create<MultiplyOp>(pixels, b.reshape(b.cast(c.mask, f32), {images, taps * positions, 1})) : pixels;
}

// DeformConv (since 19, 22): a convolution whose taps have offsets, with bilinear interpolation.
Values forge::convertDeformConv(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<DeformConv> read = readDeformConv(n);
  if (failed(read))
    return {};
  const DeformConv &c = *read;
  int64_t batch = c.batch(), taps = c.taps(), positions = c.positions(), outputs = shapeOf(c.weights)[0];
  int64_t shared = c.channels() / c.offsetGroups, depth = shapeOf(c.weights)[1] * taps;
  // (batch, offset group, tap, position, channel) to (batch, group, channel and tap, position).
  Value columns = b.reshape(sampled(b, c), {batch, c.offsetGroups, taps, positions, shared});
  columns = b.reshape(b.transpose(columns, {0, 1, 4, 2, 3}), {batch, c.groups, depth, positions});
  Value kernel = b.cast(b.reshape(c.weights, {1, c.groups, outputs / c.groups, depth}), b.getF32Type());
  Value sum = b.reshape(b.matmul(kernel, columns), {batch, outputs, positions});
  if (c.bias && sum)
    sum = b.create<AddOp>(sum, b.reshape(b.cast(c.bias, b.getF32Type()), {1, outputs, 1}));
  return {b.reshape(b.cast(sum, elementOf(c.x)), concatShapes({batch, outputs}, c.counts))};
}
