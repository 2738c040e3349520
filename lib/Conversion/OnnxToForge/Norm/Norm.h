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

/// Softmax along `dim` (negative), rounded as ONNX rounds it: forge.softmax computes narrow types in float32, ONNX each
/// step in its own type.
mlir::Value softmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);
/// The logarithm of that.
mlir::Value logSoftmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);

/// LayerNormalization with all of its outputs, in plain arithmetic; reads axis, epsilon and stash_type. `bias` may be
/// null.
Values layerNorm(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value scale, mlir::Value bias);
/// BatchNormalization by the statistics of the batch, and the updated running ones. `statistics` are scale, bias, mean
/// and variance.
Values batchNormTraining(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<mlir::Value> statistics,
                         double epsilon, double momentum);

void registerNormalizationOps(OnnxRegistry &registry);
void registerSoftmaxOps(OnnxRegistry &registry);
void registerStandardizeOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
