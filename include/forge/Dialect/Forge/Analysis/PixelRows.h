//===- PixelRows.h - images as rows of pixels -------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

namespace forge {

/// The shape of the rows of pixels of an image [N, H, W, C]: [N, 1, H * W, C].
inline Shape pixelRows(llvm::ArrayRef<int64_t> image) { return {image[0], 1, image[1] * image[2], image[3]}; }

/// The attribute channel_last of `op`; none if it has none, or is null.
std::optional<bool> channelsLast(mlir::Operation *op);
/// Whether `op`, which may be null, is a convolution or a pool with channels last. The device reshapes its operand to
/// rows of pixels and its result back to an image, so that reshapes of the program to and from rows cancel.
bool isOnPixelRows(mlir::Operation *op);
/// Whether `op`, which may be null, reshapes the image `image` to rows of pixels, with or without the axis of size 1,
/// or such rows to the image. A write of a token [N, heads, 1, D] into a cache counts, because the device has that
/// reshape.
bool isReshapeOfRows(mlir::Operation *op, mlir::Value image);
/// If `inner` is the first of two successive means over the spatial axes of an image [N, H, W, C], the second one; else
/// null.
ReduceAvgOp outerSpatialMean(mlir::Operation *inner);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H
