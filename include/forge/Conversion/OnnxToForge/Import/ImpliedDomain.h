//===- ImpliedDomain.h - infers the domain of a node ------------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_IMPORT_IMPLIEDDOMAIN_H
#define FORGE_CONVERSION_ONNXTOFORGE_IMPORT_IMPLIEDDOMAIN_H

#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace forge {

/// The domain of an ONNX op, or the reason why it is unknown.
struct ImpliedDomain {
  llvm::StringRef domain;
  std::string reason; ///< empty where the domain is known
};

/// The domain of a node `op` in a function that imports `opset` of the default domain (0 for none) and `others`.
/// torch-mlir's importer drops the domains of nodes. The domain is known if exactly one imported domain has the op, or
/// if the op has the same semantics in all that have it.
ImpliedDomain impliedDomain(llvm::StringRef op, int64_t opset, mlir::DictionaryAttr others);

/// The domain of a node, and the opset of this domain that its function imports; null if it imports none.
struct NodeDomain : ImpliedDomain {
  mlir::IntegerAttr opset;
};

/// The domain that the importer recorded, otherwise the implied one. onnx.Constant is of the default domain.
NodeDomain domainOf(torch::OperatorOp node, mlir::func::FuncOp func);

/// Calls `visit` for each op name that com.microsoft shares with the default domain. `same` says whether the semantics
/// are the same in both.
void forEachSharedOp(llvm::function_ref<void(llvm::StringRef op, bool same)> visit);

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_IMPORT_IMPLIEDDOMAIN_H
