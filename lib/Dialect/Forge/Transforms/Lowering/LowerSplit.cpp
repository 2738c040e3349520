//===- LowerSplit.cpp - forge.split to forge.strided_slice ----------------===//

#define GEN_PASS_DEF_FORGELOWERSPLITPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Replaces each used result of `split` by a slice, which begins where the result before it ends. Returns their number.
static int64_t lowerSplit(SplitOp split) {
  OpBuilder builder(split);
  int64_t begin = 0, slices = 0;
  for (auto [i, output, size] : llvm::enumerate(split.getOutputs(), split.getSizes())) {
    int64_t end = begin + size;
    if (!output.use_empty()) {
      ++slices;
      output.replaceAllUsesWith(StridedSliceOp::create(builder, locationOfResult(split.getLoc(), i), output.getType(),
                                                       split.getOperandA(), split.getDim(), begin, end, int64_t(1)));
    }
    begin = end;
  }
  split.erase();
  return slices;
}

namespace {
struct ForgeLowerSplitPass : forge::impl::ForgeLowerSplitPassBase<ForgeLowerSplitPass>, ReportingPass {
  void runOnOperation() override {
    getOperation().walk([&](SplitOp split) {
      count("splits-lowered");
      count("slices-made", lowerSplit(split));
    });
  }
};
} // namespace
