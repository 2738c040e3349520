//===- Interpolation.cpp - the taps of resized elements -------------------===//

#include "Interpolation.h"

#include <cmath>

using namespace mlir;
using namespace forge;

constexpr size_t kMostTaps = 32;

// The coordinate in the operand of result element `x`, computed in the type of `x`; nullopt if it is extrapolated.
template <typename Number>
static std::optional<double> sourceCoordinate(const Interpolation &how, const ResizedAxis &axis, Number x) {
  Number last = axis.input - 1, scale = axis.scale, length = axis.length, half = 0.5;
  if (how.coordinates == "align_corners")
    return length == 1 ? 0 : x * last / (length - 1);
  if (how.coordinates == "asymmetric")
    return x / scale;
  if (how.coordinates == "tf_crop_and_resize") {
    Number begin = axis.roiBegin, range = static_cast<Number>(axis.roiEnd) - begin;
    Number at = begin * last + (length == 1 ? range * last / 2 : x * range * last / (length - 1));
    return at < 0 || at > last ? std::nullopt : std::optional<double>(at);
  }
  // As in ONNX's text and onnxruntime; ONNX's reference uses -0.5.
  if (how.coordinates == "pytorch_half_pixel" && length <= 1)
    return 0;
  if (how.coordinates == "tf_half_pixel_for_nn") // As in onnxruntime, an axis of scale 1 is not resized.
    return scale == 1 ? x : (x + half) / scale;
  Number at = (x + half) / scale - half;
  if (how.coordinates == "half_pixel_symmetric")
    at += static_cast<Number>(axis.input) / 2 * (1 - static_cast<Number>(axis.output) / length);
  return at;
}

static double cubicWeight(double distance, double a) {
  double x = std::abs(distance);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// The coordinate of result element `i` if the scale is the ratio of the sizes, for coordinates that do not depend on
// more. The only rounding is that of the quotient, so that integers and halves are exact.
static std::optional<double> coordinateOfRatio(const Interpolation &how, const ResizedAxis &axis, int64_t i) {
  double input = static_cast<double>(axis.input), output = static_cast<double>(axis.output);
  double x = static_cast<double>(i);
  if (how.coordinates == "asymmetric")
    return x * input / output;
  if (how.coordinates == "half_pixel" || (how.coordinates == "pytorch_half_pixel" && output > 1))
    return ((2 * x + 1) * input - output) / (2 * output);
  return std::nullopt;
}

// The tap of the nearest element; false if it is not defined.
static bool nearestTap(const Interpolation &how, const ResizedAxis &axis, double at, Taps &taps) {
  // A scale such as 1.2 is rounded to float32, so that a coordinate that would be 7.5 is 7.4999995. As in onnxruntime,
  // it counts as a half.
  constexpr double kHalf = 1e-6;
  double low = std::floor(at), fraction = at - low;
  bool isExact = fraction == 0 || how.nearest == "floor";
  if (!isExact && how.ambiguousNearest)
    return false;
  bool isHalf = std::abs(fraction - 0.5) <= kHalf;
  bool up = !isExact && (how.nearest == "ceil" || (isHalf ? how.nearest == "round_prefer_ceil" : fraction > 0.5));
  taps[std::clamp<int64_t>(static_cast<int64_t>(low) + up, 0, axis.input - 1)] = 1;
  return true;
}

// The taps of a linear or cubic kernel; false if all weights are zero.
static bool kernelTaps(const Interpolation &how, const ResizedAxis &axis, double at, Taps &taps) {
  auto clamped = [&](int64_t index) { return std::clamp<int64_t>(index, 0, axis.input - 1); };
  bool cubic = how.mode == "cubic";
  // Antialiasing widens the kernel by the downsampling factor.
  double shrink = how.antialias ? std::min(axis.scale, 1.0) : 1.0, reach = (cubic ? 2 : 1) / shrink, sum = 0;
  int64_t base = static_cast<int64_t>(std::floor(at));
  for (int64_t index = base - static_cast<int64_t>(reach) - 1; index <= base + static_cast<int64_t>(reach) + 2;
       ++index) {
    double distance = (static_cast<double>(index) - at) * shrink;
    double weight = cubic ? cubicWeight(distance, how.cubicA) : std::max(0.0, 1 - std::abs(distance));
    if (weight == 0 || (how.excludeOutside && index != clamped(index)))
      continue;
    taps[clamped(index)] += weight;
    sum += weight;
  }
  if (!how.antialias && !how.excludeOutside)
    sum = 1; // Up to rounding, it is 1 already.
  if (sum == 0)
    return false;
  for (double &weight : llvm::make_second_range(taps))
    weight /= sum;
  return true;
}

FailureOr<AxisTaps> forge::tapsOf(OnnxNode &n, const Interpolation &how, const ResizedAxis &axis) {
  // Each side of a kernel that reaches this far has too many elements, which are not worth counting.
  double reach = how.antialias && how.mode != "nearest" ? 1 / std::min(axis.scale, 1.0) : 0;
  if (std::min(reach, static_cast<double>(axis.input)) > 4 * kMostTaps)
    return n.refuse(Code::TooMuchToUnroll,
                    "antialiasing over more than " + Twine(kMostTaps) + " elements is too much to unroll");
  // Scales and regions are float32, and so are coordinates in onnxruntime. In more precision, 1 / 0.2 is less than 5.
  bool isSingle = how.coordinates == "tf_crop_and_resize" ||
                  (how.mode == "nearest" && static_cast<float>(axis.scale) == axis.scale);
  AxisTaps result{std::vector<Taps>(axis.output), std::vector<bool>(axis.output, false)};
  for (int64_t i = 0; i < axis.output; ++i) {
    Taps &taps = result.taps[i];
    std::optional<double> at = axis.isRatio ? coordinateOfRatio(how, axis, i) : std::nullopt;
    if (!at)
      at = isSingle ? sourceCoordinate(how, axis, static_cast<float>(i))
                    : sourceCoordinate(how, axis, static_cast<double>(i));
    result.outside[i] = !at;
    if (at && !(std::abs(*at) < INT32_MAX))
      return n.refuse(Code::ResultUndefined, "a coordinate is not finite");
    if (!at)
      taps[0] = 1;
    else if (how.mode == "nearest" ? !nearestTap(how, axis, *at, taps) : !kernelTaps(how, axis, *at, taps))
      return n.refuse(Code::ResultUndefined, "the attributes do not say which elements make result " + Twine(i) +
                                                 " of axis " + Twine(axis.axis));
    result.most = std::max(result.most, taps.size());
    result.moves |= taps.size() != 1 || taps.begin()->first != i || taps.begin()->second != 1;
  }
  result.moves |= axis.input != axis.output;
  if (result.moves && result.most > kMostTaps)
    return n.refuse(Code::TooMuchToUnroll,
                    "antialiasing over " + Twine(result.most) + " elements is too much to unroll");
  return result;
}
