//===- Compress.cpp - ONNX Compress ---------------------------------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

// Compress (since 9, 11, 28): the condition may be shorter than the axis.
Values forge::convertCompress(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> condition = n.constantInts(1, "condition");
  if (x && !n.hasAttr("axis"))
    x = b.reshape(x, {numElements(x)});
  int64_t axis = n.axisAttr(x, 0);
  if (n.failed())
    return {};
  SmallVector<int64_t> kept;
  for (auto [i, flag] : llvm::enumerate(condition))
    if (flag != 0)
      kept.push_back(i);
  return {b.take(x, axis, kept)};
}
