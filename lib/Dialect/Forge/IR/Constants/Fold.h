//===- Fold.h - exact folds of forge ops ------------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H
#define FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H

#include "mlir/IR/OpDefinition.h"

namespace forge::detail {

/// Folds `op`, which has one result, to an operand or, if all operands are constants, to a constant; null otherwise.
mlir::OpFoldResult fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands);

} // namespace forge::detail

#endif // FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H
