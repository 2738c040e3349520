//===- Norm.h - the normalisation converters --------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Mean, variance (of the population) and x - mean over some axes, which are kept with size 1.
struct Moments {
  mlir::Value mean, variance, centred;
};
Moments moments(ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<int64_t> axes);
/// sqrt(variance + epsilon).
mlir::Value deviation(ForgeBuilder &builder, mlir::Value variance, double epsilon);

/// Softmax along `dim` (negative). In float16 it follows ONNX's function body, which rounds each step.
mlir::Value softmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);
/// The logarithm of softmax.
mlir::Value logSoftmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);

// Converters that have files of their own.
ConverterFunction convertSoftmax, convertLogSoftmax;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
