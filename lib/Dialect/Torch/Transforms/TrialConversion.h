//===- TrialConversion.h - tries to convert each node -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_TORCH_TRANSFORMS_TRIALCONVERSION_H
#define FORGE_LIB_DIALECT_TORCH_TRANSFORMS_TRIALCONVERSION_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// The verdict on one node of the function's entry block.
struct NodeVerdict {
  torch::OperatorOp op;
  std::string reason;                               ///< why the device cannot run the node; empty when it can
  llvm::SmallVector<mlir::RankedTensorType> types;  ///< of each result, null if unknown
  llvm::SmallVector<mlir::DenseElementsAttr> known; ///< of each result, null if not constant
  int64_t multiplyAdds = 0;                         ///< of a refused node, if its types are known
};

/// The reason why a node must not run on the device; nullopt if it may.
using KeepOff = llvm::function_ref<std::optional<std::string>(torch::OperatorOp)>;

/// Tries to convert each node of a function and returns the verdicts in order. The function is unchanged. A node for
/// which `keepOff` gives a reason is refused. Results of refused nodes are assumed to have the types that the model
/// declares. Fails, with an error, if the function does not have exactly one block.
mlir::FailureOr<llvm::SmallVector<NodeVerdict>> tryConversion(mlir::func::FuncOp func, const ConversionOptions &options,
                                                              KeepOff keepOff);

} // namespace forge

#endif // FORGE_LIB_DIALECT_TORCH_TRANSFORMS_TRIALCONVERSION_H
