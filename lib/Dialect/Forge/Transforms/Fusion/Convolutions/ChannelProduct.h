//===- ChannelProduct.h - convolutions that scale each channel *- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Rewrites a depthwise 1x1 convolution without strides and padding as a multiplication by the weights and an addition
/// of the bias. Null for other convolutions. The device's op model refuses these.
mlir::Value channelProduct(Conv2dOp op, mlir::ImplicitLocOpBuilder &builder);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H
