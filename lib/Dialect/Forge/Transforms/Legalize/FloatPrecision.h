//===- FloatPrecision.h - which ops need the digits of Float32 --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATPRECISION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATPRECISION_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

class IntegerRanges;

/// Which ops of a function are computed in Float32 although the function computes in a smaller float format.
///
/// A format holds consecutive integers up to 2^(its digits) only: bfloat16 to 256. So these stay in Float32:
/// - integers that pass through floats, from the cast that makes floats of them through arithmetic that keeps them
///   whole, unless they are known to be at most that large; sums that count further than that;
/// - what a cast back to integers reads, and the angle of a sine or cosine, through arithmetic and movement, up to the
///   op that mixes several elements (a product, a convolution, a reduction);
/// - sums with a constant that rounds on purpose (12582912);
/// - sums that are carried along, such as the residual stream of a transformer, and the norms of them;
/// - recurrent layers (RecurrentOps.h);
/// - what the user named.
class FloatPrecision {
public:
  /// `keep` are names of ONNX nodes, with * and ? for any text, or of forge ops, as a pipeline has them.
  static FloatPrecision of(mlir::func::FuncOp func, mlir::FloatType format, llvm::ArrayRef<std::string> keep);

  /// Whether `op` is computed in Float32.
  bool isFloat32(mlir::Operation *op) const { return wide.contains(op); }
  /// Whether `op` is a part of a recurrent layer; its weights are stored in the format all the same.
  bool isRecurrent(mlir::Operation *op) const { return recurrent.contains(op); }
  /// Whether `op` is computed, in Float32, when the weights are written.
  bool isWeight(mlir::Operation *op) const { return weights.contains(op); }

private:
  explicit FloatPrecision(mlir::func::FuncOp func, mlir::FloatType format);

  void visitForward(mlir::Operation *op, const IntegerRanges &ranges);
  void visitBackward(mlir::Operation *op);
  /// An elementwise op of nothing but exact values and constants, such as x - floor(x), is exact too.
  void keepDifferences(mlir::Operation *op);
  /// Sums that are carried from layer to layer, and the norms that read them: each rounding stays in all later layers.
  void keepRunningSums(mlir::Block &block);
  bool isHeld(mlir::Value value) const;

  ComputedWeights weights;
  RealFacts facts;
  /// Consecutive integers of this magnitude are numbers of the format.
  double largestInteger;
  llvm::DenseSet<mlir::Value> whole; ///< Float32 values whose elements are integers
  llvm::DenseSet<mlir::Value> exact; ///< Float32 values that must not be rounded to the format
  llvm::DenseSet<mlir::Operation *> wide, recurrent;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATPRECISION_H
