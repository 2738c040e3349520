//===- ComputedWeights.h - ops that are evaluated for the weights file -*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The ops of a block that depend on weights alone and are evaluated when the weights file is written, so that they
/// produce no calls. These are float arithmetic and movement whose result is not much larger than the weights that it
/// is computed from, and that store no large weight twice. Of a long chain only the first ops are evaluated.
class ComputedWeights {
public:
  explicit ComputedWeights(mlir::Block &block);
  /// As an MLIR analysis of a function of one block.
  explicit ComputedWeights(mlir::Operation *function);

  /// Whether `op` is evaluated when the weights file is written.
  bool contains(mlir::Operation *op) const { return computed.contains(op); }
  /// Whether the weights file contains the result of `op`: a weight, constant or computed weight that a call reads.
  bool isStored(mlir::Operation *op) const;
  /// The shape in which the result of `op` is stored. Axes along which all elements of a computed weight are equal,
  /// such as those of a splat times a per-channel scale, have size 1 and are expanded when the weight is loaded.
  llvm::SmallVector<int64_t> storedShape(mlir::Operation *op) const;
  /// The number of elements of the weights that a weight or computed weight is computed from; none for other values,
  /// and if the chain of ops from these weights would be too long to be evaluated with `more` ops at its end.
  std::optional<int64_t> sourceElements(mlir::Value value, int more) const;

private:
  /// Facts about a weight or a computed weight.
  struct Known {
    llvm::SmallVector<int64_t> shape; ///< the shape in which it is stored
    int64_t sourceElements = 0;       ///< elements of the weights that it is computed from
    int depth = 0;                    ///< the number of ops on the way from these weights
    bool mayBeStored = true;          ///< whether it is small enough to be stored
  };
  void collect(mlir::Block &block);
  void collectOnce(mlir::Block &block);
  std::optional<Known> asComputed(mlir::Operation *op) const;
  llvm::SmallVector<int64_t> shapeToStore(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Operation *> computed, held, tooLarge;
  llvm::DenseMap<mlir::Operation *, Known> weights; ///< weights and computed weights
};

/// Whether the elements of the result are equal along each axis along which those of all operands are.
bool isElementwiseOnWeights(mlir::Operation *op);
/// Whether `op` can be evaluated for the weights file, if all its operands are weights.
bool isComputable(mlir::Operation *op);
/// Whether `value` is a weight or is computed from weights alone. Follows a few ops only.
bool isWeight(mlir::Value value);
/// Whether `value` is a weight that a rewrite may store in another form, in addition to the existing one if it has
/// other users: it is small or a splat, or has a single user.
bool mayBeStoredOtherwise(mlir::Value value);
/// Whether a weight may be multiplied by a factor: it is no large splat with other users that has a factor already. The
/// rounding error of each factor is the same in all elements of a splat, so that it does not average out in sums of
/// products, and a batch norm after such a sum may amplify it.
bool mayBeScaled(mlir::Value weight);
/// Whether a computed weight of `elements` elements, computed from `sourceElements` elements, may be stored.
bool mayBeStored(int64_t elements, int64_t sourceElements);
/// The same for an intermediate result that is not stored, which may be larger.
bool mayBePassedThrough(int64_t elements, int64_t sourceElements);

/// The weight that a computed weight is named after: the first of those it is computed from. Null for a constant.
ParameterOp firstSource(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H
