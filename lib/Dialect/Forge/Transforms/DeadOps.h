//===- DeadOps.h - erases ops without users ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace forge {

/// Erases the ops of `block` without users and side effects, and those that only such ops use: in reverse order, users
/// are erased first.
inline void eraseDeadOps(mlir::Block &block) {
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
}

/// Replaced ops that are erased later, because lists of a pass still contain them. They lose their operands at once, so
/// that the pass recognises them in its lists: an op whose operands are null was replaced.
class DetachedOps {
public:
  void add(llvm::ArrayRef<mlir::Operation *> replaced) {
    for (mlir::Operation *op : replaced)
      op->dropAllReferences();
    ops.append(replaced.begin(), replaced.end());
  }
  void eraseAll() {
    for (mlir::Operation *op : ops)
      op->erase();
    ops.clear();
  }

private:
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Replaced ops, which are erased when this is destroyed. Analyses identify values by address, so that the address of a
/// replaced op must not be used again while they are alive.
class ReplacedOps {
public:
  ReplacedOps() = default;
  ReplacedOps(const ReplacedOps &) = delete;
  /// In reverse order, because a pass may build an op that reads a value which it replaced before, and replace that op,
  /// too: users are erased first.
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
