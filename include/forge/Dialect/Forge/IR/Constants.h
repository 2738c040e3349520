//===- Constants.h - dense constants from host numbers ----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// `value` as an attribute of `elementType` (integers: the integral part; floats: rounded to nearest).
mlir::Attribute numberAttr(mlir::Type elementType, double value);
/// `value` in every element of `type`; one element in memory.
mlir::DenseElementsAttr splatAttr(mlir::RankedTensorType type, double value);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_H
