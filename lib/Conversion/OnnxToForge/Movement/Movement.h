//===- Movement.h - the movement converters ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

ConverterFunction convertConcat, convertSplit, convertSlice, convertTranspose, convertExpand, convertTile, convertPad;
ConverterFunction convertCenterCropPad, convertTrilu, convertDepthToSpace, convertSpaceToDepth, convertReverseSequence;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
