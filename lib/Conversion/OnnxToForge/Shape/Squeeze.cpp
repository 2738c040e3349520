//===- Squeeze.cpp - ONNX Squeeze and Unsqueeze ---------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

Values forge::convertSqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = n.optionalIntsOrInput("axes", 1, /*inputSince=*/13);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> dropped = axes ? n.axes(*axes, type.getRank()) : SmallVector<int64_t>();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    bool drop = axes ? llvm::is_contained(dropped, static_cast<int64_t>(i)) : size == 1;
    if (drop && size != 1)
      n.refuse(Code::SizeInvalid, "axis " + Twine(i) + " has size " + Twine(size) + ", so it cannot be squeezed");
    if (!drop)
      shape.push_back(size);
  }
  if (n.failed())
    return {};
  return {b.reshape(x, shape)};
}

Values forge::convertUnsqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = n.optionalIntsOrInput("axes", 1, /*inputSince=*/13);
  if (!axes)
    n.refuse(Code::OperandMissing, "axes are missing");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x) + axes->size();
  SmallVector<int64_t> added = n.axes(*axes, rank);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape;
  auto next = shapeOf(x).begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(added, i) ? 1 : *next++);
  return {b.reshape(x, shape)};
}
