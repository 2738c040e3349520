//===- Activation.h - the activation converters -----------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H

#include "../Elementwise/Elementwise.h"

namespace forge {

// One converter per op, by file.
ConverterFunction convertClip;
ConverterFunction convertDropout;
ConverterFunction convertGelu;
ConverterFunction convertPRelu;
ConverterFunction convertShrink;
ConverterFunction convertSwiGLU;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ACTIVATION_ACTIVATION_H
