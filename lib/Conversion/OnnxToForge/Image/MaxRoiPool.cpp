//===- MaxRoiPool.cpp - ONNX MaxRoiPool -----------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

// Rounds to nearest, ties away from zero.
static Expr rounded(Expr x) {
  Expr size = abs(x), whole = floor(size);
  Expr up = whole + select(size - whole >= 0.5, 1.0, size.number(0));
  return select(x < 0.0, -up, up);
}

// The begin and end of the `count` cells of each region along one axis, each (regions, 1, 1, 1, count).
static std::pair<Expr, Expr> cellsAlong(ForgeBuilder &b, Value regions, int64_t axis, double scale, int64_t count,
                                        double size) {
  Expr begin = rounded(cornerOfRegions(b, regions, 2 - axis, scale)),
       end = rounded(cornerOfRegions(b, regions, 4 - axis, scale));
  Expr cell = max(end - begin + 1.0, 1.0) / static_cast<double>(count);
  Expr at(b, b.iota(count, 4, 5, b.getF32Type()));
  auto inside = [&](Expr x) { return min(max(x + begin, 0.0), size); };
  return {inside(floor(at * cell)), inside(-floor(-((at + 1.0) * cell)))};
}

// The maximum of `x` (regions, channels, rows, size) along the last axis, for each cell.
static Value largestIn(ForgeBuilder &b, Value x, std::pair<Expr, Expr> cells) {
  SmallVector<int64_t> shape(shapeOf(x));
  Expr lowest(b, b.scalarLike(x, lowestOf(elementOf(x))));
  Expr at(b, b.iota(shape[3], 3, 4, b.getF32Type()));
  SmallVector<Value> parts;
  for (int64_t i = 0, count = shapeOf(cells.first)[4]; i < count; ++i) {
    auto bound = [&](Expr all) { return Expr(b, b.reshape(b.slice(all, 4, i, i + 1), {shape[0], 1, 1, 1})); };
    Expr isInside = bothOf(at >= bound(cells.first), at < bound(cells.second));
    parts.push_back(b.reduce<ReduceMaxOp>(select(isInside, Expr(b, x), lowest), {3}, true));
  }
  return b.concatenate(parts, 3);
}

// MaxRoiPool (since 1, 22): the maximum of each cell, 0 for a cell without pixels.
Values forge::convertMaxRoiPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), regions = n.input(1);
  SmallVector<int64_t> counts = n.intsAttr("pooled_shape");
  double scale = n.floatAttr("spatial_scale", 1);
  if (n.failed() || !checkFeatureMap(n, x))
    return {};
  constexpr int64_t kMostCells = 64, kMostElements = 1 << 26;
  if (rankOf(regions) != 2 || shapeOf(regions)[1] != 5)
    n.refuse(Code::ShapeMismatch, "expected regions of shape (count, 5)");
  if (counts.size() != 2 || llvm::any_of(counts, [](int64_t count) { return count < 1 || count > kMostCells; }))
    n.refuse(Code::AttributeUnsupported, "attribute 'pooled_shape' must have two sizes in [1, 64]");
  checkSampled(n, x);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t perImage = shape[1] * shape[2] * shape[3], count = shapeOf(regions)[0];
  if (count > kMostElements / perImage)
    return n.refuse(Code::TooManyElements, "a copy of the feature map for each region has more than 67108864 elements");
  Value image = b.cast(b.reshape(b.slice(regions, 1, 0, 1), {count}), b.getI32Type());
  Value maps = b.reshape(takeRows(b, b.reshape(x, {shape[0], perImage}), image), {count, shape[1], shape[2], shape[3]});
  auto columns = cellsAlong(b, regions, 1, scale, counts[1], static_cast<double>(shape[3]));
  auto rows = cellsAlong(b, regions, 0, scale, counts[0], static_cast<double>(shape[2]));
  if (n.failed())
    return {};
  // (regions, channels, columns, rows)
  Value largest = largestIn(b, b.transpose(largestIn(b, maps, columns), {0, 1, 3, 2}), rows);
  auto isEmpty = [&](std::pair<Expr, Expr> cells, SmallVector<int64_t> raised) {
    return Expr(b, b.reshape(cells.first >= cells.second, raised));
  };
  Value nothing = eitherOf(isEmpty(columns, {count, 1, counts[1], 1}), isEmpty(rows, {count, 1, 1, counts[0]}));
  Value result = b.create<WhereOp>(nothing, b.scalarLike(largest, 0), largest);
  return {b.transpose(result, {0, 1, 3, 2})};
}
