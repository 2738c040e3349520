//===- forge-opt.cpp - runs forge passes on .mlir files -------------------===//

#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Tools/CommandLine.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  forge::initTool("forge-opt");
  DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgePasses();
  std::string header = registerCLIOptions("Forge-MLIR optimizer\n", registry);
  forge::printLocations();
  auto [inputFile, outputFile] = parseCLIOptions(argc, argv, header);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputFile, outputFile, registry));

  std::unique_ptr<llvm::MemoryBuffer> input = forge::readInput(inputFile, registry);
  if (!input)
    return 1;
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFile, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return 1;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
