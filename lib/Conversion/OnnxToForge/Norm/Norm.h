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
/// A norm over some axes, and the statistics that it is made from; an RMS norm has no mean and no variance.
struct Normalised {
  mlir::Value result, root, mean, variance;
};
/// (x - mean) / root, with the root of variance + epsilon.
Normalised normalised(ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<int64_t> axes, double epsilon);
/// x / root, with the root of mean(x * x) + epsilon.
Normalised rmsNormalised(ForgeBuilder &builder, mlir::Value x, llvm::ArrayRef<int64_t> axes, double epsilon);
/// x * scale + bias; the bias may be null.
mlir::Value scaledAndShifted(ForgeBuilder &builder, mlir::Value x, mlir::Value scale, mlir::Value bias);
/// 1 / x.
mlir::Value reciprocal(ForgeBuilder &builder, mlir::Value x);
/// Normalises each of `groups` groups of channels (axis 1) of each batch row in type `stash`, then scales and shifts
/// by one value per group or per channel.
mlir::Value normalisedGroups(ForgeBuilder &builder, mlir::Value x, int64_t groups, mlir::Value scale, mlir::Value bias,
                             mlir::Type stash, double epsilon);

/// Reshapes per-channel values to broadcast over an operand of `rank` with the channels in axis 1.
mlir::Value perChannel(ForgeBuilder &builder, mlir::Value value, int64_t rank);
/// Refuses a value that does not have one element per channel. Returns whether it has.
bool checkChannels(OnnxNode &node, mlir::Value value, int64_t count, llvm::StringRef what);
/// Refuses statistics over empty axes, and an operand of a lower rank. Returns whether it is sound.
bool checkFilled(OnnxNode &node, mlir::Value x, int64_t minimumRank);
/// Whether `value` broadcasts to `shape`.
bool broadcastsTo(mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// Refuses `value` unless it broadcasts to the shape of `x`. Returns whether it does.
bool checkBroadcasts(OnnxNode &node, mlir::Value value, mlir::Value x);
/// The type of the computation by `stash_type`: f32 for narrower types, otherwise the type of the operand.
mlir::Type stashType(OnnxNode &node, mlir::Value x);
/// The type for norms without `stash_type`: f32 for narrower types, as in onnxruntime and torch. In a row far from 0,
/// the rounding error of a 16-bit mean can exceed the deviation, and squares of 16-bit floats overflow.
mlir::Type statisticsType(ForgeBuilder &builder, mlir::Value x);
/// The axes of `x` from attribute `axis` (default -1) on.
llvm::SmallVector<int64_t> axesFromAttr(OnnxNode &node, mlir::Value x);

/// Attribute 'axis' of Softmax, LogSoftmax and Hardmax. Before opset 13 the axes from it on are flattened, so that it
/// may equal the rank.
int64_t softmaxAxis(OnnxNode &node, mlir::Value x);
/// Softmax along `dim` (negative). In float16 it follows ONNX's function body, which rounds each step.
mlir::Value softmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);
/// The logarithm of softmax.
mlir::Value logSoftmax(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, int64_t dim);

// Converters that have files of their own.
ConverterFunction convertBatchNormalization, convertLayerNormalization, convertRMSNormalization;
ConverterFunction convertInstanceNormalization, convertGroupNormalization, convertMeanVarianceNormalization;
ConverterFunction convertLpNormalization, convertLRN, convertScaler, convertSoftmax, convertLogSoftmax;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NORM_NORM_H
