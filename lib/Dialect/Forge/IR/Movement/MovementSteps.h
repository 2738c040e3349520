//===- MovementSteps.h - reorderings of a tensor in few steps ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
#define FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// A reshape, swaps of axes, a reshape, as far as they are needed.
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

/// The fewest of the steps that do what `map` does with a source of shape `from`: on the axes of the source, on those
/// of the result, on both, or on as few as there can be. None where not each element of the source is moved once.
std::optional<Steps> stepsOf(const IndexMap &map, llvm::ArrayRef<int64_t> from);

/// Puts `value` in the place of `op`, of which it is what was traced.
mlir::LogicalResult replaceWith(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Value value);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTSTEPS_H
