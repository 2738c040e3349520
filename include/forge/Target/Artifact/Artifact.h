//===- Artifact.h - a compiled model on disk --------------------*- C++ -*-===//

#ifndef FORGE_TARGET_ARTIFACT_ARTIFACT_H
#define FORGE_TARGET_ARTIFACT_ARTIFACT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace forge {

/// Name of the module attribute that says in which file the weights of a module are listed.
inline constexpr llvm::StringLiteral kWeightsAttr = "forge.weights";
/// Name of the module attribute with facts for the manifest that the IR does not hold: a dictionary.
inline constexpr llvm::StringLiteral kFactsAttr = "forge.facts";

/// Gives weights that the IR names by reference their data, mapped and not copied: `forge-mlir import` writes a table
/// of where they are. `table` is that file; if it is empty, the module names it, and it lies in `directory`. A module
/// without either stays as it is. Fails, with an error, for a table that cannot be read, a weight whose type it does
/// not give, and a file that has changed since the import.
mlir::LogicalResult attachWeights(mlir::ModuleOp module, llvm::StringRef directory, llvm::StringRef table = "");

/// Writes `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (manifest) into `directory`, all or none, by
/// the rules of ArtifactDirectory; `name` is emitPython's. Memory stays flat whatever the size of the weights. Gives
/// the file stem. Fails, with diagnostics, as emitPython does, for a partitioned module, for weights that the IR does
/// not carry or that do not fit their dtype, and for files in the way that are not ours, unless `force` is given.
mlir::FailureOr<std::string> writeArtifact(mlir::ModuleOp module, llvm::StringRef name, llvm::StringRef directory,
                                           bool force = false);

} // namespace forge

#endif // FORGE_TARGET_ARTIFACT_ARTIFACT_H
