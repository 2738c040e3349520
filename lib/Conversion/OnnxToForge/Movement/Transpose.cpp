//===- Transpose.cpp - ONNX Transpose -------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Transpose (since 1, 13, 21, 23, 24, 25): all axes reversed without `perm`.
Values forge::convertTranspose(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<int64_t> perm = n.intsAttr("perm", ArrayRef(reversed));
  if (static_cast<int64_t>(perm.size()) != rank)
    n.refuse(Code::AttributeMismatch,
             "attribute 'perm' has " + Twine(perm.size()) + " axes for an operand of rank " + Twine(rank));
  perm = n.axes(perm, rank, "perm");
  return {n.failed() ? Value() : b.transpose(x, perm)};
}
