//===- Shape.h - converters of constants and ops on shapes ------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

// Converters that have files of their own.
ConverterFunction convertConstant, convertConstantOfShape, convertEyeLike, convertRange;
ConverterFunction convertReshape, convertFlatten, convertSqueeze, convertUnsqueeze;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H
