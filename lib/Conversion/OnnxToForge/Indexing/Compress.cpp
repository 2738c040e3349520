//===- Compress.cpp - ONNX Compress ---------------------------------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

// Compress (since 9, 11, 28): the condition may be shorter than the axis.
Values forge::convertCompress(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> condition = n.constantInts(1, "condition");
  bool hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  if (!hasAxis)
    x = b.reshape(x, {tensorType(x).getNumElements()});
  if (!x)
    return {};
  axis = n.axis(axis, tensorType(x).getRank());
  if (n.failed())
    return {};
  SmallVector<int64_t> kept;
  for (auto [i, flag] : llvm::enumerate(condition))
    if (flag != 0)
      kept.push_back(i);
  return {b.take(x, axis, kept)};
}
