//===- forge-itd-planted.cpp - forge-itd with a wrong rule ----------------===//
//
// forge-itd-planted --list        the errors that can be planted, one per line (and none)
// forge-itd-planted NAME          commands from standard input, as forge-itd runs them; every line `---` ends a
//                                 program, whose answers end with the same line
//
//===----------------------------------------------------------------------===//

#include "CommandInterpreter.h"
#include "PlantedRules.h"

#include <iostream>
#include <string>

int main(int argc, char **argv) {
  constexpr llvm::StringLiteral kEnd = "---";
  llvm::StringRef name = argc == 2 ? argv[1] : "";
  if (name == "--list") {
    for (llvm::StringRef known : forge::itd::planted::names())
      llvm::outs() << known << '\n';
    return 0;
  }
  if (name != "none" && !forge::itd::planted::plant(name)) {
    llvm::errs() << "forge-itd-planted: expected --list, none or the name of an error, but got '" << name << "'\n";
    return 2;
  }
  std::string program;
  for (std::string line; std::getline(std::cin, line);) {
    if (line != kEnd) {
      program += line + '\n';
      continue;
    }
    forge::itd::runCommands(program, llvm::outs());
    llvm::outs() << kEnd << '\n';
    llvm::outs().flush();
    program.clear();
  }
  return 0;
}
