//===- LinearOps.h - x * W + b ----------------------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_LINEAROPS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_LINEAROPS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// x * W + b: a matrix product, a convolution, a transposed convolution, or rows of a table, with weights of which
/// other ones may be stored. Passes cannot make one, so that these functions alone decide what is a projection.
class WeightProduct {
public:
  /// The one that `op` is, if it is one; `op` may be null.
  static std::optional<WeightProduct> of(mlir::Operation *op);
  /// The same for the op that makes `value`.
  static std::optional<WeightProduct> of(mlir::Value value) { return of(value.getDefiningOp()); }
  /// The same where nothing else reads `value`: no product is computed twice if another one takes its place.
  static std::optional<WeightProduct> ofReadOnce(mlir::Value value) {
    return value.hasOneUse() ? of(value) : std::nullopt;
  }
  /// As `of`, or the one without a bias that `value` is the sum of, with a weight that broadcasts to its last axis.
  static std::optional<WeightProduct> withSum(mlir::Value value);

  mlir::OpOperand *x;       ///< what is multiplied; null for rows of a table, which are linear in the table alone
  mlir::OpOperand *weights; ///< W
  mlir::OpOperand *bias;    ///< b, of any kind; null where there is none
  int64_t axis;             ///< of the result, with an item for each column of W
  int64_t columns, rows;    ///< axes of W with an item for each item of `axis`, and for each channel of x
  int64_t channels;         ///< axis of x with its channels
  int64_t groups;           ///< of a convolution
  AddOp sum;                ///< adds b where the op does not; nothing else reads what the op gives

  mlir::Operation *op() const { return weights->getOwner(); }
  /// Whether the bias, if there is one, is a weight per column that rounds nothing on purpose: it may be another one.
  bool hasWeightsAsBias() const;
  /// Whether the result at a place depends on x at one place alone, and on nothing beside the image.
  bool isOfSinglePixels() const;
  /// Whether each element of the result is a sum over elements of x alone, the same for each, and none of padding.
  bool isUnpadded() const;

private:
  WeightProduct(mlir::OpOperand *x, mlir::OpOperand &weights, mlir::OpOperand *bias, int64_t axis, int64_t columns,
                int64_t channels, int64_t groups)
      : x(x), weights(&weights), bias(bias), axis(axis), columns(columns), rows(1 - columns), channels(channels),
        groups(groups) {}

  template <typename OpTy>
  static WeightProduct ofConvolution(OpTy op, int64_t columns);
  static std::optional<WeightProduct> ofAnyRight(mlir::Operation *op);
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_LINEAROPS_H
