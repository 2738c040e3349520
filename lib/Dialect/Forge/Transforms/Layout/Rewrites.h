//===- Rewrites.h - the rules of --forge-divisibility-rewrite ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"

namespace forge {

/// The options of the pass, for its rules.
struct RewriteContext {
  DeviceLayout layout;
  double maxWeightGrowth; ///< the largest allowed ratio of the padded size of a weight to its size
  bool remarks;
  ReportingPass &pass;

  /// Whether `after` is less than `before`, which are numbers of moved tiles or INT64_MAX for unknown ones, and
  /// ReportingPass::mayRewrite() allows the rule. With `remarks` it emits "<rule>: <what>, tile traffic <before> ->
  /// <after>".
  [[nodiscard]] bool mayRewrite(mlir::Operation *op, llvm::StringRef rule, const llvm::Twine &what, int64_t before,
                                int64_t after) const;
};

/// The sizes D of the heads [..., H, D] to which users of `slice`, a projection or a slice of one, reshape its columns.
llvm::SmallVector<int64_t> headSizes(mlir::Value slice);
/// Whether one of headSizes() is a multiple of the tile size. The device's compiler fuses the slices of a projection
/// with the reshapes to heads and the transposes after them, so that such slices must not be rewritten.
bool isHeadSplit(mlir::Value slice);

// One function per rule. Each may leave dead ops.

/// Pads heads to whole tiles in the weights, if all ops that read the heads keep zeros.
void padWeights(mlir::Block &block, const RewriteContext &context);
/// Replaces slices of a product by products with parts of its weight.
void splitWeights(mlir::Block &block, const RewriteContext &context);
/// Makes products of neighbouring slices read one slice of whole tiles, with zero rows in their weights for the columns
/// of the other slices.
void regroupSlices(mlir::Block &block, const RewriteContext &context);
/// Sinks the slices of a value across the same reshape or transpose of all of them, if they are cheaper there.
void sinkSlices(mlir::Block &block, const RewriteContext &context);
/// Hoists slices across reshapes and transposes, if they are cheaper there.
void hoistSlices(mlir::Block &block, const RewriteContext &context);
/// Takes misaligned slices from the slice of whole tiles that contains them.
void windowSlices(mlir::Block &block, const RewriteContext &context);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REWRITES_H
