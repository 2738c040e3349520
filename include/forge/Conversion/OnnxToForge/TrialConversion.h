//===- TrialConversion.h - which nodes can be converted ---------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_TRIALCONVERSION_H
#define FORGE_CONVERSION_ONNXTOFORGE_TRIALCONVERSION_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// What a trial says about one node of a function's own block.
struct NodeVerdict {
  torch::OperatorOp op;
  std::string reason;                               ///< why the device cannot run it; empty when it can
  llvm::SmallVector<mlir::RankedTensorType> types;  ///< of each result, null where it is not known
  llvm::SmallVector<mlir::DenseElementsAttr> known; ///< of each result, null where it is no constant
  int64_t multiplyAdds = 0;                         ///< of a refused node as far as its types tell
};

/// Why a node shall not run on the device, nothing where it may.
using KeepOff = llvm::function_ref<std::optional<std::string>(torch::OperatorOp)>;

/// Says which nodes of a function could be converted, with a verdict each in order, and changes nothing. A node for
/// which `keepOff` gives a reason counts as refused. Results of refused nodes are taken for what the model declares.
/// Fails, with an error, for a function that has not one block.
mlir::FailureOr<llvm::SmallVector<NodeVerdict>> tryConversion(mlir::func::FuncOp func, const ConversionOptions &options,
                                                              KeepOff keepOff);

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_TRIALCONVERSION_H
