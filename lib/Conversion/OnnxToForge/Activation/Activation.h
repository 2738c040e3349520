//===- Activation.h - the activation converters -----------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

// Converters that have files of their own.
ConverterFunction convertClip, convertDropout;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H
