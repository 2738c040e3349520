//===- Movement.h - the movement converters ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

void registerGatherOps(OnnxRegistry &registry);
void registerSliceOps(OnnxRegistry &registry);
void registerSplitOps(OnnxRegistry &registry);
void registerTileOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
