//===- NonZero.cpp - ONNX NonZero -----------------------------------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

// NonZero (since 9, 13): one column of coordinates per element.
Values forge::convertNonZero(OnnxNode &n, ForgeBuilder &b) {
  DenseElementsAttr attr = n.constant(0, "the operand");
  if (!attr)
    return {};
  HostTensor x = HostTensor::fromAttr(attr);
  SmallVector<SmallVector<int64_t>> found;
  size_t position = 0;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    if (x.isFloat() ? x.floats[position] != 0 : x.ints[position] != 0)
      found.emplace_back(index);
    ++position;
  });
  SmallVector<int64_t> columns;
  for (int64_t axis = 0; axis < x.type.getRank(); ++axis)
    for (ArrayRef<int64_t> index : found)
      columns.push_back(index[axis]);
  auto type = RankedTensorType::get({x.type.getRank(), static_cast<int64_t>(found.size())}, b.getI64Type());
  return {b.constant(DenseElementsAttr::get(type, ArrayRef(columns)))};
}
