//===- Image.h - the image converters ---------------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H

#include "../Conv/Conv.h"
#include "Sampling.h"

namespace forge {

/// Refuses an operand of RoiAlign or MaxRoiPool that is no floating-point tensor of rank 4. Returns whether it is one.
bool checkFeatureMap(OnnxNode &node, mlir::Value x);
/// Column `i` of the regions, (regions, 1, 1, 1, 1), in pixels.
Expr cornerOfRegions(ForgeBuilder &builder, mlir::Value regions, int64_t i, double scale);

// Converters that have files of their own.
ConverterFunction convertGridSample, convertAffineGrid, convertCol2Im;
ConverterFunction convertDeformConv, convertRoiAlign, convertMaxRoiPool;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H
