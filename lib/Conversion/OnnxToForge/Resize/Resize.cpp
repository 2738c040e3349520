//===- Resize.cpp - ONNX Resize and Upsample ------------------------------===//
//
// Interpolation is separable, and the elements and weights of each result element are known at compile time: each axis
// is a sum of weighted gathers.
//
//===----------------------------------------------------------------------===//

#include "Interpolation.h"

#include "../RegisterAll.h"
#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
// The checked operands and attributes.
struct Resizing {
  Value x;
  Interpolation how;
  SmallVector<ResizedAxis> axes;

  SmallVector<int64_t> resultShape() const {
    SmallVector<int64_t> shape(shapeOf(x));
    for (const ResizedAxis &axis : axes)
      shape[axis.axis] = axis.output;
    return shape;
  }
};
} // namespace

// The axes, given scales. Result sizes are truncated.
static SmallVector<ResizedAxis> axesFromScales(OnnxNode &n, Value x, ArrayRef<int64_t> axes, ArrayRef<double> scales) {
  SmallVector<ResizedAxis> result;
  if (axes.size() != scales.size())
    n.refuse(Code::SizeInvalid, "there are " + Twine(scales.size()) + " scales for " + Twine(axes.size()) + " axes");
  for (auto [axis, scale] : llvm::zip(axes, scales)) {
    double input = static_cast<double>(shapeOf(x)[axis]), output = std::floor(scale * input);
    if (!(scale > 0) || !(output <= INT32_MAX))
      return n.refuse(Code::SizeInvalid, "a scale is not positive or too large");
    // Computed in float32, the type of scales.
    float length = static_cast<float>(scale) * static_cast<float>(input);
    result.push_back({axis, shapeOf(x)[axis], static_cast<int64_t>(output), scale, length});
  }
  return result;
}

// The axes, given sizes. Keeping the aspect ratio uses the same scale for all of them, and rounds the sizes.
static SmallVector<ResizedAxis> axesFromSizes(OnnxNode &n, Value x, ArrayRef<int64_t> axes, ArrayRef<int64_t> sizes,
                                              StringRef policy) {
  if (axes.size() != sizes.size())
    n.refuse(Code::SizeInvalid, "there are " + Twine(sizes.size()) + " sizes for " + Twine(axes.size()) + " axes");
  for (auto [axis, size] : llvm::zip(axes, sizes))
    if (size < 1 || size > INT32_MAX || shapeOf(x)[axis] == 0)
      n.refuse(Code::SizeInvalid, "a size is not positive or beyond 32 bits, or the operand is empty");
  if (n.failed() || axes.empty())
    return {};
  SmallVector<double> scales;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes))
    scales.push_back(static_cast<double>(size) / static_cast<double>(shapeOf(x)[axis]));
  double kept = policy == "not_larger" ? *llvm::min_element(scales) : *llvm::max_element(scales);
  SmallVector<ResizedAxis> result;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t input = shapeOf(x)[axis], output = sizes[i];
    if (policy != "stretch") {
      scales[i] = kept;
      output = static_cast<int64_t>(std::floor(kept * static_cast<double>(input) + 0.5));
    }
    result.push_back({axis, input, output, scales[i], scales[i] * static_cast<double>(input), policy == "stretch"});
  }
  return result;
}

// Version 10 has only scales and asymmetric coordinates.
static void readVersion10(OnnxNode &n, Resizing &r) {
  r.how.coordinates = "asymmetric";
  r.how.nearest = "floor";
  DenseElementsAttr scales = n.constant(1, "scales");
  if (n.failed())
    return;
  r.axes = axesFromScales(n, r.x, allAxes(rankOf(r.x)), numberValues(scales));
  if (llvm::any_of(r.axes, [](const ResizedAxis &axis) { return axis.scale < 1; })) {
    r.how.nearest = "round_prefer_floor";
    r.how.ambiguousNearest = true;
  }
}

// The attributes since version 11, other than 'mode'.
static void readInterpolation(OnnxNode &n, Interpolation &how) {
  SmallVector<StringRef> coordinates{"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                     "tf_crop_and_resize"};
  if (n.since() == 11)
    coordinates.push_back("tf_half_pixel_for_nn");
  if (n.since() >= 19)
    coordinates.push_back("half_pixel_symmetric");
  how.coordinates = n.choiceAttr("coordinate_transformation_mode", coordinates);
  how.nearest = n.choiceAttr("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  how.cubicA = n.floatAttr("cubic_coeff_a", -0.75);
  how.extrapolation = n.floatAttr("extrapolation_value", 0);
  how.antialias = n.since() >= 18 && n.flagAttr("antialias", false);
  // Has no effect on nearest, and on linear without antialiasing, where a tap outside reads the edge in either case.
  how.excludeOutside =
      n.flagAttr("exclude_outside", false) && (how.mode == "cubic" || (how.mode == "linear" && how.antialias));
}

// Operand `i` as a constant; null if it is absent or empty, which are equivalent.
static DenseElementsAttr optionalConstant(OnnxNode &n, unsigned i, StringRef what) {
  DenseElementsAttr attr = n.hasInput(i) ? n.constant(i, what) : DenseElementsAttr();
  return attr && attr.getNumElements() > 0 ? attr : DenseElementsAttr();
}

static void readVersion11(OnnxNode &n, Resizing &r) {
  readInterpolation(n, r.how);
  SmallVector<int64_t> axes = allAxes(rankOf(r.x));
  StringRef policy = "stretch";
  if (n.since() >= 18)
    policy = n.choiceAttr("keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"});
  if (n.since() >= 18 && n.hasAttr("axes"))
    axes = n.axes(n.intsAttr("axes"), rankOf(r.x));
  bool crops = r.how.coordinates == "tf_crop_and_resize";
  DenseElementsAttr roi = crops ? optionalConstant(n, 1, "roi") : DenseElementsAttr();
  DenseElementsAttr scales = optionalConstant(n, 2, "scales"), sizes = optionalConstant(n, 3, "sizes");
  if (!n.failed() && static_cast<bool>(scales) == static_cast<bool>(sizes))
    n.refuse(Code::Arity, "exactly one of 'scales' and 'sizes' must be given");
  if (n.failed())
    return;
  r.axes = scales ? axesFromScales(n, r.x, axes, numberValues(scales))
                  : axesFromSizes(n, r.x, axes, intValues(sizes), policy);
  if (n.failed())
    return;
  // ONNX's reference uses the fractional length of the result, onnxruntime and torch the truncated one.
  for (const ResizedAxis &axis : r.axes)
    if ((crops || r.how.coordinates == "align_corners") && axis.input > 1 &&
        axis.length != static_cast<double>(axis.output))
      n.refuse(Code::ResultUndefined, r.how.coordinates + " with scales that give an axis the length " +
                                          Twine(std::to_string(axis.length)) +
                                          ": onnx.reference and onnxruntime differ; give sizes instead");
  if (!crops)
    return;
  SmallVector<double> bounds = roi ? numberValues(roi) : SmallVector<double>();
  if (bounds.size() != 2 * r.axes.size()) {
    n.refuse(Code::SizeInvalid, "'roi' must have a begin and an end per axis");
    return;
  }
  for (auto [i, axis] : llvm::enumerate(r.axes)) {
    axis.roiBegin = bounds[i];
    axis.roiEnd = bounds[r.axes.size() + i];
  }
}

// Element and weight of tap `k` of a list, padded to `most` taps. A shorter list splits the weight of its first tap
// into halves: that is exact, in contrast to taps of weight 0, for which 0 * infinity is NaN.
static std::pair<int64_t, double> tapOrShare(const Taps &list, size_t k, size_t most) {
  auto [index, weight] = *std::next(list.begin(), k < list.size() ? k : 0);
  if (k != 0 && k < list.size())
    return {index, weight};
  size_t halvings = most - list.size(); // w = w/2 + w/4 + ... + w/2^h + w/2^h
  size_t step = k == 0 ? 1 : k - list.size() + 2;
  return {index, halvings == 0 ? weight : std::ldexp(weight, -static_cast<int>(std::min(step, halvings)))};
}

// A sum of weighted gathers.
static Value resizeAxis(ForgeBuilder &b, Value x, int64_t axis, const AxisTaps &plan) {
  if (!plan.moves)
    return x;
  Value sum;
  SmallVector<int64_t> weightShape = sizesAlong(rankOf(x), axis, plan.taps.size());
  for (size_t k = 0; k < plan.most; ++k) {
    SmallVector<int64_t> table;
    SmallVector<double> weights;
    for (const Taps &list : plan.taps) {
      auto [index, weight] = tapOrShare(list, k, plan.most);
      table.push_back(index);
      weights.push_back(weight);
    }
    Value term = b.take(x, axis, table);
    auto weightAt = [&](ArrayRef<int64_t> at) { return weights[at[axis]]; };
    if (llvm::any_of(weights, [](double weight) { return weight != 1; }))
      term = b.create<MultiplyOp>(term, b.tabulate(weightShape, elementOf(x), weightAt));
    sum = sum ? b.create<AddOp>(sum, term) : term;
    if (!sum)
      return {};
  }
  return sum;
}

// Sets the elements outside of the region of interest to `value`.
static Value extrapolated(ForgeBuilder &b, Value x, int64_t axis, const AxisTaps &plan, double value) {
  if (!x || !llvm::is_contained(plan.outside, true))
    return x;
  Value mask = b.tabulate(sizesAlong(rankOf(x), axis, plan.outside.size()), b.getI1Type(),
                          [&](ArrayRef<int64_t> at) { return plan.outside[at[axis]] ? 1 : 0; });
  return b.create<WhereOp>(mask, b.scalarLike(x, value), x);
}

// Forge's bilinear interpolation supports half-pixel centres and integer factors of height and width.
static bool isNativeBilinear(const Resizing &r) {
  const Interpolation &how = r.how;
  bool centred = how.coordinates == "half_pixel" || how.coordinates == "half_pixel_symmetric" ||
                 how.coordinates == "pytorch_half_pixel";
  auto isSupported = [](const ResizedAxis &axis) {
    if (axis.axis < 2)
      return axis.input == axis.output && axis.scale == 1;
    return axis.output % axis.input == 0 && axis.length == static_cast<double>(axis.output) && axis.output > 1;
  };
  return how.mode == "linear" && centred && !how.excludeOutside && rankOf(r.x) == 4 && elementOf(r.x).isF32() &&
         llvm::all_of(r.axes, isSupported) && ArrayRef(r.resultShape()) != shapeOf(r.x);
}

// Checks and builds what a reader of Resize or Upsample has read.
static Values resize(OnnxNode &n, ForgeBuilder &b, const Resizing &r) {
  if (n.failed())
    return {};
  if (r.how.mode != "nearest" && !isa<FloatType>(elementOf(r.x)))
    return n.refuse(Code::RoundingUndefined, "interpolation of integers rounds in no defined way");
  SmallVector<int64_t> shape = r.resultShape();
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 0 || size > (1 << 22) || llvm::MulOverflow(elements, size, elements) || elements > INT32_MAX)
      return n.refuse(Code::TooManyElements, "the result has too many elements");
  if (llvm::is_contained(shape, 0))
    return {b.splat(tensorType(r.x).clone(shape), 0)};
  if (numElements(r.x) == 0)
    return n.refuse(Code::EmptyAxis, "there is nothing to resize");
  if (isNativeBilinear(r))
    return {b.create<Resize2dOp>(r.x, ArrayRef(shape).drop_front(2), Resize2dMode::Bilinear, /*align_corners=*/false,
                                 /*channel_last=*/false)};
  Value x = r.x;
  SmallVector<AxisTaps> plans;
  for (const ResizedAxis &axis : r.axes) {
    FailureOr<AxisTaps> plan = tapsOf(n, r.how, axis);
    if (failed(plan) || !x)
      return {};
    x = resizeAxis(b, x, axis.axis, *plan);
    plans.push_back(std::move(*plan));
  }
  // Last, because an interpolation of extrapolated elements would round, and a cubic one overflow.
  for (auto [axis, plan] : llvm::zip_equal(r.axes, plans))
    x = extrapolated(b, x, axis.axis, plan, r.how.extrapolation);
  return {x};
}

static Values convertResize(OnnxNode &n, ForgeBuilder &b) {
  Resizing r;
  r.x = n.input(0);
  static constexpr StringRef kModes[] = {"nearest", "linear", "cubic"};
  r.how.mode = n.choiceAttr("mode", ArrayRef(kModes).take_front(n.since() >= 11 ? 3 : 2));
  if (!r.x)
    return {};
  n.since() < 11 ? readVersion10(n, r) : readVersion11(n, r);
  return resize(n, b, r);
}

// Upsample is like Resize with asymmetric coordinates. Version 1 scales height and width.
static Values convertUpsample(OnnxNode &n, ForgeBuilder &b) {
  Resizing r;
  r.x = n.input(0);
  static constexpr StringRef kModes[] = {"nearest", "linear", "bilinear"};
  r.how.mode = n.choiceAttr("mode", ArrayRef(kModes).take_front(n.since() >= 7 ? 2 : 3));
  r.how.mode.consume_front("bi");
  r.how.coordinates = "asymmetric";
  r.how.nearest = "floor";
  SmallVector<double> scales;
  if (n.since() < 7)
    scales = {1, 1, n.floatAttr("height_scale"), n.floatAttr("width_scale")};
  else if (n.since() < 9)
    scales = n.floatsAttr("scales");
  else if (DenseElementsAttr attr = n.constant(1, "scales"))
    scales = numberValues(attr);
  if (n.failed())
    return {};
  if (llvm::any_of(scales, [](double scale) { return !(scale >= 1); }))
    n.refuse(Code::SizeInvalid, "scales must be at least 1");
  r.axes = axesFromScales(n, r.x, allAxes(rankOf(r.x)), scales);
  return resize(n, b, r);
}

void forge::registerResizeOps(OnnxRegistry &registry) {
  registry.add({
      {"Resize", {10, 11, 13, 18, 19}, convertResize},
      {"Upsample", {1, 7, 9, 10}, convertUpsample},
  });
}
