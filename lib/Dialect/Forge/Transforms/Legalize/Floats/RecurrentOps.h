//===- RecurrentOps.h - finds the ops of unrolled recurrences ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

namespace forge {

/// The ops of a block that belong to recurrences, such as those of an LSTM, a GRU or an unrolled loop.
///
/// In a recurrence, a product depends on an earlier product with the same weight, and only ops that keep elements apart
/// and products with weights are in between. Transformer layers that share weights are no recurrence, because their
/// norms and softmaxes are reductions. The ops are those between two such products, those of the last step (if their
/// result is concatenated with states of earlier steps, or they are of the same ONNX node), and the products and sums
/// that have no other users.
llvm::DenseSet<mlir::Operation *> recurrentOps(mlir::Block &block, const ComputedWeights &weights,
                                               llvm::function_ref<bool(mlir::Operation *)> keepsElementsApart);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H
