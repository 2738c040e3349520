//===- DeadOps.h - ops that nothing reads any more --------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace forge {

/// Erases the ops of `block` that nothing reads, and then those that only they read.
inline void eraseDeadOps(mlir::Block &block) {
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
}

/// Ops that were replaced. They are erased with this, not before: an analysis that knows values by their address would
/// take a new value for the one that was there.
class ReplacedOps {
public:
  ReplacedOps() = default;
  ReplacedOps(const ReplacedOps &) = delete;
  ~ReplacedOps() {
    for (mlir::Operation *op : llvm::reverse(ops))
      op->erase();
  }

  /// `value` takes the place of the one result of `op`.
  void replace(mlir::Operation *op, mlir::Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    ops.push_back(op);
  }

private:
  llvm::SmallVector<mlir::Operation *> ops;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
