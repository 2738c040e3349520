//===- RecurrentOps.h - the calls of unrolled recurrences -------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

namespace forge {

/// The ops of a block that are steps of a recurrence, such as those of an LSTM, a GRU or an unrolled loop.
///
/// A recurrence is a product that reads, through nothing but ops that keep elements apart and products with weights,
/// what a product with the same weight gave. Layers of a transformer that share weights are none: their norms and
/// softmaxes are reductions. Its ops are those between two such products, those of the last step, as far as their
/// result is joined with states of earlier steps or they are of the same ONNX node, and the products and sums that only
/// these read.
llvm::DenseSet<mlir::Operation *> recurrentOps(mlir::Block &block, const ComputedWeights &weights,
                                               llvm::function_ref<bool(mlir::Operation *)> keepsElementsApart);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RECURRENTOPS_H
