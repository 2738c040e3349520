//===- Scaling.h - multiplies weights, and other helpers of folds -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H

#include "Casts.h"
#include "Fusion/Factors.h"
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
/// Whether `value` broadcasts to `type`, and has one element for each index of `axis`, such as [C, 1, 1] for axis 1 of
/// [N, C, H, W].
bool isPerChannel(mlir::Value value, mlir::RankedTensorType type, int64_t axis);
/// The operands x and w of an addition or a multiplication of x [N, C, H, W] and a weight w with one element per
/// channel, such as [C, 1, 1], in either order. The result has the type of x, which is of float32. Two nulls for other
/// ops.
std::pair<mlir::Value, mlir::Value> perChannelOperands(mlir::Operation *op);
/// Whether two shapes are equal except for leading axes of size 1, such as [3, 1] and [1, 3, 1].
bool haveSameShapeAfterLeadingOnes(mlir::Value a, mlir::Value b);
/// Whether `op` is a product with weights, and its bias, if any, a weight with one element per column, so that both may
/// be replaced. The element type may be any.
bool isProjection(mlir::Operation *op);
/// The weight before the reshapes and transposes that `weight` is the result of: the same elements in another order.
mlir::Value withoutMoves(mlir::Value weight);

/// The value x before the elementwise functions of one operand that compute `value` from it, and these functions, the
/// last one first: x, {relu, exp} for relu(exp(x)). Each of their results has one use; x may have several.
std::pair<mlir::Value, llvm::SmallVector<mlir::Operation *>> withoutUnaryOps(mlir::Value value);

/// `value` with `before` leading and `after` trailing elements `fill` along `axis`.
mlir::Value padded(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t axis, int64_t before,
                   int64_t after, double fill);
/// A copy of the matrix product x W + b with other columns: `replace` makes the new W and b from the old ones, and gets
/// the axis of their columns. If another op adds b (WeightProduct::sum), it is copied as well. The copies have no
/// traces, because their results are no ONNX values.
mlir::Value withColumns(mlir::OpBuilder &b, const WeightProduct &product,
                        llvm::function_ref<mlir::Value(mlir::Value weight, int64_t axis)> replace);
/// A copy of `op`, which has one operand, with another operand and the same result type.
mlir::Value cloneOn(mlir::OpBuilder &b, mlir::Location loc, mlir::Operation *op, mlir::Value operand);
/// A scalar constant of float32.
mlir::Value scalarConstant(mlir::OpBuilder &b, mlir::Location loc, float scalar);
/// All indices of `axis` of `value`; without an axis all its elements, which have one scale.
AxisIndices indicesOf(mlir::Value value, std::optional<int64_t> axis);
/// Moves the weight `value`, and the weights that it is computed from, before `op`, unless they are there already.
void makeAvailable(mlir::Value value, mlir::Operation *op);
/// Multiplies the weights of `regions` by `factor`, a weight with one element or, for regions with a scale per index,
/// one for each index of the scaled axis.
void scaleWeights(mlir::RewriterBase &rewriter, llvm::ArrayRef<AffineRegion> regions, mlir::Value factor);
/// Replaces `op` by `value`. The op that computes `value` gets the location of `op`: it has the ONNX value now.
void replaceOnnxValue(mlir::RewriterBase &rewriter, mlir::Operation *op, mlir::Value value);
/// Drops the trace of `op`, because its result is no ONNX value any more.
void dropTrace(mlir::RewriterBase &rewriter, mlir::Operation *op);
/// The same for all values that change with `region`.
void dropTraces(mlir::RewriterBase &rewriter, const AffineRegion &region);
/// Folds `factor`, which has one element or one for each index of `axis` of `value`, into the rows of the weights of
/// all users of `value`, which then expect `value` without the factor. Returns false, and changes nothing, if not all
/// users lead to weights that stay finite.
bool foldFactorIntoUsers(mlir::RewriterBase &rewriter, mlir::Value value, std::optional<int64_t> axis,
                         mlir::Value factor);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
