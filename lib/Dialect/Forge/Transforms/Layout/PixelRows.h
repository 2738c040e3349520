//===- PixelRows.h - pixels as rows of channels -----------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Moves reshapes that make an image of rows of channels, [N, H * W, C] to [N, H, W, C], behind elementwise ops with
/// weights: a convolution reads rows of pixels, and what is reshaped once more in front of it takes no kernel. For
/// programs with channels last.
void addPixelRowPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_PIXELROWS_H
