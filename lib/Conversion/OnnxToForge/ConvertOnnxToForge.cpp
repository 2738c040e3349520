//===- ConvertOnnxToForge.cpp - from ONNX nodes to the forge dialect ------===//

#include "FunctionConverter.h"
#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_CONVERTONNXTOFORGEPASS
#include "forge/Conversion/OnnxToForge/Passes.h.inc"
} // namespace forge

namespace {
struct ConvertOnnxToForgePass : forge::impl::ConvertOnnxToForgePassBase<ConvertOnnxToForgePass> {
  using ConvertOnnxToForgePassBase::ConvertOnnxToForgePassBase;

  void runOnOperation() override {
    bool anyFailed = false;
    ConversionOptions options{foldLimit, allowRounding};
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!isHostFunction(func) && !isConverted(func))
        anyFailed |= failed(FunctionConverter(func, options).run());
    if (anyFailed)
      signalPassFailure();
  }

  // A function without torch types or ops is left alone.
  static bool isConverted(func::FuncOp func) {
    auto isTorch = [](Type type) { return isa<torch::TorchDialect>(type.getDialect()); };
    if (llvm::any_of(func.getArgumentTypes(), isTorch) || llvm::any_of(func.getResultTypes(), isTorch))
      return false;
    return func.walk([](Operation *op) {
                 return isa_and_nonnull<torch::TorchDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                               : WalkResult::advance();
               })
               .wasInterrupted() == false;
  }
};
} // namespace
