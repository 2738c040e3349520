//===- Window.cpp - ONNX window functions and mel weights -----------------===//

#include "Signal.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int64_t kMostElements = 1 << 22;
static constexpr double kPi = 3.14159265358979323846;

static Value numbers(OnnxNode &n, ForgeBuilder &b, ArrayRef<int64_t> shape, ArrayRef<double> values) {
  Type element = elementTypeOfCode(n.intAttr("output_datatype", 1), b.getBuilder().getContext());
  if (!element) {
    n.refuse("the device has no type for attribute 'output_datatype'");
    return {};
  }
  HostTensor result{RankedTensorType::get(shape, element), {}, {}};
  for (double value : values)
    result.isFloat() ? result.floats.push_back(value) : result.ints.push_back(static_cast<int64_t>(value));
  return b.constant(result.toAttr());
}

// HannWindow, HammingWindow, BlackmanWindow (since 17): a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), where N is the
// size, or one less for a symmetric window.
template <typename Coefficients>
static Values convertWindow(OnnxNode &n, ForgeBuilder &b) {
  int64_t size = n.constantInt(0, "size");
  bool periodic = n.flagAttr("periodic", true);
  if (size < 0 || size > kMostElements)
    n.refuse("a window of " + Twine(size) + " elements is not supported");
  if (n.failed())
    return {};
  double period = static_cast<double>(periodic ? size : size - 1);
  SmallVector<double> values;
  for (int64_t i = 0; i < size; ++i) {
    // A symmetric window of one element has no period; its phase is taken as 0 / 1.
    double phase = 2 * kPi * static_cast<double>(i) / (period == 0 ? 1 : period);
    values.push_back(Coefficients::a0 - Coefficients::a1 * std::cos(phase) + Coefficients::a2 * std::cos(2 * phase));
  }
  return {numbers(n, b, {size}, values)};
}

namespace {
struct Hann {
  static constexpr double a0 = 0.5, a1 = 0.5, a2 = 0;
};
struct Hamming {
  static constexpr double a0 = 25.0 / 46.0, a1 = 21.0 / 46.0, a2 = 0;
};
struct Blackman {
  static constexpr double a0 = 0.42, a1 = 0.5, a2 = 0.08;
};
} // namespace

// MelWeightMatrix (since 17): triangles that are evenly spaced on the mel scale, over the bins of a spectrogram.
static Values convertMelWeightMatrix(OnnxNode &n, ForgeBuilder &b) {
  int64_t bands = n.constantInt(0, "num_mel_bins");
  int64_t length = n.constantInt(1, "dft_length");
  double rate = n.constantScalar(2, "sample_rate");
  double low = n.constantScalar(3, "lower_edge_hertz"), high = n.constantScalar(4, "upper_edge_hertz");
  if (n.failed())
    return {};
  if (bands < 1 || length < 1 || bands > kMostElements || length > kMostElements || !(rate > 0) || !(low >= 0) ||
      !(high > low) || !std::isfinite(high)) {
    n.refuse("the sizes or frequencies make no sense");
    return {};
  }
  int64_t bins = length / 2 + 1;
  if (bins * bands > kMostElements) {
    n.refuse("the matrix has too many elements");
    return {};
  }
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double first = toMel(low), step = (toMel(high) - first) / static_cast<double>(bands + 2);
  SmallVector<int64_t> edges;
  for (int64_t i = 0; i < bands + 2; ++i) {
    double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + first) / 2595) - 1);
    edges.push_back(static_cast<int64_t>(std::floor(static_cast<double>(length + 1) * hertz / rate)));
  }
  if (edges.back() > bins || edges.front() < 0) {
    n.refuse("a frequency lies outside the spectrogram");
    return {};
  }
  SmallVector<double> matrix(bins * bands, 0.0);
  auto at = [&](int64_t bin, int64_t band) -> double & { return matrix[bin * bands + band]; };
  for (int64_t band = 0; band < bands; ++band) {
    int64_t left = edges[band], centre = edges[band + 1], right = edges[band + 2];
    if (centre >= bins) {
      n.refuse("a frequency lies outside the spectrogram");
      return {};
    }
    if (left == centre)
      at(centre, band) = 1;
    for (int64_t bin = left; bin <= centre && left != centre; ++bin)
      at(bin, band) = static_cast<double>(bin - left) / static_cast<double>(centre - left);
    for (int64_t bin = centre; bin < right; ++bin)
      at(bin, band) = static_cast<double>(right - bin) / static_cast<double>(right - centre);
  }
  return {numbers(n, b, {bins, bands}, matrix)};
}

void forge::registerWindowOps(OnnxRegistry &r) {
  r.add("HannWindow", {17}, convertWindow<Hann>);
  r.add("HammingWindow", {17}, convertWindow<Hamming>);
  r.add("BlackmanWindow", {17}, convertWindow<Blackman>);
  r.add("MelWeightMatrix", {17}, convertMelWeightMatrix);
}

void forge::registerSignalOps(OnnxRegistry &r) {
  registerFourierOps(r);
  registerWindowOps(r);
}
