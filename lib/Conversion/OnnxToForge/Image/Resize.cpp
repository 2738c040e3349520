//===- Resize.cpp - ONNX Resize and Upsample ------------------------------===//
//
// Interpolation is separable, and which elements with which weights make a result element is known at compile time:
// each axis is a sum of weighted gathers.
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace forge;

namespace {
// What the attributes say, for all axes.
struct Interpolation {
  StringRef mode, coordinates, nearest;
  double cubicA = -0.75, extrapolation = 0;
  bool antialias = false, excludeOutside = false;
  bool ambiguousNearest = false; // opset 10 does not say how to round when it shrinks
};

// One resized axis.
struct Axis {
  int64_t axis, input, output;
  double scale, length; // `length` is scale * input before it was cut to a whole number
  double roiBegin = 0, roiEnd = 1;
};

// The elements and weights of each result element; a result outside of the region of interest has none.
using Taps = std::map<int64_t, double>;
} // namespace

constexpr size_t kMostTaps = 32;

// The coordinate in the operand of result element `x`; nothing when it is extrapolated.
static std::optional<double> sourceCoordinate(const Interpolation &how, const Axis &axis, double x) {
  double last = static_cast<double>(axis.input - 1), scale = axis.scale;
  if (how.coordinates == "align_corners")
    return axis.length == 1 ? 0 : x * last / (axis.length - 1);
  if (how.coordinates == "asymmetric")
    return x / scale;
  if (how.coordinates == "tf_crop_and_resize") {
    double range = axis.roiEnd - axis.roiBegin;
    double at = axis.length == 1 ? range * last / 2 : x * range * last / (axis.length - 1);
    at += axis.roiBegin * last;
    return at < 0 || at > last ? std::nullopt : std::optional(at);
  }
  if (how.coordinates == "pytorch_half_pixel" && axis.length == 1)
    return -0.5;
  if (how.coordinates == "tf_half_pixel_for_nn")
    return (x + 0.5) / scale;
  double at = (x + 0.5) / scale - 0.5;
  if (how.coordinates == "half_pixel_symmetric")
    at += static_cast<double>(axis.input) / 2 * (1 - static_cast<double>(axis.output) / axis.length);
  return at;
}

static double cubicWeight(double distance, double a) {
  double x = std::abs(distance);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static std::optional<int64_t> nearestIndex(const Interpolation &how, double at) {
  double low = std::floor(at), fraction = at - low;
  if (fraction == 0 || how.nearest == "floor")
    return static_cast<int64_t>(low);
  if (how.ambiguousNearest)
    return std::nullopt;
  bool up = how.nearest == "ceil" || fraction > 0.5 || (fraction == 0.5 && how.nearest == "round_prefer_ceil");
  return static_cast<int64_t>(low) + up;
}

// The taps of one result element, false when it cannot be said.
static bool tapsAt(const Interpolation &how, const Axis &axis, double at, Taps &taps) {
  auto clamped = [&](int64_t index) { return std::clamp<int64_t>(index, 0, axis.input - 1); };
  if (how.mode == "nearest") {
    std::optional<int64_t> index = nearestIndex(how, at);
    if (index)
      taps[clamped(*index)] = 1;
    return index.has_value();
  }
  bool cubic = how.mode == "cubic";
  // Antialiasing widens the kernel as far as the axis shrinks.
  double shrink = how.antialias ? std::min(axis.scale, 1.0) : 1.0, reach = (cubic ? 2 : 1) / shrink, sum = 0;
  int64_t base = static_cast<int64_t>(std::floor(at));
  SmallVector<std::pair<int64_t, double>> weights;
  for (int64_t index = base - static_cast<int64_t>(reach) - 1; index <= base + static_cast<int64_t>(reach) + 2;
       ++index) {
    double distance = (static_cast<double>(index) - at) * shrink;
    double weight = cubic ? cubicWeight(distance, how.cubicA) : std::max(0.0, 1 - std::abs(distance));
    if (weight == 0 || (how.excludeOutside && index != clamped(index)))
      continue;
    weights.push_back({clamped(index), weight});
    sum += weight;
  }
  if (!how.antialias && !how.excludeOutside)
    sum = 1;
  if (sum == 0)
    return false;
  for (auto [index, weight] : weights)
    taps[index] += weight / sum;
  return true;
}

// Resizes one axis; `outside` collects which results lie outside of the region of interest.
static Value resizeAxis(OnnxNode &n, ForgeBuilder &b, Value x, const Interpolation &how, const Axis &axis,
                        std::vector<bool> &outside) {
  std::vector<Taps> taps(axis.output);
  outside.assign(axis.output, false);
  size_t most = 1;
  bool moves = false;
  for (int64_t i = 0; i < axis.output; ++i) {
    std::optional<double> at = sourceCoordinate(how, axis, static_cast<double>(i));
    outside[i] = !at;
    if (at && !(std::abs(*at) < INT32_MAX)) {
      n.refuse(Code::ResultUndefined, "a coordinate is not finite");
      return {};
    }
    if (!at)
      taps[i][0] = 1;
    else if (!tapsAt(how, axis, *at, taps[i])) {
      n.refuse(Code::ResultUndefined,
               "the attributes do not say which elements make result " + Twine(i) + " of axis " + Twine(axis.axis));
      return {};
    }
    most = std::max(most, taps[i].size());
    moves |= taps[i].size() != 1 || taps[i].begin()->first != i || taps[i].begin()->second != 1;
  }
  if (!moves && axis.input == axis.output)
    return x;
  if (most > kMostTaps) {
    n.refuse(Code::TooMuchToUnroll, "antialiasing over " + Twine(most) + " elements is too much to unroll");
    return {};
  }
  Value sum;
  SmallVector<int64_t> weightShape(tensorType(x).getRank(), 1);
  weightShape[axis.axis] = axis.output;
  // Where there are fewer taps than elsewhere, the first one counts in halves: that is exact, and 0 * infinity is not.
  for (size_t k = 0; k < most; ++k) {
    SmallVector<int64_t> table;
    HostTensor weights{RankedTensorType::get(weightShape, tensorType(x).getElementType()), {}, {}};
    for (const Taps &list : taps) {
      auto [index, weight] = *std::next(list.begin(), k < list.size() ? k : 0);
      double share = weight;
      if (k == 0 || k >= list.size()) {
        size_t halvings = most - list.size(); // w = w/2 + w/4 + ... + w/2^h + w/2^h
        size_t step = k == 0 ? 1 : k - list.size() + 2;
        share = halvings == 0 ? weight : std::ldexp(weight, -static_cast<int>(std::min(step, halvings)));
      }
      table.push_back(index);
      weights.floats.push_back(share);
    }
    Value term = b.take(x, axis.axis, table);
    if (llvm::any_of(weights.floats, [](double weight) { return weight != 1; }))
      term = b.create<MultiplyOp>(term, b.constant(weights.toAttr()));
    sum = sum ? b.create<AddOp>(sum, term) : term;
    if (!sum)
      return {};
  }
  return sum;
}

// Forge has bilinear interpolation itself, for half-pixel centres and whole factors of height and width.
static bool isNativeBilinear(Value x, const Interpolation &how, ArrayRef<Axis> axes) {
  bool centred = how.coordinates == "half_pixel" || how.coordinates == "half_pixel_symmetric" ||
                 how.coordinates == "pytorch_half_pixel";
  return how.mode == "linear" && centred && !how.excludeOutside && tensorType(x).getRank() == 4 &&
         tensorType(x).getElementType().isF32() && llvm::all_of(axes, [&](const Axis &axis) {
           bool whole =
               axis.output % axis.input == 0 && axis.length == static_cast<double>(axis.output) && axis.output > 1;
           return axis.axis >= 2 ? whole : axis.input == axis.output && axis.scale == 1;
         });
}

static Value resize(OnnxNode &n, ForgeBuilder &b, Value x, const Interpolation &how, ArrayRef<Axis> axes) {
  if (how.mode != "nearest" && !isa<FloatType>(tensorType(x).getElementType())) {
    n.refuse(Code::RoundingUndefined, "interpolation of integers rounds in no defined way");
    return {};
  }
  int64_t rank = tensorType(x).getRank(), elements = 1;
  SmallVector<int64_t> shape(shapeOf(x));
  for (const Axis &axis : axes)
    shape[axis.axis] = axis.output;
  for (int64_t size : shape)
    if (size < 0 || size > (1 << 22) || llvm::MulOverflow(elements, size, elements) || elements > INT32_MAX) {
      n.refuse(Code::TooManyElements, "the result has too many elements");
      return {};
    }
  if (elements == 0)
    return b.splat(tensorType(x).clone(shape), 0);
  if (tensorType(x).getNumElements() == 0) {
    n.refuse(Code::EmptyAxis, "there is nothing to resize");
    return {};
  }
  if (isNativeBilinear(x, how, axes) && ArrayRef(shape) != shapeOf(x))
    return b.create<Resize2dOp>(x, ArrayRef(shape).drop_front(2), "bilinear", /*align_corners=*/false,
                                /*channel_last=*/false);
  Value outsideAny;
  for (const Axis &axis : axes) {
    std::vector<bool> outside;
    x = resizeAxis(n, b, x, how, axis, outside);
    if (!x)
      return {};
    if (llvm::is_contained(outside, true)) {
      SmallVector<int64_t> maskShape(rank, 1);
      maskShape[axis.axis] = axis.output;
      HostTensor mask{RankedTensorType::get(maskShape, b.getBuilder().getI1Type()), {}, {}};
      mask.ints.assign(outside.begin(), outside.end());
      x = b.create<WhereOp>(b.constant(mask.toAttr()), b.scalarLike(x, how.extrapolation), x);
    }
  }
  return x;
}

// The axes for scales: sizes are cut to whole numbers.
static SmallVector<Axis> axesFromScales(OnnxNode &n, Value x, ArrayRef<int64_t> axes, ArrayRef<double> scales) {
  SmallVector<Axis> result;
  if (axes.size() != scales.size())
    n.refuse(Code::SizeInvalid, "there are " + Twine(scales.size()) + " scales for " + Twine(axes.size()) + " axes");
  for (auto [axis, scale] : llvm::zip(axes, scales)) {
    double input = static_cast<double>(shapeOf(x)[axis]), output = std::floor(scale * input);
    if (!(scale > 0) || !(output <= INT32_MAX)) {
      n.refuse(Code::SizeInvalid, "a scale is not positive or too large");
      return {};
    }
    // The length is a product of 32-bit floats, as scales are.
    float length = static_cast<float>(scale) * static_cast<float>(input);
    result.push_back({axis, shapeOf(x)[axis], static_cast<int64_t>(output), scale, length});
  }
  return result;
}

// The axes for sizes. Keeping the aspect ratio uses one scale for all of them, and rounds.
static SmallVector<Axis> axesFromSizes(OnnxNode &n, Value x, ArrayRef<int64_t> axes, ArrayRef<int64_t> sizes,
                                       StringRef policy) {
  if (axes.size() != sizes.size())
    n.refuse(Code::SizeInvalid, "there are " + Twine(sizes.size()) + " sizes for " + Twine(axes.size()) + " axes");
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    n.refuse(Code::AttributeValue, "attribute 'keep_aspect_ratio_policy' must be stretch, not_larger or not_smaller");
  for (auto [axis, size] : llvm::zip(axes, sizes))
    if (size < 1 || size > INT32_MAX || shapeOf(x)[axis] == 0)
      n.refuse(Code::SizeInvalid, "a size is not positive or beyond 32 bits, or the operand is empty");
  if (n.failed() || axes.empty())
    return {};
  SmallVector<double> scales;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes))
    scales.push_back(static_cast<double>(size) / static_cast<double>(shapeOf(x)[axis]));
  double kept = policy == "not_larger" ? *llvm::min_element(scales) : *llvm::max_element(scales);
  SmallVector<Axis> result;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t input = shapeOf(x)[axis], output = sizes[i];
    if (policy != "stretch") {
      scales[i] = kept;
      output = static_cast<int64_t>(std::floor(kept * static_cast<double>(input) + 0.5));
    }
    result.push_back({axis, input, output, scales[i], scales[i] * static_cast<double>(input)});
  }
  return result;
}

// Resize (since 10, 11, 13, 18, 19). Version 10 has scales only, and coordinates that are asymmetric.
Values forge::convertResize(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  Interpolation how;
  how.mode = n.stringAttr("mode", "nearest");
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (how.mode != "nearest" && how.mode != "linear" && (how.mode != "cubic" || n.since() < 11))
    n.refuse(Code::AttributeValue, "attribute 'mode' must be nearest, linear or (since opset 11) cubic");
  if (n.since() < 11) {
    how.coordinates = "asymmetric";
    how.nearest = "floor";
    DenseElementsAttr scales = n.constant(1, "scales");
    if (n.failed())
      return {};
    SmallVector<Axis> resized = axesFromScales(n, x, axes, numberValues(scales));
    if (llvm::any_of(resized, [](const Axis &axis) { return axis.scale < 1; })) {
      how.nearest = "round_prefer_floor";
      how.ambiguousNearest = true;
    }
    return {n.failed() ? Value() : resize(n, b, x, how, resized)};
  }
  how.coordinates = n.stringAttr("coordinate_transformation_mode", "half_pixel");
  how.nearest = n.stringAttr("nearest_mode", "round_prefer_floor");
  how.cubicA = n.floatAttr("cubic_coeff_a", -0.75);
  how.extrapolation = n.floatAttr("extrapolation_value", 0);
  how.antialias = n.since() >= 18 && n.flagAttr("antialias", false);
  // Nearest has no kernel to cut off, and two linear taps are one element outside.
  how.excludeOutside =
      n.flagAttr("exclude_outside", false) && (how.mode == "cubic" || (how.mode == "linear" && how.antialias));
  StringRef policy = n.since() >= 18 ? n.stringAttr("keep_aspect_ratio_policy", "stretch") : "stretch";
  if (n.since() >= 18 && n.hasAttr("axes"))
    axes = n.axes(n.intsAttr("axes"), rank);
  static constexpr StringLiteral kNearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  static constexpr StringLiteral kCoordinates[] = {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                                   "tf_crop_and_resize"};
  bool symmetric = how.coordinates == "half_pixel_symmetric" && n.since() >= 19;
  bool halfForNearest = how.coordinates == "tf_half_pixel_for_nn" && n.since() == 11;
  if (!llvm::is_contained(kNearest, how.nearest))
    n.refuse(Code::AttributeValue, "attribute 'nearest_mode' has an unknown value");
  if (!llvm::is_contained(kCoordinates, how.coordinates) && !symmetric && !halfForNearest)
    n.refuse(Code::AttributeValue,
             "attribute 'coordinate_transformation_mode' has a value that this opset does not define");
  auto given = [&](unsigned i, StringRef what) {
    if (!n.hasInput(i))
      return DenseElementsAttr();
    DenseElementsAttr attr = n.constant(i, what);
    return attr && attr.getNumElements() > 0 ? attr : DenseElementsAttr();
  };
  DenseElementsAttr roi = how.coordinates == "tf_crop_and_resize" ? given(1, "roi") : DenseElementsAttr();
  DenseElementsAttr scales = given(2, "scales"), sizes = given(3, "sizes");
  if (n.failed())
    return {};
  if (static_cast<bool>(scales) == static_cast<bool>(sizes)) {
    n.refuse(Code::AttributeMismatch, "exactly one of 'scales' and 'sizes' must be given");
    return {};
  }
  SmallVector<Axis> resized =
      scales ? axesFromScales(n, x, axes, numberValues(scales)) : axesFromSizes(n, x, axes, intValues(sizes), policy);
  if (n.failed())
    return {};
  // ONNX's reference takes the fraction for the length of the result, onnxruntime and torch the whole number.
  if (how.coordinates == "align_corners")
    for (const Axis &axis : resized)
      if (axis.input > 1 && axis.length != static_cast<double>(axis.output))
        n.refuse(Code::ResultUndefined, "align_corners on scales that give an axis the length " +
                                            Twine(std::to_string(axis.length)) +
                                            ", where ONNX's reference and onnxruntime disagree; give sizes instead");
  if (n.failed())
    return {};
  if (how.coordinates == "tf_crop_and_resize") {
    SmallVector<double> bounds = roi ? numberValues(roi) : SmallVector<double>();
    if (bounds.size() != 2 * resized.size()) {
      n.refuse(Code::SizeInvalid, "'roi' must have a begin and an end per axis");
      return {};
    }
    for (auto [i, axis] : llvm::enumerate(resized)) {
      axis.roiBegin = bounds[i];
      axis.roiEnd = bounds[resized.size() + i];
    }
  }
  return {resize(n, b, x, how, resized)};
}

// Upsample (since 1, 7, 9, 10): like Resize with asymmetric coordinates. Version 1 scales height and width.
Values forge::convertUpsample(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  Interpolation how;
  how.mode = n.stringAttr("mode", "nearest");
  how.coordinates = "asymmetric";
  how.nearest = "floor";
  if (how.mode == "bilinear" && n.since() < 7)
    how.mode = "linear";
  if (how.mode != "nearest" && how.mode != "linear")
    n.refuse(Code::AttributeValue, "attribute 'mode' must be nearest or linear");
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
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, tensorType(x).getRank()));
  SmallVector<Axis> resized = axesFromScales(n, x, axes, scales);
  return {n.failed() ? Value() : resize(n, b, x, how, resized)};
}
