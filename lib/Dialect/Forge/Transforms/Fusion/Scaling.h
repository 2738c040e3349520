//===- Scaling.h - scales and biases folded into weights --------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H

#include "Casts.h"
#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Whether `value` has one element.
bool hasOneElement(mlir::Value value);
/// Whether `value`, broadcast to rank `rank`, has `channels` elements along axis `axis` and size 1 along all others.
bool isPerChannel(mlir::Value value, int64_t axis, int64_t rank, int64_t channels);
/// The operands of a binary op: a float32 image with channels on axis 1, of the type of the result, and a weight with
/// one element per channel, in this order. Two nulls for other ops.
std::pair<mlir::Value, mlir::Value> perChannelOperands(mlir::Operation *op);
/// Whether the shapes of two values are equal except for leading axes of size 1, which have no influence on broadcasts.
bool haveSameShape(mlir::Value a, mlir::Value b);
/// Whether the magnitude of a scalar factor is between 2^-20 and 2^20, so that it can be applied to another operand of
/// a product without overflow or underflow.
bool isOrdinaryFactor(const llvm::APFloat &factor);
/// Whether weights that are finite and not 0 stay so if they are multiplied by `factor` or, with `divides`, divided by
/// it. (An infinite weight times 0, and a weight of 0 times an infinity, would be NaN.)
/// - Elements of constants, and of weights computed from them, have to be 0 or between 2^-50 and 2^20 in magnitude.
/// - Scalar constants, which may move to any operand, and constant divisors have to be between 2^-20 and 2^20.
/// - Elements in the model's file are not known here. They are assumed to be finite and not 0, but may be divisors only
///   with `takesReciprocals` (--fast-math=reciprocal).
bool keepsWeightsFinite(mlir::Value factor, bool divides = false, bool takesReciprocals = false);
/// Whether constants of `addend` are at most 2^20 in magnitude, also what is computed from them.
bool isOrdinaryAddend(mlir::Value addend);
/// Whether `weight` stays finite if it is multiplied by up to three factors that keepsWeightsFinite() accepts, and its
/// elements other than 0 do not become 0 by one of them. The elements of constants, and of weights computed from them,
/// have to be 0 or between 2^-50 and 2^64 in magnitude: -3.4e38, as in masks, is not. Elements in the model's file
/// count as 1.
bool staysFinite(mlir::Value weight);
/// The same for all weights that the regions change.
bool staysFinite(llvm::ArrayRef<AffineRegion> regions);
/// Whether all elements of `factor` are constants above 0. Other factors may change the sign of a zero: -1 * (0 + 0) is
/// -0, and (-1 * 0) + (-1 * 0) may be +0, as in a product of zeros with negated weights.
bool isPositive(mlir::Value factor);
/// Whether `op` is a product with weights, and its bias, if any, a weight with one element per column, so that both may
/// be replaced. The element type may be any.
bool isProjection(mlir::Operation *op);
/// The weight before the reshapes and transposes that `weight` is the result of: the same elements in another order.
mlir::Value withoutMoves(mlir::Value weight);

/// The value x before the elementwise functions of one operand that compute `value` from it, and these functions, the
/// last one first: x, {relu, exp} for relu(exp(x)). Each of their results, and x if there are any, has one use.
std::pair<mlir::Value, llvm::SmallVector<mlir::Operation *>> withoutFunctions(mlir::Value value);

/// `value` with `before` leading and `after` trailing elements `fill` along `axis`.
mlir::Value padded(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t axis, int64_t before,
                   int64_t after, double fill);
/// A copy of the matrix product `product`, and of the addition of its bias (WeightProduct::sum), with other columns:
/// `replace` makes the new matrix and the new bias, and gets the axis of their columns. The copy has no traces, because
/// its result is no ONNX value.
mlir::Value withColumns(mlir::OpBuilder &b, const WeightProduct &product,
                        llvm::function_ref<mlir::Value(mlir::Value weight, int64_t axis)> replace);
/// A copy of `op`, which has one operand, with another operand and the same result type.
mlir::Value cloneOn(mlir::OpBuilder &b, mlir::Location loc, mlir::Operation *op, mlir::Value operand);
/// A scalar constant of float32.
mlir::Value scalarConstant(mlir::OpBuilder &b, mlir::Location loc, float scalar);
/// The indices of `axis` of `value`, or all its elements for a scalar, if there is no axis.
AxisIndices indicesOf(mlir::Value value, std::optional<int64_t> axis);
/// Moves the weight `value`, and the weights that it is computed from, before `op`, unless they are there already.
void makeAvailable(mlir::Value value, mlir::Operation *op);
/// Multiplies the weights of `regions` by `factor`, a weight with one element, or one for each index of their axis.
void scaleWeights(mlir::RewriterBase &rewriter, llvm::ArrayRef<AffineRegion> regions, mlir::Value factor);
/// Drops the traces of all values that change with `region`, because they are no longer ONNX values.
void dropTraces(mlir::RewriterBase &rewriter, const AffineRegion &region);
/// Folds `factor`, which has one element or one for each index of `axis` of `value`, into the rows of the weights of
/// all users of `value`, which then expect `value` without the factor. Returns false, and changes nothing, if not all
/// users lead to weights that stay finite.
bool foldFactorIntoUsers(mlir::RewriterBase &rewriter, mlir::Value value, std::optional<int64_t> axis,
                         mlir::Value factor);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
