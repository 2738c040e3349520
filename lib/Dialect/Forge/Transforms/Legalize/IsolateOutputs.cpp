//===- IsolateOutputs.cpp - a call of its own for each output -------------===//

#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEISOLATEOUTPUTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
struct ForgeIsolateOutputsPass : forge::impl::ForgeIsolateOutputsPassBase<ForgeIsolateOutputsPass>, ReportingPass {
  void runOnOperation() override {
    getOperation().walk([&](func::ReturnOp terminator) {
      OpBuilder builder(terminator);
      llvm::SmallPtrSet<Operation *, 8> returned;
      for (OpOperand &operand : terminator->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        // forge.constant and the scalar constant become weights or constant inputs, not graph nodes.
        bool isNode = producer && isa<ForgeCallOpInterface>(producer) && !isa<ScalarConstantOp>(producer);
        if (isNode && returned.insert(producer).second)
          continue;
        if (!isa<RankedTensorType>(operand.get().getType()))
          continue;
        operand.set(IdentityOp::create(builder, operand.get().getLoc(), operand.get().getType(), operand.get(),
                                       StringAttr(), IntegerAttr()));
        count("outputs-isolated");
      }
    });
  }
};
} // namespace
