//===- RegisterAll.h - the families of converters ---------------*- C++ -*-===//
//
// A family is a folder with a table of its ops in <Family>/<Family>.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Adds the ops of a family.
using RegisterFamily = void(OnnxRegistry &registry);
RegisterFamily registerActivationOps, registerAttentionOps, registerControlOps, registerElementwiseOps,
    registerImageOps, registerIndexingOps, registerLossOps, registerMicrosoftOps, registerMovementOps, registerNNOps,
    registerNormOps, registerOnnxOps, registerQuantizationOps, registerRecurrentOps, registerReductionOps,
    registerShapeOps, registerSignalOps;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H
