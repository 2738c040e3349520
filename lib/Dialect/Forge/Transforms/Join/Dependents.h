//===- Dependents.h - what depends on some ops ------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The ops of a block that depend on some of its ops; looks as far into the block as it is asked.
class Dependents {
public:
  explicit Dependents(llvm::ArrayRef<mlir::Operation *> roots);
  bool contains(mlir::Operation *op);

private:
  llvm::DenseSet<mlir::Operation *> known;
  mlir::Operation *next;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H
