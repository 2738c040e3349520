//===- NamedOp.h - forge ops that are known by name only --------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_NAMEDOP_H
#define FORGE_DIALECT_FORGE_IR_NAMEDOP_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/ValueRange.h"

namespace forge {

/// Result types of the op `name` on operands and attributes that nobody has checked. Fails, with errors at `location`,
/// for an unknown op and a broken constraint.
mlir::FailureOr<llvm::SmallVector<mlir::Type>> inferNamedOp(mlir::Location location, llvm::StringRef name,
                                                            mlir::ValueRange operands, mlir::DictionaryAttr attributes);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_NAMEDOP_H
