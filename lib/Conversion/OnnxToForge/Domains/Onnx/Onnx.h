//===- Onnx.h - converters of ONNX's own smaller domains --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

// Converters that have files of their own.
ConverterFunction convertTreeRegressor, convertTreeClassifier;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H
