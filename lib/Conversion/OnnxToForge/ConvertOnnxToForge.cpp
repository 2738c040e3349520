//===- ConvertOnnxToForge.cpp - from ONNX nodes to the forge dialect ------===//

#include "forge/Conversion/OnnxToForge/FunctionConverter.h"
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
struct ConvertOnnxToForgePass : forge::impl::ConvertOnnxToForgePassBase<ConvertOnnxToForgePass>, ReportingPass {
  using ConvertOnnxToForgePassBase::ConvertOnnxToForgePassBase;

  void runOnOperation() override {
    bool anyFailed = false;
    ConversionOptions options{foldLimit, allowRounding};
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (isHostFunction(func) || !torch::isImported(func))
        continue;
      FunctionConverter converter(func, options);
      anyFailed |= failed(converter.run());
      count("nodes-converted", converter.getTally().converted);
      count("nodes-folded", converter.getTally().folded);
      count("nodes-refused", converter.getTally().refused);
    }
    if (anyFailed)
      signalPassFailure();
  }
};
} // namespace
