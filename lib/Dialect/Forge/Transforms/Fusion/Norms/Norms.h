//===- Norms.h - layer norms as elementary ops ------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Replaces `op` by the steps of a layer norm. `centred` is its operand minus the mean; if null, the subtraction is
/// created.
void decomposeLayerNorm(mlir::RewriterBase &rewriter, LayernormOp op, mlir::Value centred = {});

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_NORMS_H
