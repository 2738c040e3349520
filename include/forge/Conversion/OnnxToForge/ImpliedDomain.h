//===- ImpliedDomain.h - the domain of a node that says none ----*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_IMPLIEDDOMAIN_H
#define FORGE_CONVERSION_ONNXTOFORGE_IMPLIEDDOMAIN_H

#include "mlir/IR/BuiltinAttributes.h"

#include <string>

namespace forge {

/// The domain of an ONNX op, or why it is not known.
struct ImpliedDomain {
  llvm::StringRef domain;
  std::string reason; ///< empty where the domain is known
};

/// The domain of a node `op` in a function that declares `opset` of the default domain (0 for none) and `others`.
/// torch-mlir's importer drops the domain, so only the tables of operators tell: there must be one declared domain that
/// has the op, or the op must mean the same in all that have it.
ImpliedDomain impliedDomain(llvm::StringRef op, int64_t opset, mlir::DictionaryAttr others);

/// Calls `visit(op, same)` for the ops that com.microsoft has under a name of the default domain, and whether they mean
/// the same there.
void forEachSharedOp(llvm::function_ref<void(llvm::StringRef op, bool same)> visit);

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_IMPLIEDDOMAIN_H
