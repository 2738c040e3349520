//===- Movement.h - the movement converters ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

// One converter per op, by file.
ConverterFunction convertCenterCropPad;
ConverterFunction convertConcat;
ConverterFunction convertDepthToSpace, convertSpaceToDepth;
ConverterFunction convertExpand;
ConverterFunction convertPad;
ConverterFunction convertReverseSequence;
ConverterFunction convertSlice;
ConverterFunction convertSplit;
ConverterFunction convertTile;
ConverterFunction convertTranspose;
ConverterFunction convertTrilu;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
