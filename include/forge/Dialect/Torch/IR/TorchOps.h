//===- TorchOps.h - the importer's subset of the torch dialect --*- C++ -*-===//

#ifndef FORGE_DIALECT_TORCH_IR_TORCHOPS_H
#define FORGE_DIALECT_TORCH_IR_TORCHOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "forge/Dialect/Torch/IR/TorchDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Torch/IR/TorchTypes.h.inc"

#define GET_OP_CLASSES
#include "forge/Dialect/Torch/IR/TorchOps.h.inc"

#endif // FORGE_DIALECT_TORCH_IR_TORCHOPS_H
