//===- RunningSums.h - sums and norms that keep Float32 ---------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

namespace forge {

struct RunningSums {
  /// The steps of norms, the sums that norms read, sums that are carried from layer to layer such as the residual
  /// stream of a transformer, and the products that are outputs.
  llvm::DenseSet<mlir::Operation *> ops;
  /// Those of `ops` that are products with a bias of the model in Float32: factors are read in the format, the result
  /// is Float32.
  llvm::DenseSet<mlir::Operation *> products;
  /// Results of norms that are also read in the format, and which the sums of `ops` read so too: each has one cast and
  /// no other reader, so that the device's compiler makes the cast part of the norm's last op.
  llvm::DenseSet<mlir::Value> rounded;
  /// Squares in norms whose mean promotes: they may be computed in the format where their operand has it.
  llvm::DenseSet<mlir::Operation *> squares;
};

/// Whether `sum` adds to a product that nothing else reads and that has no bias, or is such a product with its third
/// operand. The device's compiler takes the other addend as the bias then, and gives the sum the type of the product,
/// whatever its own is; where that is an output, it refuses the program.
bool isFusedSum(mlir::Operation *sum);

/// The ops of a block whose rounding to 16 bits would stay in all later layers, or that ONNX has as one node with one
/// rounding and a program has as several calls. A call with one operand in Float32 gives Float32, so most of them need
/// no cast. With `outputs`, products that are outputs count, whose results are cast otherwise.
RunningSums runningSums(mlir::Block &block, const ComputedWeights &weights, bool outputs);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
