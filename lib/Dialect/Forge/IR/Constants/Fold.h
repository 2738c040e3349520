//===- Fold.h - what an op is worth without being run -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H
#define FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H

#include "mlir/IR/OpDefinition.h"

namespace forge::detail {

/// The operand that the one result of `op` is, or its value where all operands are constants; null otherwise.
mlir::OpFoldResult fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands);

} // namespace forge::detail

#endif // FORGE_LIB_DIALECT_FORGE_IR_CONSTANTS_FOLD_H
