//===- DFT.cpp - ONNX DFT and STFT ----------------------------------------===//

#include "Signal.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int64_t kMostBins = 1 << 20;

namespace {
// A complex signal; `imag` is null if it is 0.
struct Complex {
  Value real, imag;
};

struct Transform {
  int64_t length;  // of the signal, which is truncated or zero-padded to it
  int64_t outputs; // the number of leading bins to compute
  bool inverse;
  bool fromHalf; // the operand is the first half of the spectrum of a real signal
};
} // namespace

// Truncates or zero-pads the trailing axis.
static Value resizeLast(ForgeBuilder &b, Value x, int64_t size) {
  if (!x)
    return {};
  int64_t rank = rankOf(x), present = shapeOf(x).back();
  if (present >= size)
    return b.slice(x, rank - 1, 0, size);
  SmallVector<int64_t> none(rank, 0);
  return b.pad(x, none, withSize(none, rank - 1, size - present), 0);
}

// The transform along the trailing axis: products with matrices of cosines and sines.
static Complex transform(OnnxNode &n, ForgeBuilder &b, Complex x, const Transform &t) {
  int64_t rows = t.fromHalf ? t.length / 2 + 1 : t.length;
  if (t.length < 1 || t.length > kMostBins || rows * t.outputs > kMostBins) {
    n.refuse(Code::SizeInvalid, "a Fourier transform of length " + Twine(t.length) + " is not supported");
    return {};
  }
  x.real = resizeLast(b, x.real, rows);
  x.imag = resizeLast(b, x.imag, rows);
  if (!x.real)
    return {};
  auto length = static_cast<double>(t.length);
  // A matrix [rows, outputs] of scale(row) * function(2 pi row column / length).
  auto waves = [&](double (*function)(double)) {
    return b.tabulate({rows, t.outputs}, elementOf(x.real), [&](ArrayRef<int64_t> at) {
      // All bins except the first and the middle one also stand for their conjugates.
      double count = t.fromHalf && at[0] != 0 && 2 * at[0] != t.length ? 2 : 1;
      int64_t position = at[0] * at[1] % t.length; // Reducing the angle by the period keeps it exact.
      return (t.inverse ? count / length : 1) * function(kTwoPi * static_cast<double>(position) / length);
    });
  };
  Value c = waves(std::cos), s = waves(std::sin);
  // exp(-i w) forward, exp(i w) inverse.
  Value real = b.matmul(x.real, c), imag = b.matmul(x.real, s);
  if (!t.inverse)
    imag = b.create<MultiplyOp>(imag, b.scalarLike(imag, -1));
  if (x.imag) {
    Value crossed = b.matmul(x.imag, s);
    real = t.inverse ? b.create<SubtractOp>(real, crossed) : b.create<AddOp>(real, crossed);
    imag = b.create<AddOp>(imag, b.matmul(x.imag, c));
  }
  return {real, imag};
}

// Real and imaginary part of an operand whose trailing axis has size 2, or size 1 for real signals.
static Complex partsOf(ForgeBuilder &b, Value x) {
  SmallVector<int64_t> shape(shapeOf(x).drop_back());
  int64_t last = shape.size();
  if (shapeOf(x).back() == 1)
    return {b.reshape(x, shape), {}};
  return {b.reshape(b.slice(x, last, 0, 1), shape), b.reshape(b.slice(x, last, 1, 2), shape)};
}

// Both parts along a new trailing axis of size 2.
static Value interleaved(ForgeBuilder &b, Complex x) {
  if (!x.real || !x.imag)
    return {};
  int64_t rank = rankOf(x.real);
  SmallVector<int64_t> shape = withAxis(shapeOf(x.real), rank);
  return b.concatenate({b.reshape(x.real, shape), b.reshape(x.imag, shape)}, rank);
}

// Swaps `axis` with the trailing one.
static Value swapLast(ForgeBuilder &b, Value x, int64_t axis) {
  return x ? b.swapAxes(x, axis, rankOf(x) - 1) : Value();
}

// DFT (since 17, 20). With onesided, the forward transform returns the first half of the spectrum, and the inverse one
// takes it and returns a real signal.
Values forge::convertDFT(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool inverse = n.flagAttr("inverse", false), onesided = n.flagAttr("onesided", false);
  int64_t axis = n.since() < 20 ? n.intAttr("axis", 1) : n.optionalConstantInt(2, "axis").value_or(-2);
  std::optional<int64_t> length = n.optionalConstantInt(1, "dft_length");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  axis = n.axis(axis, rank);
  if (rank < 2 || axis == rank - 1 || (shapeOf(x).back() != 1 && shapeOf(x).back() != 2) || numElements(x) == 0)
    n.refuse(Code::RankWrong, "the operand must end in an axis of 1 or 2 parts, which is not the one to transform");
  if (n.failed())
    return {};
  bool fromHalf = inverse && onesided;
  int64_t size = length ? *length : fromHalf ? 2 * (shapeOf(x)[axis] - 1) : shapeOf(x)[axis];
  Complex parts = partsOf(b, x);
  parts = {swapLast(b, parts.real, axis), swapLast(b, parts.imag, axis)};
  Complex result = transform(n, b, parts, {size, onesided && !inverse ? size / 2 + 1 : size, inverse, fromHalf});
  result = {swapLast(b, result.real, axis), swapLast(b, result.imag, axis)};
  if (!result.real || !fromHalf)
    return {interleaved(b, result)};
  return {b.reshape(result.real, withAxis(shapeOf(result.real), rank - 1))};
}

// STFT (since 17): windowed frames of the signal, each transformed.
Values forge::convertSTFT(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), window = n.optionalInput(2);
  int64_t step = n.constantInt(1, "frame_step");
  bool onesided = n.flagAttr("onesided", true);
  std::optional<int64_t> given = n.optionalConstantInt(3, "frame_length");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank == 2)
    x = b.reshape(x, withAxis(shapeOf(x), 2));
  if ((rank != 2 && rank != 3) || (shapeOf(x).back() != 1 && shapeOf(x).back() != 2))
    return n.refuse(Code::RankWrong, "the signal must be (batch, length, 1 or 2 parts)");
  int64_t batch = shapeOf(x)[0], total = shapeOf(x)[1];
  int64_t length = given ? *given : window ? numElements(window) : total;
  if (window && (rankOf(window) != 1 || shapeOf(window)[0] != length))
    n.refuse(Code::ShapeMismatch, "the window must have the length of a frame");
  if (step < 1 || length < 1 || length > total)
    n.refuse(Code::SizeInvalid, "the frames do not fit the signal");
  int64_t frames = n.failed() ? 0 : 1 + (total - length) / step;
  if (!n.failed() && (length > kMostBins || frames > kMostBins / length))
    n.refuse(Code::TooManyElements, "the frames have too many elements");
  if (n.failed())
    return {};
  SmallVector<int64_t> positions;
  for (int64_t frame = 0; frame < frames; ++frame)
    for (int64_t i = 0; i < length; ++i)
      positions.push_back(frame * step + i);
  Value indices = b.ints(positions);
  auto framed = [&](Value part) -> Value {
    if (!part)
      return {};
    part = b.reshape(b.create<AdvIndexOp>(part, indices, -1), {batch, frames, length});
    return window ? b.create<MultiplyOp>(part, window) : part;
  };
  Complex parts = partsOf(b, x);
  return {
      interleaved(b, transform(n, b, {framed(parts.real), framed(parts.imag)},
                               {length, onesided ? length / 2 + 1 : length, /*inverse=*/false, /*fromHalf=*/false}))};
}
