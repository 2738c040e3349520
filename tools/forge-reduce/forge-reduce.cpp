//===- forge-reduce.cpp - the smallest module that still shows something --===//
//
// Replaces mlir-reduce, whose --reduction-tree crashes in MLIR 22 if ops of a function use each other.
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"

#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Tools/CommandLine.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("forge-reduce options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file, - for stdin>"), cl::init("-"),
                                      cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("where to write; - for stdout"), cl::init("-"), cl::cat(category));
static cl::opt<std::string> testProgram("test",
                                        cl::desc("program that is run with a file, and exits with 0 while the module "
                                                 "in it is interesting"),
                                        cl::Required, cl::cat(category));
static cl::list<std::string> testArguments("test-arg", cl::desc("argument of that program, before the file"),
                                           cl::cat(category));

static LogicalResult reduce(const DialectRegistry &registry, llvm::raw_ostream &os) {
  std::unique_ptr<llvm::MemoryBuffer> input = forge::readInput(inputFile, registry);
  if (!input)
    return failure();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // Would print the whole module.
  OwningOpRef<ModuleOp> module = forge::parseModule(std::move(input), &context);
  if (!module)
    return failure();
  forge::InterestingnessTest test(testProgram, {testArguments.begin(), testArguments.end()});
  if (!test.passes(*module)) {
    llvm::errs() << inputFile << ": error: is not interesting: ";
    if (test.getExitCode() < 0)
      llvm::errs() << "'" << testProgram << "' cannot be run, or died\n";
    else
      llvm::errs() << "'" << testProgram << "' exits with " << test.getExitCode() << ", not 0\n";
    return failure();
  }
  forge::reduceModule(module, test);
  module->print(os);
  os << "\n";
  llvm::errs() << "tests run: " << test.getRuns() << "\n";
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  forge::initTool("forge-reduce", &category);
  DialectRegistry registry;
  forge::registerForgeDialects(registry);
  registerAsmPrinterCLOptions();
  forge::printLocations();
  cl::ParseCommandLineOptions(argc, argv, "The smallest module for which a test passes\n");
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFile, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return 1;
  }
  if (failed(reduce(registry, output->os())))
    return 1;
  output->keep();
  return 0;
}
