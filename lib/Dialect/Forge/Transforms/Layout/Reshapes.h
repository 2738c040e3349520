//===- Reshapes.h - reshapes around ops that change their shapes -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Sinks reshapes across elementwise ops, in programs with channels last, up to an op that undoes them:
/// - those that split the leading axis of a tensor of rank 4, also across concatenations, up to a reshape that merges
///   the two axes again;
/// - those of rows of pixels to images, [N, H * W, C] to [N, H, W, C], up to the convolution: it reads rows of pixels,
///   so that the reshape needs no kernel there.
void populateReshapeMotion(mlir::RewritePatternSet &patterns);

/// The operand of the reshape that computes `value`; `value` if no reshape does.
inline mlir::Value beforeReshape(mlir::Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getOperandA() : value;
}

/// The elements of `value` as a tensor of `shape`: beforeReshape(), or a reshape of it at the position of `builder`.
inline mlir::Value withShape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             llvm::ArrayRef<int64_t> shape) {
  mlir::Value source = beforeReshape(value);
  if (shapeOf(source) != shape)
    return ReshapeOp::create(builder, loc, source, shape);
  takeTrace(source, value);
  return source;
}

/// The same right after `value`.
inline mlir::Value reshapedAfter(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  mlir::OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return withShape(builder, withoutTrace(value.getLoc()), value, shape);
}

/// Makes the uses of `value` that `readsReshape` accepts read one reshape of it to `shape`.
inline void reshapeUsers(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                         llvm::function_ref<bool(mlir::OpOperand &)> readsReshape) {
  if (llvm::none_of(value.getUses(), readsReshape))
    return;
  mlir::OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  mlir::Value reshaped = ReshapeOp::create(builder, withoutTrace(value.getLoc()), value, shape);
  value.replaceUsesWithIf(
      reshaped, [&](mlir::OpOperand &use) { return use.getOwner() != reshaped.getDefiningOp() && readsReshape(use); });
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_RESHAPES_H
