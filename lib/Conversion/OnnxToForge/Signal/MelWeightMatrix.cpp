//===- MelWeightMatrix.cpp - ONNX MelWeightMatrix -------------------------===//

#include "Signal.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// MelWeightMatrix (since 17): triangular filters, evenly spaced on the mel scale, over the bins of a spectrogram.
Values forge::convertMelWeightMatrix(OnnxNode &n, ForgeBuilder &b) {
  int64_t bands = n.constantInt(0, "num_mel_bins");
  int64_t length = n.constantInt(1, "dft_length");
  double rate = n.constantScalar(2, "sample_rate");
  double low = n.constantScalar(3, "lower_edge_hertz"), high = n.constantScalar(4, "upper_edge_hertz");
  if (n.failed())
    return {};
  if (bands < 1 || length < 1 || bands > kMostSignalElements || length > kMostSignalElements || !(rate > 0) ||
      !(low >= 0) || !(high > low) || !std::isfinite(high))
    return n.refuse(Code::SizeInvalid, "the sizes or frequencies make no sense");
  int64_t bins = length / 2 + 1;
  if (bins * bands > kMostSignalElements)
    return n.refuse(Code::TooManyElements, "the matrix has too many elements");
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double first = toMel(low), step = (toMel(high) - first) / static_cast<double>(bands + 2);
  SmallVector<int64_t> edges;
  for (int64_t i = 0; i < bands + 2; ++i) {
    double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + first) / 2595) - 1);
    double bin = std::min(static_cast<double>(length + 1) * hertz / rate, static_cast<double>(bins + 1));
    edges.push_back(static_cast<int64_t>(std::floor(bin)));
  }
  // The last filter has its maximum at the last edge but one.
  if (edges.back() > bins || edges[bands] >= bins)
    return n.refuse(Code::OutOfRange, "a frequency lies outside the spectrogram");
  SmallVector<double> matrix(bins * bands, 0.0);
  auto at = [&](int64_t bin, int64_t band) -> double & { return matrix[bin * bands + band]; };
  for (int64_t band = 0; band < bands; ++band) {
    int64_t left = edges[band], centre = edges[band + 1], right = edges[band + 2];
    if (left == centre)
      at(centre, band) = 1;
    for (int64_t bin = left; bin <= centre && left != centre; ++bin)
      at(bin, band) = static_cast<double>(bin - left) / static_cast<double>(centre - left);
    for (int64_t bin = centre; bin < right; ++bin)
      at(bin, band) = static_cast<double>(right - bin) / static_cast<double>(right - centre);
  }
  return {signalConstant(n, b, {bins, bands}, matrix)};
}
