//===- LinearOps.h - x * W + b ----------------------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_LINEAROPS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_LINEAROPS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

inline bool isFloat32(mlir::Value value) { return tensorType(value).getElementType().isF32(); }

/// x * W + b: a matrix product, a convolution, a transposed convolution or an embedding, with weights that may be
/// stored in another form. The constructor is private, so that these functions alone decide what is a projection.
class WeightProduct {
public:
  /// Matches `op`, which may be null.
  static std::optional<WeightProduct> of(mlir::Operation *op);
  /// Matches the producer of `value`.
  static std::optional<WeightProduct> of(mlir::Value value) { return of(value.getDefiningOp()); }
  /// The same if `value` has a single user, so that a rewrite does not compute the product twice.
  static std::optional<WeightProduct> ofReadOnce(mlir::Value value) {
    return value.hasOneUse() ? of(value) : std::nullopt;
  }
  /// As `of`; matches also the sum of a product without a bias and a weight along the trailing axis.
  static std::optional<WeightProduct> withSum(mlir::Value value);

  mlir::OpOperand *x;       ///< the left operand; null for an embedding, which is linear in the table alone
  mlir::OpOperand *weights; ///< W
  mlir::OpOperand *bias;    ///< b, which may be any value, or null
  int64_t axis;             ///< the axis of the result along which W has its columns
  int64_t columns, rows;    ///< the axes of W that correspond to `axis` and to the channels of x
  int64_t channels;         ///< the axis of x with its channels
  int64_t groups;           ///< the groups of a convolution
  AddOp sum;                ///< the only user of the op, which adds b; null if the op adds b itself

  mlir::Operation *op() const { return weights->getOwner(); }
  /// Whether the bias can be replaced: there is none, or it is a weight per column that does not round on purpose.
  bool mayReplaceBias() const;
  /// Whether each pixel of the result depends on one pixel of x alone, and on no padding.
  bool isOfSinglePixels() const;
  /// Whether each element of the result is the same weighted sum of elements of x, none of which is padding.
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
