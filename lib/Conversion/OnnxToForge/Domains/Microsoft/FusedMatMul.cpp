//===- FusedMatMul.cpp - FusedMatMul, TransposeMatMul ---------------------===//

#include "Microsoft.h"

#include "../../NN/NN.h"

using namespace mlir;
using namespace forge;

// An operand of FusedMatMul: the first dim may be moved after the other batch dims, and then the last two may be
// swapped.
static Value transposed(OnnxNode &n, ForgeBuilder &b, Value x, bool batch, bool matrix) {
  int64_t rank = tensorType(x).getRank();
  if (batch && rank < 3) {
    n.refuse(Code::RankWrong, "a transposed batch needs an operand of rank 3 or more, but got rank " + Twine(rank));
    return {};
  }
  // onnxruntime takes a vector as it is.
  if (rank < 2)
    return x;
  SmallVector<int64_t> perm(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  if (batch)
    std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (matrix)
    std::swap(perm[rank - 2], perm[rank - 1]);
  return b.transpose(x, perm);
}

// FusedMatMul, and TransposeMatMul before it: alpha * A' * B'.
Values forge::microsoft::convertFusedMatMul(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  double alpha = n.floatAttr("alpha", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  bool batchA = n.flagAttr("transBatchA", false), batchB = n.flagAttr("transBatchB", false);
  if (n.failed() || !requireFloats(n, {x, y}))
    return {};
  Value product = matmul(n, b, transposed(n, b, x, batchA, transA), transposed(n, b, y, batchB, transB));
  return {alpha == 1 ? product : b.create<MultiplyOp>(product, b.scalarLike(product, alpha))};
}
