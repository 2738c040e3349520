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

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_DEADOPS_H
