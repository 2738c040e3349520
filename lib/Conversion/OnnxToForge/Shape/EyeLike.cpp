//===- EyeLike.cpp - ONNX EyeLike -----------------------------------------===//

#include "Shape.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

using namespace mlir;
using namespace forge;

Value forge::diagonals(ForgeBuilder &b, int64_t rows, int64_t columns, llvm::function_ref<bool(int64_t)> holds) {
  HostTensor mask{RankedTensorType::get({rows, columns}, b.getBuilder().getI1Type()), {}, {}};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      mask.ints.push_back(holds(j - i));
  return b.constant(mask.toAttr());
}

// EyeLike (since 9, 22): only the shape of the operand matters.
Values forge::convertEyeLike(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t k = n.intAttr("k", 0);
  bool hasType = n.hasAttr("dtype");
  if (n.failed())
    return {};
  Type element = hasType ? n.declaredElementType(0) : tensorType(x).getElementType();
  if (!element || tensorType(x).getRank() != 2 || tensorType(x).getNumElements() > kMostDiagonalElements) {
    n.refuse(Code::RankWrong,
             "the operand must have rank 2 and not too many elements, and the result a type the device can hold");
    return {};
  }
  return {b.cast(diagonals(b, shapeOf(x)[0], shapeOf(x)[1], [&](int64_t offset) { return offset == k; }), element)};
}
