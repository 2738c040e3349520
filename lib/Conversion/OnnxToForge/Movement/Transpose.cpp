//===- Transpose.cpp - ONNX Transpose -------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Transpose (since 1, 13, 21, 23, 24, 25): without `perm` the axes are reversed.
Values forge::convertTranspose(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> perm = n.intsAttr("perm", llvm::to_vector(llvm::reverse(allAxes(rank))));
  if (static_cast<int64_t>(perm.size()) != rank)
    n.refuse(Code::AttributeMismatch,
             "attribute 'perm' has " + Twine(perm.size()) + " axes for an operand of rank " + Twine(rank));
  perm = n.axes(perm, rank, "perm");
  return {n.failed() ? Value() : b.transpose(x, perm)};
}
