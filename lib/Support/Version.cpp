//===- Version.cpp - versions of the project and of MLIR ------------------===//

#include "forge/Support/Version.h"

#include "llvm/Config/llvm-config.h"

const char *const forge::kVersion = FORGE_MLIR_VERSION;
const char *const forge::kMLIRVersion = LLVM_VERSION_STRING;
