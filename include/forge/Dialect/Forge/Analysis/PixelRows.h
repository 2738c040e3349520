//===- PixelRows.h - images as the device has them --------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

namespace forge {

/// The shape of the rows of pixels of an image [N, H, W, C]: [N, 1, H * W, C].
inline Shape pixelRows(llvm::ArrayRef<int64_t> image) { return {image[0], 1, image[1] * image[2], image[3]}; }

/// Whether the channels of the image that `op` reads are last, as it says; nothing where it does not, or is null.
std::optional<bool> channelsLast(mlir::Operation *op);
/// Whether `op` is a convolution or a pool with channels last: the device reshapes the image that it reads to rows of
/// pixels, and the rows that it gives to an image. Reshapes of the program to and from rows cancel with those. May be
/// null.
bool isOnPixelRows(mlir::Operation *op);
/// Whether `op` is a reshape of the image `image` to rows of pixels, with or without their axis of size 1, or of rows
/// to it, or a call in which the device has such a reshape: the write of a token [N, heads, 1, D] into a cache. May be
/// null.
bool isReshapeOfRows(mlir::Operation *op, mlir::Value image);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_PIXELROWS_H
