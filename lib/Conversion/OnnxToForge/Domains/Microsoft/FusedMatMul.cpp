//===- FusedMatMul.cpp - FusedMatMul --------------------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// Applies transBatch, which moves the first axis after the other batch axes, and then trans, which swaps the last two.
static Value transposed(OnnxNode &n, ForgeBuilder &b, Value x, bool batch, bool matrix) {
  int64_t rank = rankOf(x);
  if (batch && rank < 3)
    return n.refuse(Code::RankWrong,
                    "a transposed batch needs an operand of rank 3 or more, but got rank " + Twine(rank));
  // onnxruntime ignores the attributes for a vector.
  if (rank < 2)
    return x;
  SmallVector<int64_t> perm(allAxes(rank));
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
  if (elementOf(x) != elementOf(y))
    return n.refuse(Code::OperandType, "expected operands of one type");
  // A 16-bit product could overflow before it is multiplied by alpha.
  Type element = elementOf(x), wide = alpha == 1 ? element : b.getF32Type();
  Value product = matmul(n, b, transposed(n, b, b.cast(x, wide), batchA, transA),
                         transposed(n, b, b.cast(y, wide), batchB, transB));
  return {alpha == 1 ? product : b.cast(b.create<MultiplyOp>(product, b.scalarLike(product, alpha)), element)};
}
