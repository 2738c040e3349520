//===- ConvertOnnxToForge.cpp - from ONNX nodes to the forge dialect ------===//

#include "FunctionConverter.h"
#include "Import/Import.h"
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
      if (!isHostFunction(func) && isImported(func))
        anyFailed |= failed(FunctionConverter(func, options).run());
    if (anyFailed)
      signalPassFailure();
  }
};
} // namespace
