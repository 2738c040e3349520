//===- Reducer.h - the smallest module that passes a test -------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_REDUCE_REDUCER_H
#define FORGE_TOOLS_FORGE_REDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace forge {

/// A program that is run with a file and returns exit code 0 if the module in it is interesting.
class InterestingnessTest {
public:
  InterestingnessTest(std::string program, std::vector<std::string> arguments)
      : program(std::move(program)), arguments(std::move(arguments)) {}

  /// Whether the program finds the module interesting. False for invalid modules.
  bool passes(mlir::ModuleOp module);

  /// The exit code of the last run; negative if there was none.
  int getExitCode() const { return exitCode; }
  int64_t getRuns() const { return runs; }

private:
  std::string program;
  std::vector<std::string> arguments;
  int exitCode = -1;
  int64_t runs = 0;
};

/// Makes `module` smaller as long as the test passes: replaces ops by their operands or zeros, many at once at first,
/// and removes outputs, inputs and functions. Expects a module that passes.
void reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module, InterestingnessTest &test);

} // namespace forge

#endif // FORGE_TOOLS_FORGE_REDUCE_REDUCER_H
