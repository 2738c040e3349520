//===- Image.h - the image converters ---------------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

// Converters that have files of their own.
ConverterFunction convertCol2Im;
ConverterFunction convertDeformConv;
ConverterFunction convertGridSample;
ConverterFunction convertResize, convertUpsample;
ConverterFunction convertRoiAlign, convertMaxRoiPool;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_IMAGE_H
