//===- ProgramOrder.h - the order of the ops of a block ---------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_PROGRAMORDER_H
#define FORGE_DIALECT_FORGE_IR_PROGRAMORDER_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Whether `a` is before `b` in their block, as a comparison for sorting.
inline bool isBefore(mlir::Operation *a, mlir::Operation *b) { return a->isBeforeInBlock(b); }

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_PROGRAMORDER_H
