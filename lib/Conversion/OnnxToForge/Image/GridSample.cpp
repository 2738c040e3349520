//===- GridSample.cpp - ONNX GridSample -----------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

// GridSample (since 16, 20, 22): modes were called bilinear and bicubic in version 16, which has two spatial axes only.
Values forge::convertGridSample(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), grid = n.input(1);
  StringRef mode = n.since() >= 20 ? n.choiceAttr("mode", {"linear", "nearest", "cubic"})
                                   : n.choiceAttr("mode", {"bilinear", "nearest", "bicubic"});
  mode.consume_front("bi");
  StringRef padding = n.choiceAttr("padding_mode", {"zeros", "border", "reflection"});
  bool alignCorners = n.flagAttr("align_corners", false);
  // ONNX's reference clamps the coordinate, onnxruntime only the neighbours.
  if (mode == "cubic" && padding == "border")
    n.refuse(Code::ResultUndefined, "cubic interpolation with padding_mode border has no one definition");
  if (n.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(x), gridShape = shapeOf(grid);
  int64_t spatial = rankOf(x) - 2;
  if (spatial < 1 || spatial > 3 || gridShape.size() != shape.size() || gridShape.back() != spatial ||
      gridShape.front() != shape.front())
    n.refuse(Code::ShapeMismatch, "the grid does not fit the operand, or there are more than three spatial axes");
  Type element = elementOf(x);
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    n.refuse(Code::OperandType, "only floating-point operands of up to 32 bits are supported");
  checkSampled(n, x);
  if (numElements(grid) == 0)
    n.refuse(Code::EmptyAxis, "the grid is empty");
  if (n.failed())
    return {};
  ArrayRef<int64_t> sizes = shape.drop_front(2), resultSizes = gridShape.drop_front().drop_back();
  int64_t batch = shape[0], points = ShapedType::getNumElements(resultSizes);
  SampledPixels pixels = pixelsOf(b, x, batch, sizes, points);
  Value coordinates = b.cast(b.reshape(grid, {batch, points, spatial}), b.getF32Type());
  SmallVector<SmallVector<Neighbour>> axes;
  for (int64_t i = 0; i < spatial; ++i) {
    double size = static_cast<double>(sizes[i]);
    Sampler s{b, sizes[i], padding, alignCorners ? 0 : -0.5, alignCorners ? size - 1 : size - 0.5};
    // The grid has the coordinate of the last axis first.
    Value column = b.slice(coordinates, 2, spatial - 1 - i, spatial - i);
    Expr at = Expr(b, b.reshape(column, {batch, points, 1})) + 1.0;
    at = alignCorners ? at * 0.5 * (size - 1) : (at * size + -1.0) * 0.5;
    axes.push_back(neighbours(s, at, mode));
  }
  Value sum = b.transpose(b.cast(combinedNeighbours(b, pixels, axes), element), {0, 2, 1});
  return {b.reshape(sum, concatShapes({batch, pixels.channels}, resultSizes))};
}
