//===- ElementNames.h - element types as numpy calls them -------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_ARTIFACT_ELEMENTNAMES_H
#define FORGE_LIB_TARGET_ARTIFACT_ELEMENTNAMES_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace forge {

/// numpy's name of an importer's element type; "unknown" for a type that numpy does not have.
std::string numpyName(mlir::Type type);
/// The type with that name; null for a name that numpyName does not give.
mlir::Type typeNamed(llvm::StringRef name, mlir::MLIRContext *context);

} // namespace forge

#endif // FORGE_LIB_TARGET_ARTIFACT_ELEMENTNAMES_H
