//===- Norm.h - the normalisation converters --------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Mean, variance (of the whole population) and the operand less its mean, over some axes that stay with size 1.
struct Moments {
  mlir::Value mean, variance, centred;
};
Moments moments(ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<int64_t> axes);
/// sqrt(variance + epsilon).
mlir::Value deviation(ForgeBuilder &builder, mlir::Value variance, double epsilon);

/// Softmax along `dim` (negative), in float16 by the steps of ONNX's function body, which round each.
mlir::Value softmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);
/// The logarithm of that.
mlir::Value logSoftmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);

// Converters of other files than the table's.
ConverterFunction convertSoftmax, convertLogSoftmax;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
