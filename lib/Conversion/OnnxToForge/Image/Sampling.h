//===- Sampling.h - interpolated reads of images ----------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H

#include "../Indexing/Indexing.h"

namespace forge {

/// How one spatial axis is sampled.
struct Sampler {
  ForgeBuilder &b;
  int64_t size;
  llvm::StringRef padding; ///< zeros, border or reflection
  double low, high;        ///< the bounds of the axis, for reflection and border
};

/// A neighbour along an axis: its index, in bounds; its weight (null for 1); and whether it exists (null for always).
/// All are (batch, points, 1).
struct Neighbour {
  mlir::Value index, weight, isThere;
};

/// The neighbours of points at `coordinate` (batch, points, 1), in pixels. `mode` is nearest, linear
/// or cubic.
llvm::SmallVector<Neighbour> neighbours(Sampler sampler, mlir::Value coordinate, llvm::StringRef mode);

/// Images whose pixels are addressed by a single index.
struct SampledPixels {
  mlir::Value rows;  ///< (pixels of all images, channels)
  mlir::Value begin; ///< (batch or 1, 1, 1): the index of the first pixel of each batch row
  int64_t batch = 0, points = 0, channels = 0;
  llvm::SmallVector<int64_t> size; ///< spatial sizes
};

/// Refuses an operand that is empty or has more elements than a float can count exactly.
void checkSampled(OnnxNode &node, mlir::Value x);
/// Views `x` as `images` images of spatial `size` with the same number of channels, each with
/// `points` points.
SampledPixels pixelsOf(ForgeBuilder &builder, mlir::Value x, int64_t images, llvm::ArrayRef<int64_t> size,
                       int64_t points);
/// The sum or the maximum over all combinations of one neighbour per axis of their weighted pixels (batch, points,
/// channels); in f32 if there are weights.
mlir::Value combinedNeighbours(ForgeBuilder &builder, const SampledPixels &pixels,
                               llvm::ArrayRef<llvm::SmallVector<Neighbour>> axes, bool takesMax = false);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_SAMPLING_H
