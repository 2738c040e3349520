//===- RunningSums.h - norms and residual sums in Float32 -------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

namespace forge {

struct RunningSums {
  /// The steps of norms, the sums that norms read, the residual sums that are carried from layer to layer, and the
  /// products that are outputs.
  llvm::DenseSet<mlir::Operation *> ops;
  /// The products in `ops` with a bias in Float32: the other operands are in the format, and the result is Float32.
  llvm::DenseSet<mlir::Operation *> products;
  /// Results of norms that the sums in `ops` read in the format, because other ops read them in the format too. The
  /// only user of the norm is then the cast, which the device's compiler fuses into the last op of the norm.
  llvm::DenseSet<mlir::Value> rounded;
  /// Squares in norms whose mean promotes to Float32: they may be computed in the format if their operand is.
  llvm::DenseSet<mlir::Operation *> squares;
};

/// Whether `sum` is a product with a bias, or an addition to a product without a bias and without other users. The
/// device's compiler fuses the addition as the bias of the product, and the sum gets the type of the product. If the
/// sum is an output, that compiler refuses the program.
bool isFusedSum(mlir::Operation *sum);

/// Finds ops of a block whose rounding to 16 bits would affect all later layers, or that are several calls for one ONNX
/// node, which rounds once. A call with an operand in Float32 has its result in Float32, so that most of them need no
/// cast. With `outputs`, products that are outputs are included; otherwise their results are cast.
RunningSums runningSums(mlir::Block &block, const ComputedWeights &weights, bool outputs);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_RUNNINGSUMS_H
