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

/// LayerNormalization with all of its outputs, decomposed into arithmetic; reads axis, epsilon and stash_type. `bias`
/// may be null.
Values layerNorm(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value scale, mlir::Value bias);
/// BatchNormalization by the statistics of the batch, and the updated running ones. `statistics` are scale, bias, mean
/// and variance.
Values batchNormTraining(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<mlir::Value> statistics,
                         double epsilon, double momentum);

/// The mean over `axes`, which stay with size 1.
mlir::Value mean(ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<int64_t> axes);
/// Values per channel, ready to broadcast over an operand of `rank` dims with the channels in axis 1.
mlir::Value perChannel(ForgeBuilder &builder, mlir::Value value, int64_t rank);
/// Refuses a value that has not one element per channel; whether it has.
bool checkChannels(OnnxNode &node, mlir::Value value, int64_t count, llvm::StringRef what);
/// The axes that statistics are taken over must not be empty.
bool checkFilled(OnnxNode &node, mlir::Value x, int64_t minimumRank);
/// The type that a norm is computed in: f32 for narrower types where `stash_type` says so, else the operand's own.
mlir::Type stashType(OnnxNode &node, ForgeBuilder &builder, mlir::Value x);
/// That of norms without a `stash_type`: f32 for narrower types, as onnxruntime and torch compute them. A mean that is
/// rounded to 16 bits is off by more than the deviation of a row that is far from 0.
mlir::Type statisticsType(ForgeBuilder &builder, mlir::Value x);
/// `value` as an operand that broadcasts to `x` without growing it.
mlir::Value broadcastable(OnnxNode &node, mlir::Value value, mlir::Value x);
/// The axes of `x` from the node's attribute `axis` (default -1) on.
llvm::SmallVector<int64_t> axesFrom(OnnxNode &node, mlir::Value x);

// One converter per op, by file.
ConverterFunction convertBatchNormalization;
ConverterFunction convertGroupNormalization;
ConverterFunction convertInstanceNormalization;
ConverterFunction convertLRN;
ConverterFunction convertLayerNormalization;
ConverterFunction convertLpNormalization;
ConverterFunction convertMeanVarianceNormalization;
ConverterFunction convertRMSNormalization;
ConverterFunction convertSoftmax, convertLogSoftmax;

ConverterFunction convertScaler;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
