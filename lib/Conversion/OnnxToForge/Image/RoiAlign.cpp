//===- RoiAlign.cpp - ONNX RoiAlign ---------------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

bool forge::checkFeatureMap(OnnxNode &n, Value x) {
  if (rankOf(x) == 4 && isa<FloatType>(elementOf(x)))
    return true;
  return n.refuse(Code::RankWrong, "the operand must be floating point and have rank 4");
}

Expr forge::cornerOfRegions(ForgeBuilder &b, Value regions, int64_t i, double scale) {
  Value column = b.reshape(b.slice(regions, 1, i, i + 1), {shapeOf(regions)[0], 1, 1, 1, 1});
  return Expr(b, b.cast(column, b.getF32Type())) * scale;
}

namespace {
// The checked operands and attributes. Each region has counts[0] x counts[1] cells of samples x samples points.
struct RoiAlign {
  Value x, regions, images;
  int64_t counts[2] = {1, 1}, samples = 1;
  double scale = 1;
  bool halfPixel = false, takesMax = false;
};
} // namespace

static FailureOr<RoiAlign> readRoiAlign(OnnxNode &n) {
  RoiAlign r{n.input(0), n.input(1), n.input(2), {n.intAttr("output_height", 1), n.intAttr("output_width", 1)}};
  r.samples = n.intAttr("sampling_ratio", 0);
  r.scale = n.floatAttr("spatial_scale", 1);
  r.halfPixel = n.since() >= 16 &&
                n.choiceAttr("coordinate_transformation_mode", {"half_pixel", "output_half_pixel"}) == "half_pixel";
  r.takesMax = n.choiceAttr("mode", {"avg", "max"}) == "max";
  if (n.failed() || !checkFeatureMap(n, r.x))
    return failure();
  constexpr int64_t kMostSamples = 16;
  if (r.samples < 1)
    n.refuse(Code::TooMuchToUnroll,
             "attribute 'sampling_ratio' 0 takes as many samples as each region is large; give their number");
  else if (r.samples > kMostSamples)
    n.refuse(Code::TooMuchToUnroll, "attribute 'sampling_ratio' above " + Twine(kMostSamples) + " is not supported");
  ArrayRef<int64_t> regions = shapeOf(r.regions);
  if (regions.size() != 2 || regions[1] != 4 || shapeOf(r.images) != regions.take_front(1))
    n.refuse(Code::ShapeMismatch, "expected regions of shape (count, 4), and as many image numbers");
  if (r.counts[0] < 1 || r.counts[1] < 1 || r.counts[0] > 1024 || r.counts[1] > 1024)
    n.refuse(Code::AttributeUnsupported, "attributes 'output_height' and 'output_width' must be in [1, 1024]");
  else if (!n.failed() && regions[0] > (1 << 24) / (r.counts[0] * r.counts[1] * r.samples * r.samples))
    n.refuse(Code::TooManyElements, "more than 16777216 samples of the operand are too many");
  checkSampled(n, r.x);
  return n.unlessFailed(r);
}

// The neighbours of all points along one axis (0 is the height). A point more than a pixel outside has weight 0.
static SmallVector<Neighbour> neighboursAlong(ForgeBuilder &b, const RoiAlign &r, int64_t axis) {
  Type f32 = b.getF32Type();
  int64_t regions = shapeOf(r.regions)[0], samples = r.samples;
  double shift = r.halfPixel ? 0.5 : 0, size = static_cast<double>(shapeOf(r.x)[2 + axis]);
  Expr begin = cornerOfRegions(b, r.regions, 1 - axis, r.scale), end = cornerOfRegions(b, r.regions, 3 - axis, r.scale);
  if (shift != 0) {
    begin = begin - shift;
    end = end - shift;
  }
  Expr extent = end - begin;
  if (!r.halfPixel)
    extent = max(extent, 1.0);
  Expr cell = extent / static_cast<double>(r.counts[axis]);
  // (regions, height, width, samples, samples)
  Expr at = begin + Expr(b, b.iota(r.counts[axis], 1 + axis, 5, f32)) * cell +
            (Expr(b, b.iota(samples, 3 + axis, 5, f32)) + 0.5) * cell / static_cast<double>(samples);
  at = {b, b.expand(at, {regions, r.counts[0], r.counts[1], samples, samples})};
  at = {b, b.reshape(at, {regions, r.counts[0] * r.counts[1] * samples * samples, 1})};
  Expr isThere = bothOf(at >= -1.0, at <= size);
  at = min(max(at, 0.0), size - 1);
  // The cast truncates, which rounds down because the coordinate is not negative.
  Expr low = at.cast(b.getI32Type()).cast(f32), fraction = at - low;
  return {{low, 1.0 - fraction, isThere}, {min(low + 1.0, size - 1), fraction, isThere}};
}

// RoiAlign (since 10, 16, 22): the average or maximum of the points of each cell. As in onnxruntime and ONNX's
// reference, the maximum is that of the weighted pixels around the points.
Values forge::convertRoiAlign(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<RoiAlign> read = readRoiAlign(n);
  if (failed(read))
    return {};
  const RoiAlign &r = *read;
  int64_t regions = shapeOf(r.regions)[0], cells = r.counts[0] * r.counts[1], samples = r.samples * r.samples;
  SampledPixels pixels = pixelsOf(b, r.x, shapeOf(r.x)[0], shapeOf(r.x).drop_front(2), cells * samples);
  pixels.batch = regions;
  Expr image = Expr(b, b.reshape(r.images, {regions, 1, 1})).cast(b.getF32Type());
  pixels.begin = image * static_cast<double>(ShapedType::getNumElements(pixels.size));
  SmallVector<SmallVector<Neighbour>> axes{neighboursAlong(b, r, 0), neighboursAlong(b, r, 1)};
  Value points = b.reshape(combinedNeighbours(b, pixels, axes, r.takesMax), {regions, cells, samples, pixels.channels});
  Value result = r.takesMax ? b.reduce<ReduceMaxOp>(points, {2}, false) : b.reduce<ReduceAvgOp>(points, {2}, false);
  result = b.transpose(b.cast(result, elementOf(r.x)), {0, 2, 1});
  return {b.reshape(result, {regions, pixels.channels, r.counts[0], r.counts[1]})};
}
