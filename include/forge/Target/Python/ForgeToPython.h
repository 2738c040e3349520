//===- ForgeToPython.h - writes a Forge Python module -----------*- C++ -*-===//

#ifndef FORGE_TARGET_PYTHON_FORGETOPYTHON_H
#define FORGE_TARGET_PYTHON_FORGETOPYTHON_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace forge {

struct EmittedModule {
  std::string name;     ///< file stem: an ASCII identifier
  std::string python;   ///< the module's source
  std::string manifest; ///< JSON: inputs, outputs and where each weight comes from
};

/// Writes the one function of `module` as a Forge Python module. `name` is any text; it becomes the file stem and the
/// class name. Fails, with diagnostics, when the module does not pass --forge-verify-emittable.
mlir::FailureOr<EmittedModule> emitPython(mlir::ModuleOp module, llvm::StringRef name);

/// Registers --forge-to-python and --forge-to-manifest.
void registerForgeTranslations();

} // namespace forge

#endif // FORGE_TARGET_PYTHON_FORGETOPYTHON_H
