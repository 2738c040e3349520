//===- ForgeToPython.h - writes a Forge Python module -----------*- C++ -*-===//

#ifndef FORGE_TARGET_PYTHON_FORGETOPYTHON_H
#define FORGE_TARGET_PYTHON_FORGETOPYTHON_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace forge {

/// The module attribute with facts for the manifest that the IR does not represent; a dictionary.
inline constexpr llvm::StringLiteral kFactsAttr = "forge.facts";

struct EmittedModule {
  std::string name;                 ///< file stem: an ASCII identifier
  std::string python;               ///< the module's source
  std::string manifest;             ///< JSON: inputs, outputs, recipes of weights, and facts about the ONNX model
  std::vector<EmittedModule> parts; ///< of a partitioned model: one per partition, in execution order
};

/// Emits the function of `module` as a Forge Python module. A partitioned model is emitted as a driver and one module
/// per partition. `name` is any text, from which the file stem and the class name are made; it defaults to the name of
/// `module`, or else to that of the function. With `readsModelFiles` the emitted code can also load weights that stay
/// in files of the ONNX model, as its manifest will say. Fails, with diagnostics, when a device function does not
/// satisfy --forge-verify-emittable.
mlir::FailureOr<EmittedModule> emitPython(mlir::ModuleOp module, llvm::StringRef name, bool readsModelFiles = false);

} // namespace forge

#endif // FORGE_TARGET_PYTHON_FORGETOPYTHON_H
