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

static int64_t elements(Value value) { return tensorType(value).getNumElements(); }

int64_t forge::multiplyAdds(Operation *op) {
  auto perOutput = [&](Value weight) {
    // Every output element takes one product per element of a filter: [out, in / groups, window...].
    int64_t filters = tensorType(weight).getDimSize(0);
    return filters == 0 ? 0 : multiplyCounts(elements(op->getResult(0)), elements(weight) / filters);
  };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](MatmulOp matmul) {
        return multiplyCounts(elements(matmul.getResult()), tensorType(matmul.getOperandA()).getShape().back());
      })
      .Case<Conv2dOp>([&](auto conv) { return perOutput(conv.getWeights()); })
      .Case([&](Conv2dTransposeOp conv) {
        // The same with input and output exchanged.
        int64_t filters = tensorType(conv.getWeights()).getDimSize(0);
        return filters == 0 ? 0
                            : multiplyCounts(elements(conv.getActivations()), elements(conv.getWeights()) / filters);
      })
      .Default([](Operation *) { return 0; });
}
