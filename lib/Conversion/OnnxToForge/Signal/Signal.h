//===- Signal.h - the signal processing converters --------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// A constant of the type that attribute `output_datatype` names; refused where the device has none.
mlir::Value numbers(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<double> values);

// One converter per op, by file.
ConverterFunction convertDFT, convertSTFT;
ConverterFunction convertMelWeightMatrix;
ConverterFunction convertHannWindow, convertHammingWindow, convertBlackmanWindow;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
