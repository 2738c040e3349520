//===- ComputedWeights.h - what the weights file holds ready-made -*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The ops of a block that depend on weights alone and are computed when the weights are written: they are no calls of
/// the program. These are arithmetic of floats and movement, where the result is not much larger than the weights it
/// is made of, and where no large weight would be stored a second time; a long chain is computed in its first ops only.
class ComputedWeights {
public:
  explicit ComputedWeights(mlir::Block &block);
  /// As an analysis: those of a function of one block.
  explicit ComputedWeights(mlir::Operation *function);

  /// Whether `op` is no call because its result is computed with the weights.
  bool contains(mlir::Operation *op) const { return computed.contains(op); }
  /// Whether the weights file holds the result of `op`: a weight, a constant or a computed weight that a call reads.
  bool isStored(mlir::Operation *op) const;
  /// The shape in which the weights file holds the result of `op`: 1 along axes of a computed weight whose elements are
  /// all equal, such as those of a weight of one number times a scale per channel. It is expanded when it is loaded.
  llvm::SmallVector<int64_t> storedShape(mlir::Operation *op) const;
  /// How many elements the weights have that a weight or computed weight is made of; none for other values.
  std::optional<int64_t> sourceElements(mlir::Value value) const;

private:
  /// What is known of a weight or a computed weight.
  struct Known {
    llvm::SmallVector<int64_t> shape; ///< in which it is stored
    int64_t sourceElements = 0;       ///< of the weights below it
    int depth = 0;                    ///< ops between it and those
    bool mayBeStored = true;          ///< it is not too large for that
  };
  void collect(mlir::Block &block);
  void collectOnce(mlir::Block &block);
  std::optional<Known> asComputed(mlir::Operation *op) const;
  llvm::SmallVector<int64_t> shapeToStore(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Operation *> computed, held, tooLarge;
  llvm::DenseMap<mlir::Operation *, Known> weights; ///< and computed weights
};

/// Whether elements of the result are equal along an axis where those of all operands are, broadcast to it.
bool isElementwiseOnWeights(mlir::Operation *op);
/// Whether an op with this kind of result can be computed with the weights, if all its operands are weights.
bool isComputable(mlir::Operation *op);
/// Whether `value` depends on weights alone and can be computed with them; looks a few ops back.
bool isWeight(mlir::Value value);
/// Whether `value` is a weight of which another form may be stored: it is small, of one number, or nothing else reads
/// it.
bool mayBeStoredOtherwise(mlir::Value value);
/// Whether a computed weight of so many elements may be stored, made of weights of `sourceElements`.
bool mayBeStored(int64_t elements, int64_t sourceElements);
/// Whether one may have so many elements that only others are computed of.
bool mayBePassedThrough(int64_t elements, int64_t sourceElements);

/// The weight that a computed weight is named after, the first that it is made of; null where that is a constant.
ParameterOp firstSource(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COMPUTEDWEIGHTS_H
