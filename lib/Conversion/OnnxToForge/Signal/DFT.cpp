//===- DFT.cpp - ONNX DFT and STFT as matrix products ---------------------===//

#include "Signal.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int64_t kMostElements = 1 << 20;
static constexpr double kTwoPi = 2 * 3.14159265358979323846;

namespace {
// A complex signal: `imag` is null when it is 0.
struct Complex {
  Value real, imag;
};

struct Transform {
  int64_t length;  // of the signal, which is cut or filled up with zeros
  int64_t outputs; // that are wanted, from the first on
  bool inverse;
  bool fromHalf; // the operand is the first half of a spectrum whose signal is real
};
} // namespace

// rows x columns values of scale(row) * function(2 pi row column / length).
static Value waves(ForgeBuilder &b, Type element, int64_t rows, int64_t columns, int64_t length,
                   double (*function)(double), llvm::function_ref<double(int64_t)> scale) {
  HostTensor matrix{RankedTensorType::get({rows, columns}, element), {}, {}};
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      // The remainder keeps the angle small, and so exact.
      matrix.floats.push_back(
          scale(row) * function(kTwoPi * static_cast<double>(row * column % length) / static_cast<double>(length)));
  return b.constant(matrix.toAttr());
}

static double cosine(double angle) { return std::cos(angle); }
static double sine(double angle) { return std::sin(angle); }

// Cuts the last axis, or fills it up with zeros.
static Value resizeLast(ForgeBuilder &b, Value x, int64_t size) {
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank(), present = shapeOf(x).back();
  if (present >= size)
    return b.slice(x, rank - 1, 0, size);
  SmallVector<int64_t> none(rank, 0), after(rank, 0);
  after.back() = size - present;
  return b.pad(x, none, after, 0);
}

// The transform along the last axis: products with matrices of cosines and sines.
static Complex transform(OnnxNode &n, ForgeBuilder &b, Complex x, const Transform &t) {
  int64_t rows = t.fromHalf ? t.length / 2 + 1 : t.length;
  if (t.length < 1 || t.length > kMostElements || rows * t.outputs > kMostElements) {
    n.refuse(Code::SizeInvalid, "a Fourier transform of length " + Twine(t.length) + " is not supported");
    return {};
  }
  x.real = resizeLast(b, x.real, rows);
  x.imag = resizeLast(b, x.imag, rows);
  if (!x.real)
    return {};
  auto scale = [&](int64_t row) {
    // The bins between the first and the middle one count for themselves and their conjugates.
    double count = t.fromHalf && row != 0 && 2 * row != t.length ? 2 : 1;
    return t.inverse ? count / static_cast<double>(t.length) : 1;
  };
  Type element = tensorType(x.real).getElementType();
  Value c = waves(b, element, rows, t.outputs, t.length, cosine, scale);
  Value s = waves(b, element, rows, t.outputs, t.length, sine, scale);
  auto times = [&](Value a, Value matrix) { return b.create<MatmulOp>(a, matrix, OptionalOperand()); };
  // exp(-i w) forward, exp(i w) backward.
  Value real = times(x.real, c), imag = times(x.real, s);
  if (!t.inverse)
    imag = b.create<MultiplyOp>(imag, b.scalarLike(imag, -1));
  if (x.imag) {
    Value crossed = times(x.imag, s);
    real = t.inverse ? b.create<SubtractOp>(real, crossed) : b.create<AddOp>(real, crossed);
    imag = b.create<AddOp>(imag, times(x.imag, c));
  }
  return {real, imag};
}

// The parts of an operand whose last axis holds them, or only the real one.
static Complex partsOf(ForgeBuilder &b, Value x) {
  SmallVector<int64_t> shape(shapeOf(x).drop_back());
  int64_t last = shape.size();
  if (shapeOf(x).back() == 1)
    return {b.reshape(x, shape), {}};
  return {b.reshape(b.slice(x, last, 0, 1), shape), b.reshape(b.slice(x, last, 1, 2), shape)};
}

static Value joined(ForgeBuilder &b, Complex x) {
  if (!x.real || !x.imag)
    return {};
  SmallVector<int64_t> shape(shapeOf(x.real));
  shape.push_back(1);
  return b.concatenate({b.reshape(x.real, shape), b.reshape(x.imag, shape)}, shape.size() - 1);
}

// Swaps `axis` with the last one.
static Value swapLast(ForgeBuilder &b, Value x, int64_t axis) {
  if (!x)
    return {};
  SmallVector<int64_t> perm(llvm::to_vector(llvm::seq<int64_t>(0, tensorType(x).getRank())));
  std::swap(perm[axis], perm.back());
  return b.transpose(x, perm);
}

// DFT (since 17, 20). With onesided, forward gives the first half of the spectrum and inverse takes it for a real
// signal.
Values forge::convertDFT(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool inverse = n.flagAttr("inverse", false), onesided = n.flagAttr("onesided", false);
  int64_t axis = -2;
  if (n.since() < 20)
    axis = n.intAttr("axis", 1);
  else if (n.hasInput(2))
    axis = n.constantInt(2, "axis");
  std::optional<int64_t> length;
  if (n.hasInput(1))
    length = n.constantInt(1, "dft_length");
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  axis = n.axis(axis, rank);
  if (rank < 2 || axis == rank - 1 || (shapeOf(x).back() != 1 && shapeOf(x).back() != 2) ||
      tensorType(x).getNumElements() == 0)
    n.refuse(Code::RankWrong, "the operand must end in an axis of 1 or 2 parts, which is not the one to transform");
  if (n.failed())
    return {};
  bool fromHalf = inverse && onesided;
  int64_t size = length ? *length : fromHalf ? 2 * (shapeOf(x)[axis] - 1) : shapeOf(x)[axis];
  if (size < 1 || size > kMostElements) {
    n.refuse(Code::SizeInvalid, "a Fourier transform of length " + Twine(size) + " is not supported");
    return {};
  }
  Complex parts = partsOf(b, x);
  parts = {swapLast(b, parts.real, axis), swapLast(b, parts.imag, axis)};
  Complex result = transform(n, b, parts, {size, onesided && !inverse ? size / 2 + 1 : size, inverse, fromHalf});
  result = {swapLast(b, result.real, axis), swapLast(b, result.imag, axis)};
  if (!result.real || !fromHalf)
    return {joined(b, result)};
  SmallVector<int64_t> shape(shapeOf(result.real));
  shape.push_back(1);
  return {b.reshape(result.real, shape)};
}

// STFT (since 17): windowed frames of the signal, each transformed.
Values forge::convertSTFT(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), window = n.optionalInput(2);
  int64_t step = n.constantInt(1, "frame_step");
  bool onesided = n.flagAttr("onesided", true);
  std::optional<int64_t> given;
  if (n.hasInput(3))
    given = n.constantInt(3, "frame_length");
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (rank == 2) {
    SmallVector<int64_t> shape(shapeOf(x));
    shape.push_back(1);
    x = b.reshape(x, shape);
  }
  if ((rank != 2 && rank != 3) || (shapeOf(x).back() != 1 && shapeOf(x).back() != 2)) {
    n.refuse(Code::RankWrong, "the signal must be (batch, length, 1 or 2 parts)");
    return {};
  }
  int64_t batch = shapeOf(x)[0], total = shapeOf(x)[1];
  int64_t length = given ? *given : window ? tensorType(window).getNumElements() : total;
  if (window && (tensorType(window).getRank() != 1 || shapeOf(window)[0] != length))
    n.refuse(Code::ShapeMismatch, "the window must have the length of a frame");
  if (step < 1 || length < 1 || length > total)
    n.refuse(Code::SizeInvalid, "the frames do not fit the signal");
  int64_t frames = n.failed() ? 0 : 1 + (total - length) / step;
  if (!n.failed() && (length > kMostElements || frames > kMostElements / length))
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
  return {joined(b, transform(n, b, {framed(parts.real), framed(parts.imag)},
                              {length, onesided ? length / 2 + 1 : length, /*inverse=*/false, /*fromHalf=*/false}))};
}
