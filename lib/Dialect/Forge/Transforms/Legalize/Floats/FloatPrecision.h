//===- FloatPrecision.h - which ops need Float32 ----------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace forge {

class IntegerRanges;

inline bool isFloat(mlir::Value value) { return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value)); }

/// Whether the elements of the result are elements of the operands, which is not true of a constant pad.
bool isMovement(mlir::Operation *op);
/// Whether no element of the result combines several elements of one operand: movement, any pad, elementwise ops.
bool keepsElementsApart(mlir::Operation *op);

/// Whether `value` is a parameter, a constant, or computed from those.
bool isWeightOrConstant(mlir::Value value, const ComputedWeights &weights);

/// The value of a splat constant of floats.
std::optional<double> splatValue(mlir::Value value);

/// Whether `value` is the result of a quantiser: clip(x) + c - d in Float32, where adding c rounds to integers, and
/// these are at most `largestInteger` in magnitude, or NaN.
bool isResultOfQuantiser(mlir::Value value, double largestInteger);

/// Sinks a scalar scale s of integers q of a quantiser across a convolution, so that the operand of the convolution is
/// exact in `format`: conv(q * s) / t, before another quantiser, becomes conv(q) / (t / s). A convolution is linear,
/// its padding of 0 does not change with the scale, and the quotient must be its only user. Other users of q * s keep
/// it.
void scaleAfterConvolutions(mlir::Block &block, mlir::FloatType format, const ComputedWeights &weights,
                            ReportingPass &pass);

/// The ops of a block that belong to recurrences, such as those of an LSTM, a GRU or an unrolled loop.
///
/// In a recurrence, a product depends on an earlier product with the same weight, and only ops that keep elements apart
/// and products with weights are in between. Transformer layers that share weights are no recurrence, because their
/// norms and softmaxes are reductions. The ops are those between two such products; those of the last step that are
/// like ops of an earlier step, or compute from such ops and weights alone; concatenations of states with all that they
/// read, and the ops that have no other users, both back to products with weights.
llvm::DenseSet<mlir::Operation *> recurrentOps(mlir::Block &block, const ComputedWeights &weights);

/// Ops of a block that stay in Float32, because their rounding to 16 bits would affect all later layers, or because
/// they are several calls for one ONNX node, which rounds once. Most of them need no cast: a call with an operand in
/// Float32 has its result in Float32.
struct RunningSums {
  /// Finds them. Products that are outputs are included only with `outputs`; otherwise their results are cast.
  static RunningSums of(mlir::Block &block, const ComputedWeights &weights, bool outputs);

  /// The steps of norms, the sums that norms read, the residual sums that are carried from layer to layer, and the
  /// products that are outputs.
  llvm::DenseSet<mlir::Operation *> ops;
  /// The products in `ops` of which only the bias is Float32: that makes the result Float32, too.
  llvm::DenseSet<mlir::Operation *> widenedProducts;
  /// Results of norms that the sums in `ops` read rounded to the format, as other users do. The only user of the norm
  /// is then the cast, which the device's compiler fuses into the last op of the norm.
  llvm::DenseSet<mlir::Value> roundedNorms;
  /// Squares in norms whose mean is in Float32 whatever its operand is: they may be in the format if their operand is.
  llvm::DenseSet<mlir::Operation *> squaresInEitherFormat;
};

/// Whether `sum` is a product with a bias, or an addition to a product without a bias and without other users. The
/// device's compiler fuses the addition as the bias of the product, and the sum gets the type of the product. If the
/// sum is an output, that compiler refuses the program.
bool isFusedSum(mlir::Operation *sum);

/// The ops of a function that are computed in Float32 ("wide") although the function is computed in a smaller float
/// format, "the format".
///
/// A format represents consecutive integers only up to 2^(its digits): bfloat16 up to 256. So these ops stay in
/// Float32:
/// - ops on integers stored as floats, from the cast of integers on, unless the integers are known to be small enough;
///   sums that count beyond that limit;
/// - the producers of an operand of a cast to integers, or of the angle of a sine or cosine, back to an op that mixes
///   elements (a product, a convolution, a reduction); for a cast also that sum or product, with weights in Float32;
/// - sums with a constant that rounds on purpose (12582912);
/// - norms, the sums that they read, residual sums, and products that are outputs (RunningSums);
/// - recurrent layers (recurrentOps);
/// - ops that the user named.
class FloatPrecision {
public:
  /// `keep` are names of ONNX nodes, with the wildcards * and ?, of ops such as forge.matmul, or of weights, which then
  /// count as exact integers. With `nativeOutputs`, outputs keep the formats in which they are computed; otherwise they
  /// have the types that the model declares.
  FloatPrecision(mlir::func::FuncOp func, mlir::FloatType format, llvm::ArrayRef<std::string> keep, bool nativeOutputs);

  /// Whether `op` is computed in Float32.
  bool isFloat32(mlir::Operation *op) const { return wide.contains(op); }
  /// Whether an operand of an op in Float32 is still in the format: a weight of a recurrent layer, an operand of a
  /// product of which only the bias is Float32, a norm that is added to such a product, or the result of a quantiser.
  bool staysNarrow(mlir::OpOperand &operand) const;
  /// Whether the user named `op` to be computed in Float32.
  bool isNamed(mlir::Operation *op) const { return named.contains(op); }
  /// Whether a call of `op` with operands of both formats has its result in Float32.
  static bool promotes(mlir::Operation *op);
  /// Whether `op`, a step of a norm, may be computed in the smaller format if its operand has that format.
  bool mayBeNarrow(mlir::Operation *op) const { return squaresInEitherFormat.contains(op); }
  /// Whether `op` is evaluated, in Float32, when the weights file is written.
  bool isComputedWeight(mlir::Operation *op) const { return weights.contains(op); }
  bool isWeightOrConstant(mlir::Value value) const { return forge::isWeightOrConstant(value, weights); }

private:
  void keepNamed(mlir::Block &block, llvm::ArrayRef<std::string> keep);
  void keepIntegersAndAngles(mlir::Block &block, const IntegerRanges &ranges);
  void keepRunningSums(const RunningSums &running, const llvm::DenseSet<mlir::Operation *> &recurrent);
  void dropRulesOfSums(mlir::Operation *op);
  void visitForward(mlir::Operation *op, const IntegerRanges &ranges);
  void visitConstant(mlir::Value constant);
  void visitQuantised(mlir::Operation *op);
  void visitComputedFromExact(mlir::Operation *op);
  bool countsAsWhole(mlir::Operation *op) const;
  void visitBackward(mlir::Operation *op);
  void keepExact(mlir::Value value, bool becomesInteger);
  void keepOperandsExact(mlir::Operation *op);
  void keepDifferences(mlir::Operation *op);
  bool fitsFormat(mlir::Value value) const;
  bool canAllReadNarrow(mlir::Value value) const;

  ComputedWeights weights;
  RealFacts facts;
  /// The format represents all integers up to this magnitude.
  double largestInteger;
  /// Values in Float32 whose elements count as integers.
  llvm::DenseSet<mlir::Value> whole;
  /// Those of `whole` that are results of quantisers, maybe after movement.
  llvm::DenseSet<mlir::Value> quantised;
  /// Those of `quantised` that all users read in the format, also users in Float32.
  llvm::DenseSet<mlir::Value> quantisedReadNarrow;
  /// Values in Float32 that must not be rounded to the format.
  llvm::DenseSet<mlir::Value> exact;
  /// Values that elementwise ops and movement compute from `exact` and weights.
  llvm::DenseSet<mlir::Value> computedFromExact;
  /// Those of `exact` that are cast to integers, maybe after arithmetic and movement.
  llvm::DenseSet<mlir::Value> becomeIntegers;
  /// Ops that are computed in Float32, and those of them that the user named.
  llvm::DenseSet<mlir::Operation *> wide, named;
  /// Those of `wide` whose weights are stored in the format.
  llvm::DenseSet<mlir::Operation *> withNarrowWeights;
  /// See RunningSums.
  llvm::DenseSet<mlir::Operation *> widenedProducts, squaresInEitherFormat;
  llvm::DenseSet<mlir::Value> roundedNorms;
};

/// Some ops may be computed in Float32 or in the smaller format: movement, selections such as a maximum, and sums and
/// means of rows. This chooses their formats, and those of inputs, so that the program has the fewest casts and then
/// reads and writes the fewest bytes.
///
/// Movement and selections commute with rounding. Between two ops in Float32 they are in Float32. Every other path from
/// an op in Float32 to one in the format, or back, has one cast. A mean between two ops in Float32 is computed in
/// Float32 if that saves casts.
struct CastPlacement {
  static CastPlacement of(mlir::func::FuncOp func, const FloatPrecision &precision, bool nativeOutputs);

  llvm::DenseSet<mlir::Operation *> wide; ///< all ops that are computed in Float32
  llvm::DenseSet<mlir::Value> narrow;     ///< Float32 arguments in the format, because all users read them so
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LEGALIZE_FLOATS_FLOATPRECISION_H
