//===- AffineGrid.cpp - ONNX AffineGrid -----------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

// AffineGrid (since 20): applies one affine map per batch row to the points of a constant regular grid.
Values forge::convertAffineGrid(OnnxNode &n, ForgeBuilder &b) {
  Value theta = n.input(0);
  SmallVector<int64_t> size = n.constantInts(1, "size");
  bool corners = n.flagAttr("align_corners", false);
  if (n.failed())
    return {};
  int64_t spatial = static_cast<int64_t>(size.size()) - 2;
  if ((spatial != 2 && spatial != 3) || shapeOf(theta) != ArrayRef{size[0], spatial, spatial + 1})
    return n.refuse(Code::SizeInvalid, "theta does not fit the size, which must have two or three spatial axes");
  int64_t points = 1;
  SmallVector<int64_t> image(ArrayRef<int64_t>(size).drop_front(2));
  for (int64_t length : image)
    if (length < 1 || (corners && length == 1) || llvm::MulOverflow(points, length, points) || points > (1 << 24))
      return n.refuse(Code::SizeInvalid, "a spatial axis is empty, too long, or has no second corner to align");
  // The homogeneous coordinates of each point: those of the last axis first, then 1.
  Value base = b.tabulate(concatShapes(image, spatial + 1), elementOf(theta), [&](ArrayRef<int64_t> at) {
    if (at.back() == spatial)
      return 1.0;
    int64_t axis = spatial - 1 - at.back();
    double length = static_cast<double>(image[axis]), step = 2 / (corners ? length - 1 : length);
    return -1 + (corners ? 0 : step / 2) + static_cast<double>(at[axis]) * step;
  });
  Value grid = b.matmul(b.reshape(base, {points, spatial + 1}), b.transpose(theta, {0, 2, 1}));
  SmallVector<int64_t> result = concatShapes(size[0], image);
  result.push_back(spatial);
  return {b.reshape(grid, result)};
}
