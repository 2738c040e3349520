//===- MovementSteps.h - reorderings of a tensor in few steps ---*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/PatternMatch.h"

#include <tuple>

namespace forge {

/// The shapes before and after a kernel that moves elements.
using Move = std::pair<Shape, Shape>;

/// How many elements kernels read and write, if the two trailing axes of each shape are padded to whole tiles.
int64_t elementsInTiles(llvm::ArrayRef<Move> kernels);

/// A reshape, swaps of axes, and a reshape, each of which may be missing.
struct Steps {
  Shape from, apart, to;
  llvm::SmallVector<AxisSwap> swaps;

  Shape swapped() const {
    Shape shape = apart;
    for (AxisSwap swap : swaps)
      std::swap(shape[swap.first], shape[swap.second]);
    return shape;
  }
  size_t reshapes() const { return (from != apart) + (swapped() != to); }
  /// Consecutive swaps are one kernel.
  llvm::SmallVector<Move> kernels() const;
  size_t calls() const { return reshapes() + swaps.size(); }
  /// Of several steps with the same result, those with the lowest cost are the best.
  std::tuple<size_t, size_t, int64_t> cost() const {
    llvm::SmallVector<Move> moves = kernels();
    return {calls(), moves.size(), elementsInTiles(moves)};
  }

  mlir::Value build(mlir::OpBuilder &builder, mlir::Value source, mlir::Location loc) const;
};

/// The steps with the index map `map` from a source of shape `from`: the fewest of those that swap the axes of the
/// source, those of the result, or merged axes. None if `map` is not one to one.
std::optional<Steps> stepsOf(const IndexMap &map, llvm::ArrayRef<int64_t> from);

/// The steps with this map that move blocks of neighbouring elements, those that are neighbours in the source and in
/// the value, as a whole: the axes `block`, none of size 1, follow the axes that are exchanged. None if the blocks do
/// not have as many elements, if only one axis would be exchanged, or if `map` is not one to one.
std::optional<Steps> stepsOfBlocks(const IndexMap &map, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> block);

/// A chain of reshapes and transposes, each of which reads the result of the one before.
struct MoveChain {
  llvm::SmallVector<mlir::Operation *> ops; ///< from the last to the first

  /// The longest chain that ends with `last`, with at most 16 ops; without ops if `last` is neither a reshape nor a
  /// transpose. With `areReadOnce`, each op but `last` has the next one as its only user.
  static MoveChain endingWith(mlir::Operation *last, bool areReadOnce = false);

  mlir::Value source() const { return ops.back()->getOperand(0); }
  /// The ops that become dead if the last one does: the last one, and those before it up to one with another user.
  llvm::ArrayRef<mlir::Operation *> deadOps() const;
  /// Whether `steps` have no higher rank than a value of the chain, so that the device's limit of ranks holds for them.
  bool hasRankFor(const Steps &steps) const;
  /// Gives the traces of the reshapes that follow the source to the source, which has their elements in the same order,
  /// because the reshapes may become dead.
  void moveTracesToSource() const;
};

/// Replaces `op` by `value`, which gets its trace.
mlir::LogicalResult replaceWith(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Value value);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
