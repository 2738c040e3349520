//===- Regions.h - connected ops, and reshapes around them ------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REGIONS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REGIONS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace forge {

/// Ops that are connected by their operands, in program order.
using ConnectedOps = llvm::SetVector<mlir::Operation *>;

/// The connected components of the ops that `isMember` accepts. Two ops are connected if one reads the result of the
/// other, and `connects` accepts that use.
inline llvm::SmallVector<ConnectedOps> connectedOps(mlir::Block &block,
                                                    llvm::function_ref<bool(mlir::Operation *)> isMember,
                                                    llvm::function_ref<bool(mlir::OpOperand &)> connects) {
  llvm::EquivalenceClasses<mlir::Operation *> connected;
  for (mlir::Operation &op : block) {
    if (!isMember(&op))
      continue;
    connected.insert(&op);
    for (mlir::OpOperand &use : op.getOpOperands())
      if (mlir::Operation *producer = use.get().getDefiningOp();
          producer && connected.contains(producer) && connects(use))
        connected.unionSets(&op, producer);
  }
  llvm::MapVector<mlir::Operation *, ConnectedOps> components;
  for (mlir::Operation &op : block)
    if (connected.contains(&op))
      components[connected.getLeaderValue(&op)].insert(&op);
  return llvm::to_vector(llvm::make_second_range(components));
}

/// The operand of the reshape that computes `value`; `value` if no reshape does.
inline mlir::Value beforeReshape(mlir::Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getOperandA() : value;
}

/// The elements of `value` as a tensor of `shape`. A reshape that computes `value` is skipped: its operand has the same
/// elements, and is reshaped, or is the result already if it has this shape.
inline mlir::Value withShape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             llvm::ArrayRef<int64_t> shape) {
  mlir::Value source = beforeReshape(value);
  if (shapeOf(source) != shape)
    return ReshapeOp::create(builder, loc, source, shape);
  takeTrace(source, value);
  return source;
}

/// withShape() of `value` right after its definition, where all of its users can read it.
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

/// Replaces the users of `value` that are reshapes to its own type by it. They become dead.
inline void dropReshapesToSameType(mlir::Value value) {
  for (mlir::Operation *user : llvm::make_early_inc_range(value.getUsers()))
    if (auto reshape = mlir::dyn_cast<ReshapeOp>(user); reshape && reshape.getType() == value.getType()) {
      takeTrace(value, reshape);
      reshape.getResult().replaceAllUsesWith(value);
    }
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_REGIONS_H
