//===- ForgeToPython.h - writes a Forge Python module -----------*- C++ -*-===//

#ifndef FORGE_TARGET_PYTHON_FORGETOPYTHON_H
#define FORGE_TARGET_PYTHON_FORGETOPYTHON_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace forge {

struct EmittedModule {
  std::string name;                 ///< file stem: an ASCII identifier
  std::string python;               ///< the module's source
  std::string manifest;             ///< JSON: inputs, outputs and where each weight comes from
  std::vector<EmittedModule> parts; ///< of a partitioned model: one per partition, in the order in which they run
};

/// Writes the one function of `module` as a Forge Python module, or a partitioned module as the module that runs its
/// partitions, and one module per partition. `name` is any text; it becomes the file stem and the class name. Fails,
/// with diagnostics, when a device function does not pass --forge-verify-emittable.
mlir::FailureOr<EmittedModule> emitPython(mlir::ModuleOp module, llvm::StringRef name);

/// Writes `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (manifest) into `directory`, all or none, as
/// `forge-mlir compile` does. Memory stays flat whatever the size of the weights. Fails, with diagnostics, as
/// emitPython does, for a partitioned module, for weights that the IR does not carry or that do not fit their dtype,
/// and for files in the way that were not written by this.
mlir::FailureOr<std::string> writeArtifact(mlir::ModuleOp module, llvm::StringRef name, llvm::StringRef directory);

} // namespace forge

#endif // FORGE_TARGET_PYTHON_FORGETOPYTHON_H
