//===- forge-translate.cpp - forge modules to Python ----------------------===//

#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "forge/Tools/CommandLine.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
enum class Target { Python, Manifest };
} // namespace

static cl::OptionCategory category("forge-translate options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file, - for stdin>"), cl::init("-"),
                                      cl::cat(category));
static cl::opt<std::string> outputFile("o",
                                       cl::desc("file to write, - for stdout; forge-mlir emit writes the module with "
                                                "its weights and its manifest"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<Target>
    target(cl::desc("what to write:"),
           cl::values(clEnumValN(Target::Python, "forge-to-python", "a Forge Python module"),
                      clEnumValN(Target::Manifest, "forge-to-manifest", "the facts of a Forge Python module as JSON")),
           cl::Required, cl::cat(category));
static cl::opt<std::string>
    moduleName("forge-module-name",
               cl::desc("name of the emitted module; the MLIR module's by default, or the function's"),
               cl::cat(category));
static cl::opt<bool> readsModelFiles("reads-model-files",
                                     cl::desc("write Python that also loads weights which are left in files of the "
                                              "ONNX model"),
                                     cl::cat(category));
static cl::opt<bool> splitInput("split-input-file", cl::desc("translate the parts between // ----- one by one"),
                                cl::cat(category));
static cl::opt<bool> verifyDiagnostics("verify-diagnostics", cl::desc("check errors against expected-* comments"),
                                       cl::cat(category));

static LogicalResult emit(ModuleOp module, llvm::raw_ostream &os) {
  FailureOr<forge::EmittedModule> emitted = forge::emitPython(module, moduleName, readsModelFiles);
  if (failed(emitted))
    return failure();
  if (target == Target::Manifest) {
    os << emitted->manifest;
    return success();
  }
  os << emitted->python;
  for (const forge::EmittedModule &part : emitted->parts)
    os << "\n\n# ----- " << part.name << ".py\n" << part.python;
  return success();
}

// Translates one part of the input.
static LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> buffer, const DialectRegistry &registry,
                               llvm::raw_ostream &os) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // Would print the whole module.
  // Blobs refer to the buffer, which the source manager shares.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto run = [&]() -> LogicalResult {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
    return module ? emit(*module, os) : failure();
  };
  if (verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
    (void)run();
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  return run();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  forge::initTool("forge-translate", &category);
  cl::ParseCommandLineOptions(argc, argv, "Forge-MLIR translation\n");
  DialectRegistry registry;
  forge::registerForgeDialects(registry);
  std::unique_ptr<llvm::MemoryBuffer> input = forge::readInput(inputFile, registry);
  if (!input)
    return 1;
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFile, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return 1;
  }
  auto translatePart = [&](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &os) {
    return translate(std::move(part), registry, os);
  };
  if (failed(
          splitAndProcessBuffer(std::move(input), translatePart, output->os(), splitInput ? kDefaultSplitMarker : "")))
    return 1;
  output->keep();
  return 0;
}
