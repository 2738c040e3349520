//===- GridSample.cpp - ONNX GridSample -----------------------------------===//

#include "Image.h"

#include "../Indexing/Indexing.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"

using namespace mlir;
using namespace forge;

namespace {
// How one spatial axis is sampled.
struct Sampler {
  ForgeBuilder &b;
  int64_t size;
  StringRef padding; // zeros, border or reflection
  double low, high;  // where the axis ends

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
  // Folds a coordinate back at both ends until it lies inside.
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
  // Half-way goes to the even number.
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

// One neighbour along an axis: its index, in range, its weight (null for 1), and whether it is there (null for always).
struct Neighbour {
  Value index, weight, isThere;
};
} // namespace

static Neighbour neighbourAt(Sampler s, Value at, Value weight) {
  Neighbour result{at, weight, {}};
  if (s.padding == "reflection")
    result.index = s.reflected(at);
  result.index = s.clamped(result.index, 0, static_cast<double>(s.size - 1));
  if (s.padding == "zeros")
    result.isThere = s.b.compare<EqualOp>(at, result.index);
  return result;
}

static SmallVector<Neighbour> neighbours(Sampler s, Value coordinate, StringRef mode) {
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

namespace {
// A node, read and checked.
struct GridSample {
  Value x, grid;
  StringRef mode, padding;
  bool alignCorners = false;
  int64_t batch = 0, channels = 0, pixels = 0, points = 0;
  SmallVector<int64_t> size, resultSize; // of the spatial axes
};
} // namespace

// The name of a mode since version 20; empty when the version of the node does not define it.
static StringRef readMode(OnnxNode &n) {
  if (n.since() >= 20)
    return n.stringAttr("mode", "linear");
  StringRef mode = n.stringAttr("mode", "bilinear");
  return mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode == "nearest" ? mode : "";
}

static void checkAttributes(OnnxNode &n, StringRef mode, StringRef padding) {
  if (mode != "nearest" && mode != "linear" && mode != "cubic")
    n.refuse(Code::AttributeValue, "attribute 'mode' has a value that this opset does not define");
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    n.refuse(Code::AttributeValue, "attribute 'padding_mode' must be zeros, border or reflection");
  // The reference clamps the coordinate, onnxruntime only the neighbours.
  if (mode == "cubic" && padding == "border")
    n.refuse(Code::ResultUndefined, "cubic interpolation with padding_mode border has no one definition");
}

static void checkOperands(OnnxNode &n, Value x, Value grid) {
  ArrayRef<int64_t> shape = shapeOf(x), gridShape = shapeOf(grid);
  int64_t spatial = static_cast<int64_t>(shape.size()) - 2;
  Type element = tensorType(x).getElementType();
  if (spatial < 1 || spatial > 3 || gridShape.size() != shape.size() || gridShape.back() != spatial ||
      gridShape.front() != shape.front())
    n.refuse(Code::ShapeMismatch, "the grid does not fit the operand, or there are more than three spatial axes");
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    n.refuse(Code::OperandType, "only floating-point operands of up to 32 bits are supported");
  int64_t elements = tensorType(x).getNumElements();
  if (elements == 0 || tensorType(grid).getNumElements() == 0 || elements > (1 << 24))
    n.refuse(Code::TooManyElements, "the operand is empty or has more elements than a float can count");
}

static FailureOr<GridSample> readGridSample(OnnxNode &n) {
  GridSample g;
  g.x = n.input(0);
  g.grid = n.input(1);
  g.mode = readMode(n);
  g.padding = n.stringAttr("padding_mode", "zeros");
  g.alignCorners = n.flagAttr("align_corners", false);
  if (n.failed())
    return failure();
  checkAttributes(n, g.mode, g.padding);
  checkOperands(n, g.x, g.grid);
  if (n.failed())
    return failure();
  ArrayRef<int64_t> shape = shapeOf(g.x), gridShape = shapeOf(g.grid);
  g.batch = shape[0];
  g.channels = shape[1];
  g.size.assign(shape.begin() + 2, shape.end());
  g.resultSize.assign(gridShape.begin() + 1, gridShape.end() - 1);
  g.pixels = ShapedType::getNumElements(g.size);
  g.points = ShapedType::getNumElements(g.resultSize);
  return g;
}

// The neighbours that each spatial axis has of each point.
static SmallVector<SmallVector<Neighbour>> neighboursByAxis(ForgeBuilder &b, const GridSample &g) {
  int64_t spatial = g.size.size();
  Value grid = b.cast(b.reshape(g.grid, {g.batch, g.points, spatial}), b.getBuilder().getF32Type());
  SmallVector<SmallVector<Neighbour>> axes;
  for (int64_t i = 0; i < spatial; ++i) {
    double size = static_cast<double>(g.size[i]);
    Sampler s{b, g.size[i], g.padding, g.alignCorners ? 0 : -0.5, g.alignCorners ? size - 1 : size - 0.5};
    // The last axis comes first in the grid.
    Value at = s.plus(b.reshape(b.slice(grid, 2, spatial - 1 - i, spatial - i), {g.batch, g.points, 1}), 1);
    at = g.alignCorners ? s.times(s.times(at, 0.5), size - 1) : s.times(s.plus(s.times(at, size), -1), 0.5);
    axes.push_back(neighbours(s, at, g.mode));
  }
  return axes;
}

static Value bothTrue(ForgeBuilder &b, Value x, Value y) {
  Type number = b.getBuilder().getI32Type();
  return b.cast(b.create<MultiplyOp>(b.cast(x, number), b.cast(y, number)), b.getBuilder().getI1Type());
}

// One neighbour of all axes together; its index is one into the rows of pixels of the whole batch, from `begin` on.
static Neighbour joined(ForgeBuilder &b, const GridSample &g, Value begin, ArrayRef<Neighbour> axes) {
  Neighbour all{begin, {}, {}};
  int64_t stride = g.pixels;
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
static Value weightedPixel(ForgeBuilder &b, const GridSample &g, Value rows, const Neighbour &neighbour) {
  Value index = b.cast(b.reshape(neighbour.index, {g.batch * g.points}), b.getBuilder().getI32Type());
  Value pixel = b.reshape(takeRows(b, rows, index), {g.batch, g.points, g.channels});
  if (neighbour.isThere)
    pixel = b.create<WhereOp>(neighbour.isThere, pixel, b.scalarLike(pixel, 0));
  if (neighbour.weight)
    pixel = b.create<MultiplyOp>(b.cast(pixel, b.getBuilder().getF32Type()), neighbour.weight);
  return pixel;
}

// GridSample (since 16, 20, 22): modes were called bilinear and bicubic in version 16, which has two spatial axes only.
Values forge::convertGridSample(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<GridSample> read = readGridSample(n);
  if (failed(read))
    return {};
  const GridSample &g = *read;
  Type f32 = b.getBuilder().getF32Type();
  SmallVector<SmallVector<Neighbour>> axes = neighboursByAxis(b, g);
  Value rows = b.reshape(b.transpose(b.reshape(g.x, {g.batch, g.channels, g.pixels}), {0, 2, 1}),
                         {g.batch * g.pixels, g.channels});
  Value batchBegin = b.create<MultiplyOp>(b.iota(g.batch, 0, 3, f32),
                                          b.splat(RankedTensorType::get({}, f32), static_cast<double>(g.pixels)));
  Value sum;
  forEachIndex(SmallVector<int64_t>(axes.size(), axes.front().size()), [&](ArrayRef<int64_t> which) {
    SmallVector<Neighbour> chosen;
    for (auto [axis, i] : llvm::zip_equal(axes, which))
      chosen.push_back(axis[i]);
    Value pixel = weightedPixel(b, g, rows, joined(b, g, batchBegin, chosen));
    sum = sum ? b.create<AddOp>(sum, pixel) : pixel;
  });
  SmallVector<int64_t> result{g.batch, g.channels};
  llvm::append_range(result, g.resultSize);
  return {b.reshape(b.transpose(b.cast(sum, tensorType(g.x).getElementType()), {0, 2, 1}), result)};
}
