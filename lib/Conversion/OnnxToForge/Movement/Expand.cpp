//===- Expand.cpp - ONNX Expand -------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Expand (since 8, 13): multidirectional broadcast, so that the result may be larger than `shape`.
Values forge::convertExpand(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.constantInts(1, "shape");
  if (n.failed())
    return {};
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return n.refuse(Code::SizeInvalid, "shape has a negative size");
  auto target = Inference{std::nullopt, "expand"}.broadcastShapes(shapeOf(x), shape);
  if (failed(target))
    return n.refuse(Code::ShapeMismatch, "the operand does not broadcast to the shape");
  return {b.expand(x, *target)};
}
