//===- forge-lsp-server.cpp - editors ask about .mlir files ---------------===//

#include "Replies.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Tools/CommandLine.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  forge::initTool("forge-lsp-server");
  mlir::DialectRegistry registry;
  forge::registerForgeDialects(registry);
  // Static, because --help ends the process by exit().
  static forge::CompletedReplies replies;
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
