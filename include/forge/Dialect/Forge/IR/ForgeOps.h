//===- ForgeOps.h - the forge dialect ---------------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEOPS_H
#define FORGE_DIALECT_FORGE_IR_FORGEOPS_H

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"
#include "forge/Dialect/Forge/IR/Constants/Interval.h"
#include "forge/Dialect/Forge/IR/Inference.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"
#include "forge/Dialect/Forge/IR/TilePaddingRow.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "forge/Dialect/Forge/IR/ForgeDialect.h.inc"

namespace forge::detail {
/// Verifies that integer attributes fit 32 bits, as those of all Forge calls must.
mlir::LogicalResult verifyCall(mlir::Operation *op);
/// Folds `op`, which has one result, to an operand or, if all operands are constants, to a constant; null otherwise.
mlir::OpFoldResult fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands);
} // namespace forge::detail

namespace forge::traits {
/// Each element of the result depends on one element of each operand, with broadcasting.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {};
} // namespace forge::traits

#include "forge/Dialect/Forge/IR/ForgeEnums.h.inc"
#include "forge/Dialect/Forge/IR/ForgeInterfaces.h.inc"

#define GET_OP_CLASSES
#include "forge/Dialect/Forge/IR/ForgeOps.h.inc"

#endif // FORGE_DIALECT_FORGE_IR_FORGEOPS_H
