//===- Norm.h - the normalisation converters --------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

void registerNormalizationOps(OnnxRegistry &registry);
void registerSoftmaxOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
