//===- Reshape.cpp - ONNX Reshape -----------------------------------------===//

#include "Shape.h"

using namespace mlir;
using namespace forge;

// Reshape (since 1, 5, 13, 14, 19, 21, 23, 24, 25): 0 copies a dim unless allowzero, one -1 is inferred.
Values forge::convertReshape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.since() < 5 ? n.intsAttr("shape", ArrayRef<int64_t>()) : n.constantInts(1, "shape");
  n.ignoreAttr("consumed_inputs");
  bool allowZero = n.since() >= 14 && n.flagAttr("allowzero", false);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  int64_t inferred = -1, known = 1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 0 && !allowZero) {
      if (static_cast<int64_t>(i) >= type.getRank()) {
        n.refuse(Code::OutOfRange, "shape copies dim " + Twine(i) + " of an operand of rank " + Twine(type.getRank()));
        return {};
      }
      size = type.getDimSize(i);
    }
    if (size == -1 && inferred < 0) {
      inferred = i;
    } else if (size < 0 || llvm::MulOverflow(known, size, known)) {
      n.refuse(Code::SizeInvalid, "shape has a negative size, a second -1, or too many elements");
      return {};
    }
  }
  int64_t elements = type.getNumElements();
  if (inferred >= 0) {
    if (known == 0 || elements % known != 0) {
      n.refuse(Code::SizeInvalid, "the -1 of the shape cannot be inferred from " + Twine(elements) + " elements");
      return {};
    }
    shape[inferred] = elements / known;
  } else if (known != elements) {
    n.refuse(Code::SizeInvalid, "shape has " + Twine(known) + " elements, but the operand has " + Twine(elements));
    return {};
  }
  return {b.reshape(x, shape)};
}
