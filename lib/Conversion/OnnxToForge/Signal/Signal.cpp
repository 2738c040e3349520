//===- Signal.cpp - ONNX windows of signals -------------------------------===//

#include "Signal.h"

#include "../RegisterAll.h"

#include <cmath>

using namespace mlir;
using namespace forge;

Value forge::signalConstant(OnnxNode &n, ForgeBuilder &b, ArrayRef<int64_t> shape, ArrayRef<double> values) {
  Type element = elementTypeOfCode(n.intAttr("output_datatype", 1), b.getBuilder().getContext());
  if (!element)
    return n.refuse(Code::TypeNotHeld, "the device has no type for attribute 'output_datatype'");
  if (!isa<FloatType>(element) && llvm::any_of(values, [](double value) { return std::isnan(value); }))
    return n.refuse(Code::ResultUndefined, "NaN is no integer");
  const double *next = values.begin();
  return b.tabulate(shape, element, [&](ArrayRef<int64_t>) { return *next++; }); // In row-major order.
}

// HannWindow, HammingWindow, BlackmanWindow (since 17): a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), where N is the
// size, or one less for a symmetric window.
static Values window(OnnxNode &n, ForgeBuilder &b, double a0, double a1, double a2) {
  int64_t size = n.constantInt(0, "size");
  bool periodic = n.flagAttr("periodic", true);
  if (size < 0 || size > kMostSignalElements)
    n.refuse(Code::SizeInvalid, "a window of " + Twine(size) + " elements is not supported");
  if (n.failed())
    return {};
  double period = static_cast<double>(periodic ? size : size - 1);
  SmallVector<double> values;
  for (int64_t i = 0; i < size; ++i) {
    // A symmetric window of one element divides by zero: ONNX's definition gives NaN.
    double phase = kTwoPi * static_cast<double>(i) / period;
    // In this order of additions the largest element is exactly 1, also as an integer.
    values.push_back(a0 + (a2 * std::cos(2 * phase) - a1 * std::cos(phase)));
  }
  return {signalConstant(n, b, {size}, values)};
}

void forge::registerSignalOps(OnnxRegistry &registry) {
  auto windowOf = [](double a0, double a1, double a2) -> Converter {
    return [=](OnnxNode &n, ForgeBuilder &b) { return window(n, b, a0, a1, a2); };
  };
  registry.add({
      {"DFT", {17, 20}, convertDFT},
      {"STFT", {17}, convertSTFT},
      {"HannWindow", {17}, windowOf(0.5, 0.5, 0)},
      {"HammingWindow", {17}, windowOf(25.0 / 46.0, 21.0 / 46.0, 0)},
      {"BlackmanWindow", {17}, windowOf(0.42, 0.5, 0.08)},
      {"MelWeightMatrix", {17}, convertMelWeightMatrix},
  });
}
