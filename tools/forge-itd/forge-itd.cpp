//===- forge-itd.cpp - driver of the iteration domain library -------------===//

#include "CommandInterpreter.h"

#include "forge/Tools/CommandLine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

static llvm::cl::OptionCategory category("forge-itd options");
static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional, llvm::cl::desc("<commands, - for standard input>"),
                                            llvm::cl::init("-"), llvm::cl::cat(category));

int main(int argc, char **argv) {
  forge::initTool("forge-itd", &category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Questions about splits, buffers and tiles\n");
  auto commands = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!commands) {
    llvm::WithColor::error(llvm::errs(), "forge-itd")
        << "cannot read '" << inputFile << "': " << commands.getError().message() << '\n';
    return 1;
  }
  forge::itd::runCommands((*commands)->getBuffer(), llvm::outs());
  return 0;
}
