//===- CommandLine.h - command-line handling of the tools -------*- C++ -*-===//

#ifndef FORGE_TOOLS_COMMANDLINE_H
#define FORGE_TOOLS_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace forge {

/// Call before the options of a tool are parsed and before MLIR's options are declared. --help shows `own` but not the
/// options that LLVM's libraries declared on loading, which are still accepted; --version prints the versions of this
/// project and of MLIR.
void initTool(llvm::StringRef name, const llvm::cl::OptionCategory *own = nullptr);

/// An option of type `OptionTy` that MLIR has declared.
template <typename OptionTy>
OptionTy *findOption(llvm::StringRef name) {
  return static_cast<OptionTy *>(llvm::cl::getRegisteredOptions().lookup(name));
}

/// Prints locations unless --mlir-print-debuginfo=false; that option must be declared before. ONNX node names are
/// locations, so that a text without locations would lose them for the next tool.
void printLocations();

} // namespace forge

#endif // FORGE_TOOLS_COMMANDLINE_H
