//===- Signal.h - the signal processing converters --------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

void registerFourierOps(OnnxRegistry &registry);
void registerWindowOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
