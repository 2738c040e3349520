//===- ForgeToPython.h - writes a Forge Python module -----------*- C++ -*-===//

#ifndef FORGE_TARGET_PYTHON_FORGETOPYTHON_H
#define FORGE_TARGET_PYTHON_FORGETOPYTHON_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace forge {

/// Name of the module attribute with facts for the manifest that the IR does not hold: a dictionary.
inline constexpr llvm::StringLiteral kFactsAttr = "forge.facts";

struct EmittedModule {
  std::string name;                 ///< file stem: an ASCII identifier
  std::string python;               ///< the module's source
  std::string manifest;             ///< JSON: inputs, outputs, where each weight comes from, and the ONNX model
  std::vector<EmittedModule> parts; ///< of a partitioned model: one per partition, in the order in which they run
};

/// Writes the one function of `module` as a Forge Python module, or a partitioned module as the module that runs its
/// partitions, and one module per partition. `name` is any text; it becomes the file stem and the class name. If it is
/// empty, the name of `module` is taken, or else the function's. With `readsModelFiles` the Python also loads weights
/// that are left in files of the ONNX model, as its manifest will say. Fails, with diagnostics, when a device function
/// does not pass --forge-verify-emittable.
mlir::FailureOr<EmittedModule> emitPython(mlir::ModuleOp module, llvm::StringRef name, bool readsModelFiles = false);

} // namespace forge

#endif // FORGE_TARGET_PYTHON_FORGETOPYTHON_H
