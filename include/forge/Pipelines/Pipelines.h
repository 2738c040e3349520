//===- Pipelines.h - registration and the pipeline --------------*- C++ -*-===//

#ifndef FORGE_PIPELINES_PIPELINES_H
#define FORGE_PIPELINES_PIPELINES_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace forge {

/// Whether the pipeline rewrites for the tile layout.
enum class LayoutRewrites { None, Tiles };

/// Which rewrites are applied: those that emission needs, also those that are bit-exact, or all.
enum class Optimize { None, Exact, Default };

/// Options of --onnx-to-forge-pipeline: those of its passes that users choose.
struct OnnxToForgeOptions : mlir::PassPipelineOptions<OnnxToForgeOptions> {
  Option<int64_t> foldLimit{*this, "fold-limit", llvm::cl::desc("bytes of the largest constant that folding may make"),
                            llvm::cl::init(ConversionOptions().foldLimit)};
  Option<bool> allowRounding{*this, "allow-rounding",
                             llvm::cl::desc("accept results that agree with ONNX only up to rounding"),
                             llvm::cl::init(ConversionOptions().allowRounding)};
  Option<std::string> integers{*this, "integers", llvm::cl::desc("the mode of --forge-check-integers"),
                               llvm::cl::init(ForgeCheckIntegersPassOptions().mode)};
  Option<Optimize> optimize{
      *this, "optimize", llvm::cl::desc("which rewrites are applied"), llvm::cl::init(Optimize::Default),
      llvm::cl::values(clEnumValN(Optimize::None, "none", "those that emission needs"),
                       clEnumValN(Optimize::Exact, "exact", "also those that are bit-exact"),
                       clEnumValN(Optimize::Default, "default", "all that docs/numerics.md permits"))};
  ListOption<std::string> fastMath{*this, "fast-math",
                                   llvm::cl::desc("kinds of floating-point rewrites that may change results")};
  Option<LayoutRewrites> layout{
      *this, "layout", llvm::cl::desc("rewrites for the tile layout"), llvm::cl::init(LayoutRewrites::None),
      llvm::cl::values(clEnumValN(LayoutRewrites::None, "none", "none"),
                       clEnumValN(LayoutRewrites::Tiles, "tiles", "--forge-divisibility-rewrite"))};
  Option<double> maxWeightGrowth{
      *this, "max-weight-growth",
      llvm::cl::desc("with layout=tiles: the largest factor by which padding may enlarge a weight"),
      llvm::cl::init(ForgeDivisibilityRewritePassOptions().maxWeightGrowth)};
  Option<std::string> deviceFormat{
      *this, "device-format", llvm::cl::desc("with layout=tiles or fill-tile-padding: the float format of the device"),
      llvm::cl::init("")};
  Option<bool> layoutRemarks{*this, "layout-remarks", llvm::cl::desc("with layout=tiles: one remark per rewrite"),
                             llvm::cl::init(false)};
  Option<bool> flat{*this, "flat", llvm::cl::desc("emit no methods for equal layers: --forge-write-flat"),
                    llvm::cl::init(false)};
  Option<std::string> floatFormat{
      *this, "float-format", llvm::cl::desc("the format of --forge-float-format; if empty, the types of the model"),
      llvm::cl::init("")};
  ListOption<std::string> keepFloat32{*this, "keep-float32",
                                      llvm::cl::desc("nodes and ops that --forge-float-format leaves in f32")};
  Option<std::string> floatFormatOutputs{
      *this, "float-format-outputs",
      llvm::cl::desc("with float-format: the types of outputs: as declared, or native (as computed)"),
      llvm::cl::init("declared")};
  // Off by default: TTNN masks in softmax and reductions itself, and every fill moves the tiles at the edges.
  Option<std::string> fillTilePadding{
      *this, "fill-tile-padding",
      llvm::cl::desc("the target of --forge-fill-tile-padding; if empty, tile padding is not filled"),
      llvm::cl::init("")};

  /// Whether optional rewrites are applied, and whether they may round.
  bool rewrites() const { return optimize != Optimize::None; }
  bool rounds() const { return optimize == Optimize::Default; }
};

/// --onnx-to-forge-pipeline: from imported ONNX to a module that can be emitted as Python.
void buildOnnxToForgePipeline(mlir::OpPassManager &manager, const OnnxToForgeOptions &options);

/// Registers the dialects of this project and func.
void registerForgeDialects(mlir::DialectRegistry &registry);

/// Registers every pass and pipeline of this project and MLIR's general transforms. Call once per process.
void registerForgePasses();

} // namespace forge

#endif // FORGE_PIPELINES_PIPELINES_H
