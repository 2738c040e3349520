//===- NamedOp.h - forge ops that are known by name only --------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_NAMEDOP_H
#define FORGE_DIALECT_FORGE_IR_NAMEDOP_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/ValueRange.h"

namespace forge {

/// Infers the result types of the op `name`. Operands and attributes are checked: unknown ops and violated constraints
/// are errors at `location`.
mlir::FailureOr<llvm::SmallVector<mlir::Type>> inferNamedOp(mlir::Location location, llvm::StringRef name,
                                                            mlir::ValueRange operands, mlir::DictionaryAttr attributes);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_NAMEDOP_H
