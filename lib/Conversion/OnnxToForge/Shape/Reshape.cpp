//===- Reshape.cpp - ONNX Reshape and Flatten -----------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// Reshape (since 1, 5, 13, 14, 19, 21, 23, 24, 25): 0 copies a size unless allowzero; one -1 is inferred.
Values forge::convertReshape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.since() < 5 ? n.intsAttr("shape", ArrayRef<int64_t>()) : n.constantInts(1, "shape");
  bool allowZero = n.since() >= 14 && n.flagAttr("allowzero", false);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  int64_t inferred = -1, known = 1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 0 && !allowZero) {
      if (static_cast<int64_t>(i) >= type.getRank())
        return n.refuse(Code::OutOfRange,
                        "shape copies dim " + Twine(i) + " of an operand of rank " + Twine(type.getRank()));
      size = type.getDimSize(i);
    }
    if (size == -1 && inferred < 0) {
      inferred = i;
    } else if (size < 0 || llvm::MulOverflow(known, size, known))
      return n.refuse(Code::SizeInvalid, "shape has a negative size, a second -1, or too many elements");
  }
  int64_t elements = type.getNumElements();
  if (inferred >= 0) {
    if (known == 0 || elements % known != 0)
      return n.refuse(Code::SizeInvalid,
                      "the -1 of the shape cannot be inferred from " + Twine(elements) + " elements");
    shape[inferred] = elements / known;
  } else if (known != elements)
    return n.refuse(Code::SizeInvalid,
                    "shape has " + Twine(known) + " elements, but the operand has " + Twine(elements));
  return {b.reshape(x, shape)};
}

// Flatten (since 1, 9, 11, 13, 21, 23, 24, 25): merges the axes before `axis`, and those from it on; it may equal the
// rank.
Values forge::convertFlatten(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 1);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  if (axis < -rank || axis > rank || (axis < 0 && n.since() < 11))
    return n.refuse(Code::OutOfRange, "attribute 'axis' " + Twine(axis) + " is outside rank " + Twine(rank));
  axis = axis < 0 ? axis + rank : axis;
  return {b.reshape(x, flattenedAt(shapeOf(x), axis))};
}
