//===- ReshapeMotion.h - sinks reshapes across elementwise ops --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Sinks reshapes across elementwise ops, in programs with channels last, up to an op that undoes them:
/// - those that split the leading axis of a tensor of rank 4, also across concatenations, up to a reshape that merges
///   the two axes again;
/// - those of rows of pixels to images, [N, H * W, C] to [N, H, W, C], up to the convolution: it reads rows of pixels,
///   so that the reshape needs no kernel there.
void populateReshapeMotion(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPEMOTION_H
