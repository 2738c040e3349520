//===- Requirements.h - what passes require of a function -------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_REQUIREMENTS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_REQUIREMENTS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {
class ComputedWeights;

/// Checks the requirement "functions of one block" of PassTable.inc. Reports an error that names `pass` for
/// declarations and for functions of several blocks.
inline llvm::LogicalResult requireOneBlock(mlir::func::FuncOp func, llvm::StringRef pass) {
  if (llvm::hasSingleElement(func.getBody()))
    return mlir::success();
  return emitError(func, Code::InvalidIr) << "expected a function of one block for --" << pass;
}

/// Checks the requirement "tensors of known shape" of PassTable.inc for a function of one block.
inline llvm::LogicalResult requireKnownShapes(mlir::func::FuncOp func, llvm::StringRef pass) {
  llvm::SmallVector<mlir::Type> types(func.getArgumentTypes());
  for (mlir::Operation &op : func.front())
    llvm::append_range(types, op.getResultTypes());
  for (mlir::Type type : types)
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return emitError(func, Code::InvalidIr)
             << "expected tensors of known shape for --" << pass << ", but got " << type;
  return mlir::success();
}

/// Infers the result types of `op` again, after its operands have changed. Reports an error that names `pass` for ops
/// of other dialects.
inline llvm::LogicalResult inferTypesAgain(mlir::Operation *op, llvm::StringRef pass) {
  auto infer = llvm::dyn_cast<mlir::InferTypeOpInterface>(op);
  if (!infer)
    return emitError(op, Code::PassOrder) << "is no op of the forge dialect, as --" << pass << " requires";
  llvm::SmallVector<mlir::Type> types;
  if (failed(infer.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(), op->getRawDictionaryAttrs(),
                                    op->getPropertiesStorage(), op->getRegions(), types)))
    return mlir::failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
  return mlir::success();
}

/// Whether `op`, which may be null, is printed as a call, whose result a module can return. A scalar constant is not:
/// it is a constant input of the graph.
inline bool isPrintedAsCall(mlir::Operation *op) {
  return llvm::isa_and_nonnull<ForgeCallOpInterface>(op) && !llvm::isa<ScalarConstantOp>(op);
}

/// Whether the device's compiler fuses `pad` into its users, as it does with a constant pad whose users are all
/// convolutions. It then fails in an assertion (docs/device-limits.md), so that a pass has to replace such a pad.
inline bool isFusedByDevice(PadOp pad) {
  return pad.getMode() == PadMode::Constant && !pad->use_empty() &&
         llvm::all_of(pad->getUsers(), llvm::IsaPred<Conv2dOp>);
}

/// If Forge would fuse `op` with its neighbours into ops with other results, or crash (docs/device-limits.md), the
/// value after which an identity prevents that; else null. Forge fuses a sum into the convolution that is its first
/// operand, and slices into the reshape that they read. It removes axes of an operand of a reduction.
mlir::Value fusedByForge(mlir::Operation *op, const ComputedWeights &weights);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_REQUIREMENTS_H
