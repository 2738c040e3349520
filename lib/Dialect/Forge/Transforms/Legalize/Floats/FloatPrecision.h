//===- FloatPrecision.h - which ops need the digits of Float32 --*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

class IntegerRanges;
class ReportingPass;

/// Whether the elements of the result are elements of the operands.
bool isMovement(mlir::Operation *op);

/// The number that all elements of a constant of floats are.
std::optional<double> scalarOf(mlir::Value value);

/// Whether `value` is clip(x) + c - d in Float32, where c rounds to integers, and those are at most `largestInteger` in
/// magnitude, or NaN: what a quantiser gives.
bool isQuantised(mlir::Value value, double largestInteger);

/// Lets convolutions read such integers, which `format` has, instead of their products with a scalar scale: conv(q * s)
/// / t, as a quantiser reads it, becomes conv(q) / (t / s), and the convolution's operand needs no rounding. Right for
/// every program in the format: a convolution is linear, what it pads with is 0 before the scale and after it, and the
/// quotient is the only one that reads the result. Other readers of the product read it as before.
void scaleAfterConvolutions(mlir::Block &block, mlir::FloatType format, ReportingPass &pass);

/// Which ops of a function are computed in Float32 although the function computes in a smaller float format.
///
/// A format holds consecutive integers up to 2^(its digits) only: bfloat16 to 256. So these stay in Float32:
/// - integers that pass through floats, from the cast that makes floats of them through arithmetic that keeps them
///   whole, unless they are known to be at most that large; sums that count further than that;
/// - what a cast back to integers reads, and the angle of a sine or cosine, through arithmetic and movement, up to the
///   op that mixes several elements (a product, a convolution, a reduction); sums that such a cast reads, and products,
///   with weights in Float32;
/// - sums with a constant that rounds on purpose (12582912);
/// - norms, the sums that they read, sums that are carried along, and products that are outputs (RunningSums.h);
/// - recurrent layers (RecurrentOps.h);
/// - what the user named.
class FloatPrecision {
public:
  /// `keep` are names of ONNX nodes, with * and ? for any text, or of ops, such as forge.matmul, or of weights, which
  /// hold integers then.
  static FloatPrecision of(mlir::func::FuncOp func, mlir::FloatType format, llvm::ArrayRef<std::string> keep,
                           bool nativeOutputs);

  /// Whether `op` is computed in Float32.
  bool isFloat32(mlir::Operation *op) const { return wide.contains(op); }
  /// Whether an operand of an op that is computed in Float32 is rounded to the format all the same: weights of
  /// recurrent layers, the factors of a product whose bias alone is Float32, a norm that is added to such a product,
  /// and what a quantiser gives.
  bool staysNarrow(mlir::OpOperand &operand) const;
  /// Whether the user wants `op` in Float32.
  bool isNamed(mlir::Operation *op) const { return named.contains(op); }
  /// Whether a call of `op` with operands of both formats has its result in Float32.
  static bool promotes(mlir::Operation *op);
  /// Whether `op`, a step of a norm, may be computed in the format where its operand has it.
  bool mayBeNarrow(mlir::Operation *op) const { return squares.contains(op); }
  /// Whether `op` is computed, in Float32, when the weights are written.
  bool isWeight(mlir::Operation *op) const { return weights.contains(op); }

private:
  explicit FloatPrecision(mlir::func::FuncOp func, mlir::FloatType format);

  void keepNamed(mlir::Block &block, llvm::ArrayRef<std::string> keep);
  void visitForward(mlir::Operation *op, const IntegerRanges &ranges);
  void visitBackward(mlir::Operation *op);
  /// An elementwise op of nothing but exact values and constants, such as x - floor(x), is exact too.
  void keepDifferences(mlir::Operation *op);
  bool isHeld(mlir::Value value) const;
  bool isHeldForScales(mlir::Value value) const;

  ComputedWeights weights;
  RealFacts facts;
  /// Consecutive integers of this magnitude are numbers of the format.
  double largestInteger;
  llvm::DenseSet<mlir::Value> whole;     ///< Float32 values whose elements are integers
  llvm::DenseSet<mlir::Value> quantised; ///< of those: what quantisers give, also moved
  llvm::DenseSet<mlir::Value> exact;     ///< Float32 values that must not be rounded to the format
  llvm::DenseSet<mlir::Value> integral;  ///< of those: from which arithmetic and movement lead to a cast to integers
  llvm::DenseSet<mlir::Operation *> wide, named;
  llvm::DenseSet<mlir::Operation *> stored; ///< ops in Float32 whose weights are stored in the format
  llvm::DenseSet<mlir::Operation *> sums;   ///< products whose bias alone is Float32
  llvm::DenseSet<mlir::Value> rounded;      ///< norms that sums read in the format
  llvm::DenseSet<mlir::Operation *> squares;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H
