//===- Signal.h - what the signal processing converters share ---*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The most elements of windows and matrices.
inline constexpr int64_t kMostSignalElements = 1 << 22;
inline constexpr double kTwoPi = 2 * 3.14159265358979323846;

/// A constant of the type of attribute `output_datatype`; refused if the device has no such type.
mlir::Value signalConstant(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<double> values);

// Converters that have files of their own.
ConverterFunction convertDFT, convertSTFT, convertMelWeightMatrix;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_SIGNAL_SIGNAL_H
