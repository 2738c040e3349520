//===- MovementSteps.h - reorderings of a tensor in few steps ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
#define FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

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
  size_t kernels() const { return reshapes() + !swaps.empty(); }
  size_t calls() const { return reshapes() + swaps.size(); }

  mlir::Value build(mlir::PatternRewriter &rewriter, mlir::Value source, mlir::Location loc) const;
};

/// The steps with the index map `map` from a source of shape `from`: the fewest of those that swap the axes of the
/// source, those of the result, or merged axes. None if `map` is not one to one.
std::optional<Steps> stepsOf(const IndexMap &map, llvm::ArrayRef<int64_t> from);

/// Replaces `op` by `value`, which gets its trace.
mlir::LogicalResult replaceWith(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Value value);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
