//===- Sampling.cpp - interpolated reads of images ------------------------===//

#include "Sampling.h"

using namespace mlir;
using namespace forge;

namespace {
// Arithmetic on the coordinates of one axis.
struct Axis : Sampler {
  // Rounds towards zero.
  Expr truncated(Expr x) { return x.cast(b.getI32Type()).cast(b.getF32Type()); }
  Expr floored(Expr x) {
    Expr whole = truncated(x);
    return whole - Expr::binary<GreaterOp>(whole, x);
  }
  // 1 for an odd integer, else 0.
  Expr odd(Expr x) { return x - floored(x * 0.5) * 2; }
  Expr outside(Expr x) {
    Expr below = Expr::binary<LessOp>(x, x.number(low)), above = Expr::binary<GreaterOp>(x, x.number(high));
    return max(below, above).cast(b.getI1Type());
  }
  // Reflects a coordinate at both bounds until it is inside.
  Expr reflected(Expr x) {
    double range = high - low;
    if (range == 0)
      return x * 0;
    Expr below = x < low;
    Expr distance = select(below, low - x, x + -high);
    Expr folds = truncated(distance / x.number(range));
    Expr rest = distance - folds * range;
    Expr fromLow = rest + low, fromHigh = x.number(high) - rest;
    Expr isOdd = odd(folds) == x.number(1);
    Expr folded = select(below, select(isOdd, fromHigh, fromLow), select(isOdd, fromLow, fromHigh));
    return select(outside(x), folded, x);
  }
  Expr clamped(Expr x, double least, double most) { return {b, b.create<ClipOp>(Value(x), f32(least), f32(most))}; }
  // Rounds to nearest, ties to even.
  Expr rounded(Expr x) {
    Expr down = floored(x), fraction = x - down;
    Expr up = Expr::binary<GreaterOp>(fraction, x.number(0.5));
    return down + max(up, Expr::binary<EqualOp>(fraction, x.number(0.5)) * odd(down));
  }
  // Maps a coordinate according to the padding mode.
  Expr padded(Expr x) {
    if (padding == "border")
      return select(outside(x), clamped(x, 0, static_cast<double>(size - 1)), x);
    return padding == "reflection" ? reflected(x) : x;
  }
  Neighbour neighbourAt(Expr at, Value weight) {
    Expr index = clamped(padding == "reflection" ? reflected(at) : at, 0, static_cast<double>(size - 1));
    return {index, weight, padding == "zeros" ? Value(at == index) : Value()};
  }
};
} // namespace

SmallVector<Neighbour> forge::neighbours(Sampler sampler, Value coordinate, StringRef mode) {
  Axis s{sampler};
  Expr x(s.b, coordinate);
  // Samples this far outside are zero or at the border, so that clamping is exact. With reflection, float32 does not
  // say where such a coordinate is, and it is sufficient that it fits 32 bits.
  double low = -4, high = static_cast<double>(s.size + 3);
  if (s.padding == "reflection")
    low = -(high = 1 << 30);
  if (s.padding != "border" || mode == "nearest")
    x = s.clamped(x, low, high);
  if (mode == "nearest")
    return {s.neighbourAt(s.padded(s.rounded(x)), {})};
  x = s.padded(x);
  Expr base = s.floored(x), t = x - base;
  if (mode == "linear")
    return {s.neighbourAt(base, 1 - t), s.neighbourAt(base + 1.0, t)};
  constexpr double a = -0.75;
  auto polynomial = [&](Expr x, ArrayRef<double> coefficients) {
    Expr sum = x * coefficients.front();
    for (double coefficient : coefficients.slice(1, coefficients.size() - 2))
      sum = (sum + coefficient) * x;
    return sum + coefficients.back();
  };
  Expr rest = 1 - t;
  return {s.neighbourAt(base + -1.0, polynomial(t + 1.0, {a, -5 * a, 8 * a, -4 * a})),
          s.neighbourAt(base, polynomial(t, {a + 2, -(a + 3), 0, 1})),
          s.neighbourAt(base + 1.0, polynomial(rest, {a + 2, -(a + 3), 0, 1})),
          s.neighbourAt(base + 2.0, polynomial(rest + 1.0, {a, -5 * a, 8 * a, -4 * a}))};
}

// The contribution of the pixel at one neighbour per axis to each point: (batch, points, channels).
static Value weightedPixel(ForgeBuilder &b, const SampledPixels &g, ArrayRef<Neighbour> axes) {
  Expr row(b, g.begin);
  Value weight, isThere;
  int64_t stride = ShapedType::getNumElements(g.size);
  for (auto [size, one] : llvm::zip_equal(g.size, axes)) {
    stride /= size;
    Expr index(b, one.index);
    row = row + (stride == 1 ? index : index * static_cast<double>(stride));
    if (one.weight)
      weight = weight ? b.create<MultiplyOp>(weight, one.weight) : one.weight;
    if (one.isThere)
      isThere = isThere ? Value(bothOf({b, isThere}, {b, one.isThere})) : one.isThere;
  }
  Value index = b.cast(b.reshape(row, {g.batch * g.points}), b.getI32Type());
  Value pixel = b.reshape(takeRows(b, g.rows, index), {g.batch, g.points, g.channels});
  if (isThere)
    pixel = b.create<WhereOp>(isThere, pixel, b.scalarLike(pixel, 0));
  return weight ? b.create<MultiplyOp>(b.cast(pixel, b.getF32Type()), weight) : pixel;
}

void forge::checkSampled(OnnxNode &n, Value x) {
  if (numElements(x) == 0)
    n.refuse(Code::EmptyAxis, "the operand is empty");
  else if (numElements(x) > (1 << 24))
    n.refuse(Code::TooManyElements, "the operand has more elements than a float can count");
}

SampledPixels forge::pixelsOf(ForgeBuilder &b, Value x, int64_t images, ArrayRef<int64_t> size, int64_t points) {
  int64_t pixels = ShapedType::getNumElements(size);
  int64_t channels = numElements(x) / (images * pixels);
  Value rows = b.reshape(b.transpose(b.reshape(x, {images, channels, pixels}), {0, 2, 1}), {images * pixels, channels});
  Value first = b.iota(images, 0, 3, b.getF32Type());
  Value begin = b.create<MultiplyOp>(first, b.scalarLike(first, pixels));
  return {rows, begin, images, points, channels, SmallVector<int64_t>(size)};
}

Value forge::combinedNeighbours(ForgeBuilder &b, const SampledPixels &pixels, ArrayRef<SmallVector<Neighbour>> axes,
                                bool takesMax) {
  auto counts = llvm::map_to_vector(axes, [](const auto &axis) { return static_cast<int64_t>(axis.size()); });
  Value all;
  forEachIndex(counts, [&](ArrayRef<int64_t> which) {
    SmallVector<Neighbour> chosen;
    for (auto [axis, i] : llvm::zip_equal(axes, which))
      chosen.push_back(axis[i]);
    Value pixel = weightedPixel(b, pixels, chosen);
    all = !all ? pixel : takesMax ? b.create<MaxOp>(all, pixel) : b.create<AddOp>(all, pixel);
  });
  return all;
}
