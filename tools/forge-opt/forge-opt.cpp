//===- forge-opt.cpp - runs forge passes on .mlir files -------------------===//

#include "TestPasses.h"

#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/IR/Rewriting/RewriteLimit.h"
#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Tools/CommandLine.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<int64_t> rewriteLimit(
    "forge-rewrite-limit",
    cl::desc(
        "Apply only the first N rewrites that a program can be written without, over all passes, and list them; -1: "
        "all (of --split-input-file, for each part)"),
    cl::value_desc("N"));

// MLIR parses an empty blob without an alignment, and cannot read the bytecode that it writes for it.
static void alignEmptyBlobs(MLIRContext &context) {
  auto *interface =
      context.getLoadedDialect<BuiltinDialect>()->getRegisteredInterface<ResourceBlobManagerDialectInterface>();
  if (!interface)
    return;
  DialectResourceBlobManager &manager = interface->getBlobManager();
  SmallVector<StringRef> empty;
  manager.getBlobMap([&](const llvm::StringMap<DialectResourceBlobManager::BlobEntry> &blobs) {
    for (const auto &[key, entry] : blobs)
      if (const AsmResourceBlob *blob = entry.getBlob(); blob && blob->getData().empty())
        empty.push_back(key);
  });
  for (StringRef key : empty)
    manager.update(key, HeapAsmResourceBlob::allocate(0, /*align=*/1));
}

// Completes the parsed input. With --mlir-pass-statistics, prints the statistics of our passes; Debian's MLIR is built
// without statistics and would print only a note about that.
static void setUpPasses(MlirOptMainConfig &config) {
  auto wanted = forge::findOption<cl::opt<bool>>("mlir-pass-statistics");
  auto display = forge::findOption<cl::opt<PassDisplayMode>>("mlir-pass-statistics-display");
  bool counts = *wanted, sorted = *display == PassDisplayMode::List, limits = rewriteLimit.getNumOccurrences() > 0;
  if (counts)
    wanted->setValue(false);
  config.setPassPipelineSetupFn([=, passes = config](PassManager &manager) {
    alignEmptyBlobs(*manager.getContext());
    if (counts)
      manager.addInstrumentation(forge::statisticsPrinter(sorted));
    if (limits)
      forge::RewriteLimit::set(*manager.getContext(), rewriteLimit, &llvm::errs());
    return passes.setupPassPipeline(manager);
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  forge::initTool("forge-opt");
  DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgePasses();
  forge::registerForgeTestPasses();
  std::string header = registerCLIOptions("Forge-MLIR optimizer\n", registry);
  forge::printLocations();
  auto [inputFile, outputFile] = parseCLIOptions(argc, argv, header);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputFile, outputFile, registry));

  setUpPasses(config);
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
