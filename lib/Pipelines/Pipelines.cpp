//===- Pipelines.cpp - everything a tool registers ------------------------===//

#include "forge/Pipelines/Pipelines.h"

#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Dialect/Torch/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void forge::buildOnnxToForgePipeline(OpPassManager &manager, const OnnxToForgeOptions &options) {
  SmallVector<std::string> fastMath(options.fastMath.begin(), options.fastMath.end());
  manager.addPass(createForgeNormalizeImportPass());
  manager.addPass(createConvertOnnxToForgePass({options.foldLimit, options.allowRounding}));
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createForgeCheckIntegersPass({options.integers}));
  functions.addPass(createForgeLowerIntegersPass());
  functions.addPass(createForgeSimplifyArithmeticPass({fastMath}));
  functions.addPass(createForgeFusePatternsPass({options.allowRounding}));
  functions.addPass(createForgeLowerSplitPass());
  functions.addPass(createForgeSliceCanonicalizePass());
  if (options.layout == LayoutRewrites::Tiles) {
    functions.addPass(
        createForgeDivisibilityRewritePass({options.maxWeightGrowth, {}, options.layoutRemarks, options.deviceFormat}));
    functions.addPass(createForgeMergeEqualPass());
  }
  functions.addPass(createForgeLowerStridedSlicePass());
  functions.addPass(createForgeJoinRecurrentPass());
  functions.addPass(createForgeDeviceFormsPass());
  functions.addPass(createForgeLegalizeTypesPass());
  functions.addPass(createForgeMergeEqualPass());
  functions.addPass(createForgeJoinMovementPass());
  functions.addPass(createForgeFoldWeightsPass({fastMath}));
  functions.addPass(createForgeJoinConvolutionsPass({fastMath}));
  functions.addPass(createForgeChannelsLastPass());
  functions.addPass(createForgeJoinMovementPass({/*chains=*/true}));
  // The passes on padding know layer norms.
  if (options.fillTilePadding.empty())
    functions.addPass(createForgeCentreNormsPass());
  functions.addPass(
      createForgeKernelFormsPass({!options.fillTilePadding.empty(), options.layout == LayoutRewrites::Tiles}));
  if (options.fillTilePadding.empty())
    functions.addPass(createForgeColumnProductsPass({fastMath}));
  functions.addPass(createForgeJoinSlicesPass());
  functions.addPass(createForgeMergeEqualPass());
  functions.addPass(createForgeSeparateProductsPass());
  functions.addPass(createForgeIsolateOutputsPass());
  if (!options.fillTilePadding.empty()) {
    ForgeFillTilePaddingPassOptions fill;
    fill.target = options.fillTilePadding;
    functions.addPass(createForgeFillTilePaddingPass(fill));
  }
  if (options.flat)
    functions.addPass(createForgeWriteFlatPass());
  manager.addPass(createForgeVerifyEmittablePass());
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
