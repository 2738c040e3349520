//===- Pipelines.cpp - registration and the pipeline ----------------------===//

#include "forge/Pipelines/Pipelines.h"

#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static SmallVector<std::string> list(ArrayRef<std::string> words) { return SmallVector<std::string>(words); }

void forge::buildOnnxToForgePipeline(OpPassManager &manager, const OnnxToForgeOptions &o) {
  OpPassManager *functions = nullptr;
  auto add = [&](std::unique_ptr<Pass> pass) {
    if (pass->getOpName() != func::FuncOp::getOperationName())
      return manager.addPass(std::move(pass));
    if (!functions)
      functions = &manager.nest<func::FuncOp>();
    functions->addPass(std::move(pass));
  };
#define FORGE_STEP(pass, condition, options, why)                                                                      \
  if (condition)                                                                                                       \
    add(create##pass##Pass options);
#include "forge/Dialect/Forge/IR/Rewriting/PassTable.inc"
}

void forge::registerForgeDialects(DialectRegistry &registry) {
  registry.insert<ForgeDialect, torch::TorchDialect, func::FuncDialect>();
}

void forge::registerForgePasses() {
  registerTransformsPasses();
  registerOnnxToForgePasses();
  registerTorchTransformsPasses();
  registerForgeTransformsPasses();
  PassPipelineRegistration<OnnxToForgeOptions>("onnx-to-forge-pipeline",
                                               "from imported ONNX to a module that can be written as Python",
                                               buildOnnxToForgePipeline);
}
