//===- Heads.h - queries, keys and values as heads together -----*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_HEADS_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_HEADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

class ReportingPass;

/// Columns [B, S, N] that become heads [B, S, H, D], projected from one tensor or cut out of one, as one product, one
/// reshape and one transpose, and a slice for each. With `keepTiles` heads of whole tiles stay apart.
void joinHeads(mlir::func::FuncOp func, bool keepTiles, ReportingPass &pass);

/// A pattern that gives the columns of queries, keys and values, head by head, the order of their own.
void populateHeadColumns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_HEADS_H
