//===- Window.cpp - ONNX HannWindow, HammingWindow, BlackmanWindow --------===//

#include "Signal.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int64_t kMostElements = 1 << 22;
static constexpr double kPi = 3.14159265358979323846;

Value forge::numbers(OnnxNode &n, ForgeBuilder &b, ArrayRef<int64_t> shape, ArrayRef<double> values) {
  Type element = elementTypeOfCode(n.intAttr("output_datatype", 1), b.getBuilder().getContext());
  if (!element) {
    n.refuse(Code::TypeNotHeld, "the device has no type for attribute 'output_datatype'");
    return {};
  }
  HostTensor result{RankedTensorType::get(shape, element), {}, {}};
  if (!result.isFloat() && llvm::any_of(values, [](double value) { return std::isnan(value); })) {
    n.refuse(Code::ResultUndefined, "NaN is no integer");
    return {};
  }
  for (double value : values)
    result.isFloat() ? result.floats.push_back(value) : result.ints.push_back(static_cast<int64_t>(value));
  return b.constant(result.toAttr());
}

// HannWindow, HammingWindow, BlackmanWindow (since 17): a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), where N is the
// size, or one less for a symmetric window.
template <typename Coefficients>
static Values window(OnnxNode &n, ForgeBuilder &b) {
  int64_t size = n.constantInt(0, "size");
  bool periodic = n.flagAttr("periodic", true);
  if (size < 0 || size > kMostElements)
    n.refuse(Code::SizeInvalid, "a window of " + Twine(size) + " elements is not supported");
  if (n.failed())
    return {};
  double period = static_cast<double>(periodic ? size : size - 1);
  SmallVector<double> values;
  for (int64_t i = 0; i < size; ++i) {
    // A symmetric window of one element has no period: ONNX's own definition makes it NaN.
    double phase = 2 * kPi * static_cast<double>(i) / period;
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

Values forge::convertHannWindow(OnnxNode &n, ForgeBuilder &b) { return window<Hann>(n, b); }
Values forge::convertHammingWindow(OnnxNode &n, ForgeBuilder &b) { return window<Hamming>(n, b); }
Values forge::convertBlackmanWindow(OnnxNode &n, ForgeBuilder &b) { return window<Blackman>(n, b); }
