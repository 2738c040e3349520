//===- Dependents.h - ops that depend on given ops --------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The ops of a block that depend on `roots`. They are computed lazily, up to the op that contains() is called for.
class Dependents {
public:
  explicit Dependents(llvm::ArrayRef<mlir::Operation *> roots);
  bool contains(mlir::Operation *op);

private:
  llvm::DenseSet<mlir::Operation *> dependents;
  mlir::Operation *next; ///< the first op that was not visited
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_DEPENDENTS_H
