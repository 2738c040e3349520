//===- Decompositions.h - norms and convolutions as elementary ops -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_DECOMPOSITIONS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_DECOMPOSITIONS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

class ZeroSigns;

/// Replaces `op` by the steps of a layer norm. `signs` tells whether a bias of zeros may be left out. `centred` is its
/// operand minus the mean; if null, the subtraction is created.
void decomposeLayerNorm(mlir::RewriterBase &rewriter, LayernormOp op, const ZeroSigns &signs, mlir::Value centred = {});

/// Rewrites a batch normalisation as x * scale + shift per channel (FoldBatchNorm.cpp), computed in f32, because the
/// subtraction in the shift could cancel most digits of 16-bit operands. Null for an empty result.
mlir::Value scaleAndShift(BatchnormOp op, mlir::ImplicitLocOpBuilder &builder);

/// Rewrites a depthwise 1x1 convolution without strides and padding, which the device's op model refuses, as a
/// multiplication by the weights and an addition of the bias. Null for other convolutions.
mlir::Value channelProduct(Conv2dOp op, mlir::ImplicitLocOpBuilder &builder);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_DECOMPOSITIONS_H
