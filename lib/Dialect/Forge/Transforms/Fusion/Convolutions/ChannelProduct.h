//===- ChannelProduct.h - convolutions that scale each channel *- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The result of a convolution whose filters are one pixel of one channel each, all pixels in their place, as a product
/// with the weights and a sum with the bias; null for any other. The device's op model refuses such convolutions.
mlir::Value channelProduct(Conv2dOp op, mlir::ImplicitLocOpBuilder &builder);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_CHANNELPRODUCT_H
