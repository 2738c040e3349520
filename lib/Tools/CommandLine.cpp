//===- CommandLine.cpp - command-line handling of the tools ---------------===//

#include "forge/Tools/CommandLine.h"

#include "forge/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

void forge::initTool(llvm::StringRef name, const cl::OptionCategory *own) {
  auto isOurs = [&](const cl::OptionCategory *category) {
    return category == own || category->getName() == "Generic Options"; // --help and --version
  };
  for (auto &entry : cl::getRegisteredOptions())
    if (!llvm::any_of(entry.second->Categories, isOurs))
      entry.second->setHiddenFlag(cl::ReallyHidden);
  cl::SetVersionPrinter([name = name.str()](llvm::raw_ostream &os) {
    os << name << " " << kVersion << " (MLIR " << kMLIRVersion << ")\n";
  });
}

void forge::printLocations() { findOption<cl::opt<bool>>("mlir-print-debuginfo")->setValue(true); }
