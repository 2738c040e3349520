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

/// Sets the result types of `op` to those that are inferred from its operands, which have changed. Reports an error
/// that names `pass` for ops of other dialects.
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

/// Whether the device's compiler fuses `pad` into its users, because it is a constant pad, and all users are
/// convolutions. The compiler then fails in an assertion (docs/device-limits.md), so that a pass has to replace `pad`.
inline bool isFusedByDevice(PadOp pad) {
  return pad.getMode() == PadMode::Constant && !pad->use_empty() &&
         llvm::all_of(pad->getUsers(), llvm::IsaPred<Conv2dOp>);
}

/// The value that needs an identity after it, because Forge would otherwise fuse its producer with its users into ops
/// with other results, or crash (docs/device-limits.md); null if there is none at `op`. It is the operand of `op` if
/// that is an addition to a convolution or a reduction that removes an axis, and the result of `op` if that is a
/// reshape whose result is sliced.
mlir::Value valueToIsolate(mlir::Operation *op, const ComputedWeights &weights);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_REQUIREMENTS_H
