//===- LeadingAxes.h - batch and depth as one axis --------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_LEADINGAXES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_LEADINGAXES_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Moves reshapes that split the first axis of a tensor of rank 4 behind elementwise ops and concatenations, to where
/// the next reshape joins it again. For programs with channels last: in another order the two axes might be channels.
void addLeadingAxesPatterns(mlir::RewritePatternSet &patterns);

/// Gives the one result of `op` another shape, and what reads it a reshape to the one that it had.
void moveReshapeBehind(mlir::Operation *op, llvm::ArrayRef<int64_t> shape, mlir::PatternRewriter &rewriter);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_LEADINGAXES_H
