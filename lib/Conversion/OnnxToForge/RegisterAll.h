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
RegisterFamily registerActivationOps, registerAttentionOps, registerControlOps, registerConvOps, registerElementwiseOps,
    registerImageOps, registerIndexingOps, registerLossOps, registerMatmulOps, registerMicrosoftOps,
    registerMovementOps, registerNormOps, registerOnnxOps, registerPoolOps, registerQuantizationOps,
    registerRecurrentOps, registerReductionOps, registerResizeOps, registerShapeOps, registerSignalOps;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H
