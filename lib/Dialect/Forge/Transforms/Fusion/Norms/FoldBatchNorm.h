//===- FoldBatchNorm.h - batch normalisation as a scale and a shift *- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_FOLDBATCHNORM_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_FOLDBATCHNORM_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The result of a batch normalisation as x * scale + shift per channel, both of which are computed with the weights in
/// most models; --forge-fold-weights then folds them into the convolution that produces x. In the 16-bit types the
/// subtraction in `shift` could cancel most digits of two large operands: it is computed in f32, as Batchnorm does.
/// Null for an empty result.
mlir::Value scaleAndShift(BatchnormOp op, mlir::ImplicitLocOpBuilder &builder);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_FOLDBATCHNORM_H
