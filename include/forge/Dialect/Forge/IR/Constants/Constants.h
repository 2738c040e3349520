//===- Constants.h - dense constants and host numbers -----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// `value` as an attribute of `elementType`: truncated for integers, rounded to nearest for floats.
mlir::Attribute numberAttr(mlir::Type elementType, double value);
/// A splat of `value`.
mlir::DenseElementsAttr splatAttr(mlir::RankedTensorType type, double value);

/// Calls `visit` with each element of a constant of integers or floats; once for a splat.
void forEachNumber(mlir::DenseElementsAttr value, llvm::function_ref<void(double)> visit);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_CONSTANTS_H
