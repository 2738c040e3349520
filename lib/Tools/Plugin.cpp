//===- Plugin.cpp - entry points of MLIR plugins --------------------------===//
//
// For mlir-opt --load-dialect-plugin and --load-pass-plugin, and other tools that support MLIR's plugins.
//
//===----------------------------------------------------------------------===//

#include "forge/Pipelines/Pipelines.h"
#include "forge/Support/Version.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

static constexpr const char *kName = "ForgeMLIR";

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, forge::kVersion,
          [](DialectRegistry *registry) { forge::registerForgeDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, forge::kVersion, [] { forge::registerForgePasses(); }};
}
