//===- ConnectedOps.h - connected ops of a block ----------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CONNECTEDOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CONNECTEDOPS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Ops of which each one uses the result of another one, or is used by it; in program order.
using ConnectedOps = llvm::SetVector<mlir::Operation *>;

/// The connected components of the ops that `isMember` accepts. Two ops are connected if one is an operand of the
/// other, and `connects` accepts the use.
inline std::vector<ConnectedOps> connectedOps(mlir::Block &block, llvm::function_ref<bool(mlir::Operation *)> isMember,
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
  std::vector<ConnectedOps> found;
  for (auto &[leader, ops] : components)
    found.push_back(std::move(ops));
  return found;
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CONNECTEDOPS_H
