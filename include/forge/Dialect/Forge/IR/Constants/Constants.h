//===- Constants.h - dense constants and host numbers -----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// `value` as an attribute of `elementType` (integers: the integral part; floats: rounded to nearest).
mlir::Attribute numberAttr(mlir::Type elementType, double value);
/// `value` in every element of `type`; one element in memory.
mlir::DenseElementsAttr splatAttr(mlir::RankedTensorType type, double value);

/// Calls `visit` with each element of a constant of integers or floats; once where all are the same one.
void forEachNumber(mlir::DenseElementsAttr value, llvm::function_ref<void(double)> visit);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H
