//===- Rewrites.h - the rules of --forge-divisibility-rewrite ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H

#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// What a rule may ask and tell.
struct RewriteContext {
  DeviceLayout layout;
  double maxWeightGrowth; ///< most padded / logical size of a weight
  bool remarks;
  ReportingPass &pass;

  /// Whether it pays to move `after` tiles instead of `before`, and the rest of ReportingPass::mayRewrite. Says
  /// "<rule>: <what>, tile traffic <before> -> <after>" if remarks are wanted.
  [[nodiscard]] bool mayRewrite(mlir::Operation *op, llvm::StringRef rule, const llvm::Twine &what, int64_t before,
                                int64_t after) const;
};

/// Whether a slice of a projection is reshaped to heads [..., H, D] of whole tiles. The device's compiler has one call
/// for the slices of a projection, these reshapes and the transposes after them, so that they must not be rewritten.
bool isHeadSplit(mlir::Value piece);

// One function per rule; each leaves a correct program, maybe with dead ops. Definitions say when a rule is legal.

/// Head sizes padded to whole tiles in the weights, where every op that reads the heads tolerates zeros.
void padWeights(mlir::func::FuncOp func, const RewriteContext &context);
/// A split of a product becomes smaller matmuls with parts of the weight.
void splitWeights(mlir::func::FuncOp func, const RewriteContext &context);
/// Products of neighbouring slices read one tile-aligned slice, with zeros in their weights for the columns of others.
void regroupSlices(mlir::func::FuncOp func, const RewriteContext &context);
/// Slices of a value that all get the same reshape or transpose move down through it, to where they are cheaper.
void sinkSlices(mlir::func::FuncOp func, const RewriteContext &context);
/// Slices move up through reshapes and transposes, to where they are cheaper.
void hoistSlices(mlir::func::FuncOp func, const RewriteContext &context);
/// A misaligned slice is taken from the whole tiles around it.
void windowSlices(mlir::func::FuncOp func, const RewriteContext &context);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H
