//===- RunningSums.h - sums and norms that keep Float32 ---------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

namespace forge {

struct RunningSums {
  /// The steps of norms, the sums that norms read, sums that are carried from layer to layer such as the residual
  /// stream of a transformer, and the products that are outputs.
  llvm::DenseSet<mlir::Operation *> ops;
  /// Those of `ops` that are products with a residual as third operand: only the sum is computed in Float32.
  llvm::DenseSet<mlir::Operation *> products;
};

/// The ops of a block whose rounding to 16 bits would stay in all later layers, or that ONNX has as one node with one
/// rounding and a program has as several calls. A call with one operand in Float32 gives Float32, so most of them need
/// no cast. With `outputs`, products that are outputs count, whose results are cast otherwise.
RunningSums runningSums(mlir::Block &block, const ComputedWeights &weights, bool outputs);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
