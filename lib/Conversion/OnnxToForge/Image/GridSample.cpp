//===- GridSample.cpp - ONNX GridSample -----------------------------------===//

#include "Image.h"

#include "Sampling.h"
#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

namespace {
// The checked operands and attributes.
struct GridSample {
  Value x, grid;
  StringRef mode, padding;
  bool alignCorners = false;
  int64_t batch = 0, channels = 0, points = 0;
  SmallVector<int64_t> size, resultSize; // spatial sizes
};
} // namespace

// The mode by its name in version 20.
static StringRef readMode(OnnxNode &n) {
  if (n.since() >= 20)
    return n.choiceAttr("mode", {"linear", "nearest", "cubic"});
  StringRef mode = n.choiceAttr("mode", {"bilinear", "nearest", "bicubic"});
  return mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode;
}

static void checkOperands(OnnxNode &n, Value x, Value grid) {
  ArrayRef<int64_t> shape = shapeOf(x), gridShape = shapeOf(grid);
  int64_t spatial = static_cast<int64_t>(shape.size()) - 2;
  Type element = elementOf(x);
  if (spatial < 1 || spatial > 3 || gridShape.size() != shape.size() || gridShape.back() != spatial ||
      gridShape.front() != shape.front())
    n.refuse(Code::ShapeMismatch, "the grid does not fit the operand, or there are more than three spatial axes");
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    n.refuse(Code::OperandType, "only floating-point operands of up to 32 bits are supported");
  checkSampled(n, x);
  if (numElements(grid) == 0)
    n.refuse(Code::TooManyElements, "the grid is empty");
}

static FailureOr<GridSample> readGridSample(OnnxNode &n) {
  GridSample g;
  g.x = n.input(0);
  g.grid = n.input(1);
  g.mode = readMode(n);
  g.padding = n.choiceAttr("padding_mode", {"zeros", "border", "reflection"});
  g.alignCorners = n.flagAttr("align_corners", false);
  // ONNX's reference clamps the coordinate, onnxruntime only the neighbours.
  if (g.mode == "cubic" && g.padding == "border")
    n.refuse(Code::ResultUndefined, "cubic interpolation with padding_mode border has no one definition");
  if (n.failed())
    return failure();
  checkOperands(n, g.x, g.grid);
  if (n.failed())
    return failure();
  ArrayRef<int64_t> shape = shapeOf(g.x), gridShape = shapeOf(g.grid);
  g.batch = shape[0];
  g.channels = shape[1];
  g.size.assign(shape.begin() + 2, shape.end());
  g.resultSize.assign(gridShape.begin() + 1, gridShape.end() - 1);
  g.points = ShapedType::getNumElements(g.resultSize);
  return g;
}

// The neighbours of each point along each spatial axis.
static SmallVector<SmallVector<Neighbour>> neighboursByAxis(ForgeBuilder &b, const GridSample &g) {
  int64_t spatial = g.size.size();
  Value grid = b.cast(b.reshape(g.grid, {g.batch, g.points, spatial}), b.getF32Type());
  SmallVector<SmallVector<Neighbour>> axes;
  for (int64_t i = 0; i < spatial; ++i) {
    double size = static_cast<double>(g.size[i]);
    Sampler s{b, g.size[i], g.padding, g.alignCorners ? 0 : -0.5, g.alignCorners ? size - 1 : size - 0.5};
    // The grid has the coordinate of the last axis first.
    Expr at = Expr(b, b.reshape(b.slice(grid, 2, spatial - 1 - i, spatial - i), {g.batch, g.points, 1})) + 1.0;
    at = g.alignCorners ? at * 0.5 * (size - 1) : (at * size + -1.0) * 0.5;
    axes.push_back(neighbours(s, at, g.mode));
  }
  return axes;
}

// GridSample (since 16, 20, 22): modes were called bilinear and bicubic in version 16, which has two spatial axes only.
Values forge::convertGridSample(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<GridSample> read = readGridSample(n);
  if (failed(read))
    return {};
  const GridSample &g = *read;
  SampledPixels pixels = pixelsOf(b, g.x, g.batch, g.size, g.points);
  Value sum = sumOfNeighbours(b, pixels, neighboursByAxis(b, g));
  SmallVector<int64_t> result = concatShapes({g.batch, g.channels}, g.resultSize);
  return {b.reshape(b.transpose(b.cast(sum, elementOf(g.x)), {0, 2, 1}), result)};
}
