//===- Bytecode.h - the forge dialect in bytecode ---------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H
#define FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/OpDefinition.h"

namespace forge::detail {

/// The attributes of an op named `opName`, of any version of the dialect; `names` are those that the op has today.
mlir::FailureOr<mlir::DictionaryAttr> readAttributes(mlir::DialectBytecodeReader &reader, llvm::StringRef opName,
                                                     llvm::ArrayRef<llvm::StringRef> names);

template <typename OpT>
mlir::LogicalResult readProperties(mlir::DialectBytecodeReader &reader, mlir::OperationState &state) {
  mlir::FailureOr<mlir::DictionaryAttr> attributes =
      readAttributes(reader, OpT::getOperationName(), OpT::getAttributeNames());
  return mlir::success(succeeded(attributes) &&
                       succeeded(OpT::setPropertiesFromAttr(state.getOrAddProperties<typename OpT::Properties>(),
                                                            *attributes, [&] { return reader.emitError(); })));
}

void writeProperties(mlir::DialectBytecodeWriter &writer, mlir::Operation *op);

/// Makes the dialect write its version, and read what older versions wrote.
std::unique_ptr<mlir::DialectInterface> makeBytecodeInterface(mlir::Dialect &dialect);

} // namespace forge::detail

#endif // FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H
