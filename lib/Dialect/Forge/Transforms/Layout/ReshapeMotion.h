//===- ReshapeMotion.h - sinks reshapes across elementwise ops --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Sinks reshapes that split the leading axis of a tensor of rank 4 across elementwise ops and concatenations, up to a
/// reshape that merges the two axes again. Only for programs with channels last, where neither axis is the channels.
void addLeadingAxesPatterns(mlir::RewritePatternSet &patterns);

/// Sinks reshapes of rows of pixels to images, [N, H * W, C] to [N, H, W, C], across elementwise ops with weights, to
/// the convolution, which reads rows of pixels: there the reshape needs no kernel. Only for programs with channels
/// last.
void addPixelRowPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
