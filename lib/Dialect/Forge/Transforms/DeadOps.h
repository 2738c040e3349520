//===- DeadOps.h - erases ops without users ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace forge {

/// Erases the ops of `block` without users, and then those that become dead.
inline void eraseDeadOps(mlir::Block &block) {
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
}

/// Replaced ops, which are erased when this is destroyed. Analyses identify values by address, so that the address of a
/// replaced op must not be used again while they are alive.
class ReplacedOps {
public:
  ReplacedOps() = default;
  ReplacedOps(const ReplacedOps &) = delete;
  ~ReplacedOps() {
    for (mlir::Operation *op : llvm::reverse(ops))
      op->erase();
  }

  /// Replaces the result of `op` by `value`.
  void replace(mlir::Operation *op, mlir::Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    ops.push_back(op);
  }

private:
  llvm::SmallVector<mlir::Operation *> ops;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
