//===- IsolateOutputs.cpp - gives each output its own call ----------------===//

#include "Requirements.h"

#define GEN_PASS_DEF_FORGEISOLATEOUTPUTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace {
// A Forge module cannot return an input, a weight, a constant, or the same tensor twice: inserts an identity for these.
struct ForgeIsolateOutputsPass : forge::impl::ForgeIsolateOutputsPassBase<ForgeIsolateOutputsPass>, ReportingPass {
  void runOnOperation() override {
    getOperation().walk([&](func::ReturnOp terminator) {
      OpBuilder builder(terminator);
      llvm::SmallPtrSet<Operation *, 8> returned;
      for (OpOperand &operand : terminator->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (isPrintedAsCall(producer) && returned.insert(producer).second)
          continue;
        if (!isa<RankedTensorType>(operand.get().getType())) // Functions on the host have types of the torch dialect.
          continue;
        operand.set(IdentityOp::create(builder, operand.get().getLoc(), operand.get().getType(), operand.get(),
                                       /*unsqueeze=*/StringAttr(), /*unsqueeze_dim=*/IntegerAttr()));
        count("outputs-isolated");
      }
    });
  }
};
} // namespace
