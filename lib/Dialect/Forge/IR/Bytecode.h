//===- Bytecode.h - the forge dialect in bytecode ---------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H
#define FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/OpDefinition.h"

namespace forge::detail {

/// Reads the attributes of an op from bytecode of any version of the dialect. `names` are the attributes of today.
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

/// The interface by which the dialect writes its version, and reads older versions.
std::unique_ptr<mlir::DialectInterface> makeBytecodeInterface(mlir::Dialect &dialect);

} // namespace forge::detail

#endif // FORGE_LIB_DIALECT_FORGE_IR_BYTECODE_H
