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
  SmallVector<Neighbour> result;
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
  result.push_back(neighbourAt(s, s.plus(base, -1), polynomial(s.plus(t, 1), {a, -5 * a, 8 * a, -4 * a})));
  result.push_back(neighbourAt(s, base, polynomial(t, {a + 2, -(a + 3), 0, 1})));
  result.push_back(neighbourAt(s, s.plus(base, 1), polynomial(rest, {a + 2, -(a + 3), 0, 1})));
  result.push_back(neighbourAt(s, s.plus(base, 2), polynomial(s.plus(rest, 1), {a, -5 * a, 8 * a, -4 * a})));
  return result;
}

// GridSample (since 16, 20, 22): modes were called bilinear and bicubic in version 16, which has two spatial axes only.
Values forge::convertGridSample(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), grid = n.input(1);
  bool first = n.since() < 20;
  StringRef mode = n.stringAttr("mode", first ? "bilinear" : "linear"), padding = n.stringAttr("padding_mode", "zeros");
  bool corners = n.flagAttr("align_corners", false);
  if (n.failed())
    return {};
  mode = first && mode == "bilinear"  ? "linear"
         : first && mode == "bicubic" ? "cubic"
         : first && mode != "nearest" ? ""
                                      : mode;
  if (mode != "nearest" && mode != "linear" && mode != "cubic")
    n.refuse(Code::AttributeValue, "attribute 'mode' has a value that this opset does not define");
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    n.refuse(Code::AttributeValue, "attribute 'padding_mode' must be zeros, border or reflection");
  // The reference clamps the coordinate, onnxruntime only the neighbours.
  if (mode == "cubic" && padding == "border")
    n.refuse(Code::ResultUndefined, "cubic interpolation with padding_mode border has no one definition");
  SmallVector<int64_t> shape(shapeOf(x)), gridShape(shapeOf(grid));
  int64_t spatial = static_cast<int64_t>(shape.size()) - 2;
  Type element = tensorType(x).getElementType(), f32 = b.getBuilder().getF32Type();
  if (spatial < 1 || spatial > 3 || gridShape.size() != shape.size() || gridShape.back() != spatial ||
      gridShape.front() != shape.front())
    n.refuse(Code::ShapeMismatch, "the grid does not fit the operand, or there are more than three spatial axes");
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    n.refuse(Code::OperandType, "only floating-point operands of up to 32 bits are supported");
  if (tensorType(x).getNumElements() == 0 || tensorType(grid).getNumElements() == 0 ||
      tensorType(x).getNumElements() > (1 << 24))
    n.refuse(Code::TooManyElements, "the operand is empty or has more elements than a float can count");
  if (n.failed())
    return {};
  int64_t batch = shape[0], channels = shape[1], pixels = 1, points = 1;
  for (int64_t i = 0; i < spatial; ++i) {
    pixels *= shape[2 + i];
    points *= gridShape[1 + i];
  }
  Value flatGrid = b.cast(b.reshape(grid, {batch, points, spatial}), f32);
  SmallVector<SmallVector<Neighbour>> axes;
  for (int64_t i = 0; i < spatial; ++i) {
    double size = static_cast<double>(shape[2 + i]);
    Sampler s{b, shape[2 + i], padding, corners ? 0 : -0.5, corners ? size - 1 : size - 0.5};
    // The last axis comes first in the grid.
    Value at = s.plus(b.reshape(b.slice(flatGrid, 2, spatial - 1 - i, spatial - i), {batch, points, 1}), 1);
    at = corners ? s.times(s.times(at, 0.5), size - 1) : s.times(s.plus(s.times(at, size), -1), 0.5);
    axes.push_back(neighbours(s, at, mode));
  }
  Value rows = b.reshape(b.transpose(b.reshape(x, {batch, channels, pixels}), {0, 2, 1}), {batch * pixels, channels});
  Value batchStart = b.create<MultiplyOp>(b.iota(batch, 0, 3, f32),
                                          b.splat(RankedTensorType::get({}, f32), static_cast<double>(pixels)));
  Value sum;
  SmallVector<int64_t> counts(spatial, axes.front().size());
  forEachIndex(counts, [&](ArrayRef<int64_t> which) {
    Value position = batchStart, weight, isThere;
    int64_t stride = pixels;
    for (int64_t i = 0; i < spatial; ++i) {
      const Neighbour &neighbour = axes[i][which[i]];
      stride /= shape[2 + i];
      Value index = neighbour.index;
      if (stride != 1)
        index = b.create<MultiplyOp>(index, b.scalarLike(index, static_cast<double>(stride)));
      position = b.create<AddOp>(position, index);
      if (neighbour.weight)
        weight = weight ? b.create<MultiplyOp>(weight, neighbour.weight) : neighbour.weight;
      if (neighbour.isThere) {
        Type number = b.getBuilder().getI32Type();
        isThere = isThere ? b.cast(b.create<MultiplyOp>(b.cast(isThere, number), b.cast(neighbour.isThere, number)),
                                   b.getBuilder().getI1Type())
                          : neighbour.isThere;
      }
    }
    Value index = b.cast(b.reshape(position, {batch * points}), b.getBuilder().getI32Type());
    Value pixel = b.reshape(takeRows(b, rows, index), {batch, points, channels});
    if (isThere)
      pixel = b.create<WhereOp>(isThere, pixel, b.scalarLike(pixel, 0));
    if (weight)
      pixel = b.create<MultiplyOp>(b.cast(pixel, f32), weight);
    sum = sum ? b.create<AddOp>(sum, pixel) : pixel;
  });
  SmallVector<int64_t> result{batch, channels};
  llvm::append_range(result, ArrayRef(gridShape).slice(1, spatial));
  return {b.reshape(b.transpose(b.cast(sum, element), {0, 2, 1}), result)};
}
