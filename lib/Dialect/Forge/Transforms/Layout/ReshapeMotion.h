//===- ReshapeMotion.h - reshapes sunk past elementwise ops -----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Moves reshapes that split the first axis of a tensor of rank 4 past elementwise ops and concatenations, to where
/// the next reshape joins it again. For programs with channels last: in another order the two axes might be channels.
void addLeadingAxesPatterns(mlir::RewritePatternSet &patterns);

/// Moves reshapes that make an image of rows of channels, [N, H * W, C] to [N, H, W, C], past elementwise ops with
/// weights: a convolution reads rows of pixels, and a second reshape before it takes no kernel. For
/// programs with channels last.
void addPixelRowPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
