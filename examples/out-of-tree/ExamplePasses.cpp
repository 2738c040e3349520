//===- ExamplePasses.cpp - passes on forge ops, as a plugin ---------------===//

#include "ExamplePasses.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {
#include "Patterns.inc"

struct DropRelu : PassWrapper<DropRelu, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropRelu)

  StringRef getArgument() const override { return "example-drop-relu"; }
  StringRef getDescription() const override { return "drop every forge.relu of what is not negative"; }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

struct ListDestinations : PassWrapper<ListDestinations, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ListDestinations)

  StringRef getArgument() const override { return "example-list-destinations"; }
  StringRef getDescription() const override { return "remark on the operand that each op writes its result into"; }

  void runOnOperation() override {
    getOperation().walk([](DestinationStyleOpInterface op) {
      OpOperand *destination = op.getTiedOpOperand(op->getResult(0));
      op.emitRemark() << op->getName() << " writes into operand " << destination->getOperandNumber();
    });
  }
};
} // namespace

void example::registerPasses() {
  PassRegistration<DropRelu>();
  PassRegistration<ListDestinations>();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ExamplePasses", "1.0", example::registerPasses};
}
