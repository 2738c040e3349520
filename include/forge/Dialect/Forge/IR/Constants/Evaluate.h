//===- Evaluate.h - forge ops on constants at compile time ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"
#include "mlir/IR/Operation.h"

namespace forge {

/// Bytes of the largest constant that folding makes where nobody says otherwise.
inline constexpr int64_t kFoldLimit = 1 << 20;

/// The results of a forge op whose operands are constants; nothing when an operand is not one, the op has no
/// ConstantEvaluationOpInterface, or an operand or result is larger than `limit` bytes. A splat stays one element where
/// the op allows that.
llvm::SmallVector<mlir::DenseElementsAttr> evaluate(mlir::Operation *op, int64_t limit);
/// The same on these operands, null where one is not known.
llvm::SmallVector<mlir::DenseElementsAttr> evaluate(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
                                                    int64_t limit);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_EVALUATE_H
