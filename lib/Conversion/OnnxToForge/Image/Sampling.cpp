//===- Sampling.cpp - reading an image between its pixels -----------------===//

#include "Sampling.h"

#include "../Indexing/Indexing.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"

using namespace mlir;
using namespace forge;

namespace {
// What is computed of coordinates along one axis.
struct Axis : Sampler {
  Axis(Sampler sampler) : Sampler(sampler) {}

  Value number(Value like, double value) { return b.scalarLike(like, value); }
  Value plus(Value x, double value) { return b.create<AddOp>(x, number(x, value)); }
  Value times(Value x, double value) { return b.create<MultiplyOp>(x, number(x, value)); }
  // Towards zero; what does not fit 32 bits has no neighbours that matter.
  Value truncated(Value x) { return b.cast(b.cast(x, b.getBuilder().getI32Type()), b.getBuilder().getF32Type()); }
  Value floored(Value x) {
    Value whole = truncated(x);
    return b.create<SubtractOp>(whole, b.create<GreaterOp>(whole, x));
  }
  // 1 where a whole number is odd.
  Value odd(Value x) { return b.create<SubtractOp>(x, times(floored(times(x, 0.5)), 2)); }
  Value outside(Value x) {
    Value below = b.create<LessOp>(x, number(x, low)), above = b.create<GreaterOp>(x, number(x, high));
    return b.cast(b.create<MaxOp>(below, above), b.getBuilder().getI1Type());
  }
  // Reflects a coordinate at both ends until it is inside.
  Value reflected(Value x) {
    double range = high - low;
    if (range == 0)
      return times(x, 0);
    Value below = b.compare<LessOp>(x, number(x, low));
    Value distance = b.create<WhereOp>(below, b.create<SubtractOp>(number(x, low), x), plus(x, -high));
    Value folds = truncated(b.create<DivideOp>(distance, number(x, range)));
    Value rest = b.create<SubtractOp>(distance, times(folds, range));
    Value fromLow = plus(rest, low), fromHigh = b.create<SubtractOp>(number(x, high), rest);
    Value isOdd = b.compare<EqualOp>(odd(folds), number(x, 1));
    Value folded = b.create<WhereOp>(below, b.create<WhereOp>(isOdd, fromHigh, fromLow),
                                     b.create<WhereOp>(isOdd, fromLow, fromHigh));
    return b.create<WhereOp>(outside(x), folded, x);
  }
  Value clamped(Value x, double least, double most) {
    return b.create<ClipOp>(x, llvm::APFloat(static_cast<float>(least)), llvm::APFloat(static_cast<float>(most)));
  }
  // Ties are rounded to even.
  Value rounded(Value x) {
    Value down = floored(x), fraction = b.create<SubtractOp>(x, down);
    Value up = b.create<GreaterOp>(fraction, number(x, 0.5));
    Value tie = b.create<MultiplyOp>(b.create<EqualOp>(fraction, number(x, 0.5)), odd(down));
    return b.create<AddOp>(down, b.create<MaxOp>(up, tie));
  }
  // A coordinate where the padding mode wants it.
  Value padded(Value x) {
    if (padding == "border")
      return b.create<WhereOp>(outside(x), clamped(x, 0, static_cast<double>(size - 1)), x);
    if (padding == "reflection")
      return reflected(x);
    // All samples this far outside are zeros.
    return clamped(x, -4, static_cast<double>(size + 3));
  }
};
} // namespace

static Neighbour neighbourAt(Axis s, Value at, Value weight) {
  Neighbour result{at, weight, {}};
  if (s.padding == "reflection")
    result.index = s.reflected(at);
  result.index = s.clamped(result.index, 0, static_cast<double>(s.size - 1));
  if (s.padding == "zeros")
    result.isThere = s.b.compare<EqualOp>(at, result.index);
  return result;
}

SmallVector<Neighbour> forge::neighbours(Sampler sampler, Value coordinate, StringRef mode) {
  Axis s(sampler);
  if (mode == "nearest") {
    Value near = s.padding == "reflection" ? coordinate : s.clamped(coordinate, -4, static_cast<double>(s.size + 3));
    return {neighbourAt(s, s.padded(s.rounded(near)), {})};
  }
  coordinate = s.padded(coordinate);
  Value base = s.floored(coordinate), t = s.b.create<SubtractOp>(coordinate, base);
  if (mode == "linear")
    return {neighbourAt(s, base, s.b.create<SubtractOp>(s.number(t, 1), t)), neighbourAt(s, s.plus(base, 1), t)};
  constexpr double a = -0.75;
  auto polynomial = [&](Value x, ArrayRef<double> coefficients) {
    Value sum = s.times(x, coefficients.front());
    for (double coefficient : coefficients.slice(1, coefficients.size() - 2))
      sum = s.b.create<MultiplyOp>(s.plus(sum, coefficient), x);
    return s.plus(sum, coefficients.back());
  };
  Value rest = s.b.create<SubtractOp>(s.number(t, 1), t);
  return {neighbourAt(s, s.plus(base, -1), polynomial(s.plus(t, 1), {a, -5 * a, 8 * a, -4 * a})),
          neighbourAt(s, base, polynomial(t, {a + 2, -(a + 3), 0, 1})),
          neighbourAt(s, s.plus(base, 1), polynomial(rest, {a + 2, -(a + 3), 0, 1})),
          neighbourAt(s, s.plus(base, 2), polynomial(s.plus(rest, 1), {a, -5 * a, 8 * a, -4 * a}))};
}

static Value bothTrue(ForgeBuilder &b, Value x, Value y) {
  Type number = b.getBuilder().getI32Type();
  return b.cast(b.create<MultiplyOp>(b.cast(x, number), b.cast(y, number)), b.getBuilder().getI1Type());
}

// One neighbour of all axes together; its index is one into the rows of pixels.
static Neighbour joined(ForgeBuilder &b, const SampledPixels &g, ArrayRef<Neighbour> axes) {
  Neighbour all{g.begin, {}, {}};
  int64_t stride = ShapedType::getNumElements(g.size);
  for (auto [size, one] : llvm::zip_equal(g.size, axes)) {
    stride /= size;
    Value index = one.index;
    if (stride != 1)
      index = b.create<MultiplyOp>(index, b.scalarLike(index, static_cast<double>(stride)));
    all.index = b.create<AddOp>(all.index, index);
    if (one.weight)
      all.weight = all.weight ? b.create<MultiplyOp>(all.weight, one.weight) : one.weight;
    if (one.isThere)
      all.isThere = all.isThere ? bothTrue(b, all.isThere, one.isThere) : one.isThere;
  }
  return all;
}

// What a neighbour adds to each point: (batch, points, channels).
static Value weightedPixel(ForgeBuilder &b, const SampledPixels &g, const Neighbour &neighbour) {
  Value index = b.cast(b.reshape(neighbour.index, {g.batch * g.points}), b.getBuilder().getI32Type());
  Value pixel = b.reshape(takeRows(b, g.rows, index), {g.batch, g.points, g.channels});
  if (neighbour.isThere)
    pixel = b.create<WhereOp>(neighbour.isThere, pixel, b.scalarLike(pixel, 0));
  if (neighbour.weight)
    pixel = b.create<MultiplyOp>(b.cast(pixel, b.getBuilder().getF32Type()), neighbour.weight);
  return pixel;
}

void forge::checkSampled(OnnxNode &n, Value x) {
  int64_t elements = tensorType(x).getNumElements();
  if (elements == 0 || elements > (1 << 24))
    n.refuse(Code::TooManyElements, "the operand is empty or has more elements than a float can count");
}

SampledPixels forge::pixelsOf(ForgeBuilder &b, Value x, int64_t images, ArrayRef<int64_t> size, int64_t points) {
  int64_t pixels = ShapedType::getNumElements(size);
  int64_t channels = tensorType(x).getNumElements() / (images * pixels);
  Value rows = b.reshape(b.transpose(b.reshape(x, {images, channels, pixels}), {0, 2, 1}), {images * pixels, channels});
  Value first = b.iota(images, 0, 3, b.getBuilder().getF32Type());
  Value begin = b.create<MultiplyOp>(first, b.scalarLike(first, static_cast<double>(pixels)));
  return {rows, begin, images, points, channels, SmallVector<int64_t>(size)};
}

void forge::forEachNeighbour(ForgeBuilder &b, const SampledPixels &pixels, ArrayRef<SmallVector<Neighbour>> axes,
                             llvm::function_ref<void(Value)> visit) {
  SmallVector<int64_t> counts(
      llvm::map_range(axes, [](const auto &axis) { return static_cast<int64_t>(axis.size()); }));
  forEachIndex(counts, [&](ArrayRef<int64_t> which) {
    SmallVector<Neighbour> chosen;
    for (auto [axis, i] : llvm::zip_equal(axes, which))
      chosen.push_back(axis[i]);
    visit(weightedPixel(b, pixels, joined(b, pixels, chosen)));
  });
}

Value forge::sumOfNeighbours(ForgeBuilder &b, const SampledPixels &pixels, ArrayRef<SmallVector<Neighbour>> axes) {
  Value sum;
  forEachNeighbour(b, pixels, axes, [&](Value pixel) { sum = sum ? b.create<AddOp>(sum, pixel) : pixel; });
  return sum;
}
