//===- Evaluate.h - forge ops on constants at compile time ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"
#include "mlir/IR/Operation.h"

namespace forge {

/// The default limit of the size in bytes of a folded constant.
inline constexpr int64_t kFoldLimit = 1 << 20;

/// The results of a forge op whose operands are constants. Empty if an operand is no constant, the op has no
/// ConstantEvaluationOpInterface, or an operand or result is larger than `limit` bytes. Splats remain splats if the op
/// keeps its elements.
llvm::SmallVector<mlir::DenseElementsAttr> evaluate(mlir::Operation *op, int64_t limit);
/// The same, with `operands` as the values of the operands; null for an operand that is no constant.
llvm::SmallVector<mlir::DenseElementsAttr> evaluate(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
                                                    int64_t limit);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H
