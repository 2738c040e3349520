//===- RegisterAll.h - the families of converters ---------------*- C++ -*-===//
//
// A family is a folder with a table of its ops in <Family>/<Family>.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

void registerActivationOps(OnnxRegistry &registry);
void registerAttentionOps(OnnxRegistry &registry);
void registerControlOps(OnnxRegistry &registry);
void registerElementwiseOps(OnnxRegistry &registry);
void registerImageOps(OnnxRegistry &registry);
void registerIndexingOps(OnnxRegistry &registry);
void registerLossOps(OnnxRegistry &registry);
void registerMicrosoftOps(OnnxRegistry &registry);
void registerMovementOps(OnnxRegistry &registry);
void registerNNOps(OnnxRegistry &registry);
void registerNormOps(OnnxRegistry &registry);
void registerOnnxOps(OnnxRegistry &registry);
void registerQuantOps(OnnxRegistry &registry);
void registerRecurrentOps(OnnxRegistry &registry);
void registerReductionOps(OnnxRegistry &registry);
void registerShapeOps(OnnxRegistry &registry);
void registerSignalOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_REGISTERALL_H
