//===- Sampling.h - reading an image between its pixels ---------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// How one spatial axis is sampled.
struct Sampler {
  ForgeBuilder &b;
  int64_t size;
  llvm::StringRef padding; ///< zeros, border or reflection
  double low, high;        ///< where the axis ends, for reflection and border
};

/// One neighbour along an axis: its index, in range, its weight (null for 1), and whether it is there (null for
/// always). All are (batch, points, 1).
struct Neighbour {
  mlir::Value index, weight, isThere;
};

/// The neighbours of the points whose coordinates, in pixels, are `coordinate` (batch, points, 1). `mode` is nearest,
/// linear or cubic.
llvm::SmallVector<Neighbour> neighbours(Sampler sampler, mlir::Value coordinate, llvm::StringRef mode);

/// An image whose pixels are read by number.
struct SampledPixels {
  mlir::Value rows;  ///< (pixels of all images, channels)
  mlir::Value begin; ///< (batch or 1, 1, 1): the number of the first pixel that the points of a row of `batch` may read
  int64_t batch = 0, points = 0, channels = 0;
  llvm::SmallVector<int64_t> size; ///< of the spatial axes
};

/// Refuses an operand that is empty, or has more elements than a float counts exactly.
void checkSampled(OnnxNode &node, mlir::Value x);
/// `x`, seen as `images` images of spatial `size`, each with the same number of channels and `points` points of its
/// own.
SampledPixels pixelsOf(ForgeBuilder &builder, mlir::Value x, int64_t images, llvm::ArrayRef<int64_t> size,
                       int64_t points);
/// Calls `visit` with every combination of one neighbour per axis: its pixels, times their weights, (batch, points,
/// channels). In f32 where there are weights.
void forEachNeighbour(ForgeBuilder &builder, const SampledPixels &pixels,
                      llvm::ArrayRef<llvm::SmallVector<Neighbour>> axes, llvm::function_ref<void(mlir::Value)> visit);
/// The sum of all of them.
mlir::Value sumOfNeighbours(ForgeBuilder &builder, const SampledPixels &pixels,
                            llvm::ArrayRef<llvm::SmallVector<Neighbour>> axes);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H
