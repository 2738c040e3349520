//===- Cost.cpp - how much an op computes and moves -----------------------===//

#include "forge/Dialect/Forge/IR/Cost.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace forge;

int64_t forge::addCounts(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t forge::multiplyCounts(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t forge::matmulMultiplyAdds(RankedTensorType result, int64_t inner) {
  return multiplyCounts(result.getNumElements(), inner);
}

int64_t forge::convolutionMultiplyAdds(RankedTensorType outer, RankedTensorType filters) {
  // Every output element takes one product per element of a filter.
  int64_t count = filters.getDimSize(0);
  return count == 0 ? 0 : multiplyCounts(outer.getNumElements(), filters.getNumElements() / count);
}

int64_t forge::multiplyAdds(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](MatmulOp matmul) {
        return matmulMultiplyAdds(tensorType(matmul.getResult()), tensorType(matmul.getOperandA()).getShape().back());
      })
      .Case([](Conv2dOp conv) {
        return convolutionMultiplyAdds(tensorType(conv.getResult()), tensorType(conv.getWeights()));
      })
      .Case([](Conv2dTransposeOp conv) {
        return convolutionMultiplyAdds(tensorType(conv.getActivations()), tensorType(conv.getWeights()));
      })
      .Default([](Operation *) { return 0; });
}
