//===- CommandLine.h - what the tools have in common ------------*- C++ -*-===//

#ifndef FORGE_TOOLS_COMMANDLINE_H
#define FORGE_TOOLS_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace forge {

/// To be called before the options of a tool are parsed, and before MLIR's are declared: --help leaves out what LLVM's
/// libraries declared while they were loaded (it is still accepted) and shows `own`; --version says the versions of
/// this project and of MLIR.
void initTool(llvm::StringRef name, const llvm::cl::OptionCategory *own = nullptr);

/// An option that MLIR has declared, whose type is `OptionTy`.
template <typename OptionTy>
OptionTy *findOption(llvm::StringRef name) {
  return static_cast<OptionTy *>(llvm::cl::getRegisteredOptions().lookup(name));
}

/// Locations are printed unless --mlir-print-debuginfo=false, which must be declared already: the names of ONNX nodes
/// are locations, and without them in text the next tool would not know any.
void printLocations();

} // namespace forge

#endif // FORGE_TOOLS_COMMANDLINE_H
