//===- Reducer.h - the smallest module that passes a test -------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_REDUCE_REDUCER_H
#define FORGE_TOOLS_FORGE_REDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace forge {

/// A program that is run with a file and says by exit code 0 that the module in it is interesting.
class InterestingnessTest {
public:
  InterestingnessTest(std::string program, std::vector<std::string> arguments)
      : program(std::move(program)), arguments(std::move(arguments)) {}

  /// Invalid modules are not shown to the program.
  bool passes(mlir::ModuleOp module);

  /// The exit code of the last run, negative where there was none.
  int getExitCode() const { return exitCode; }
  int64_t getRuns() const { return runs; }

private:
  std::string program;
  std::vector<std::string> arguments;
  int exitCode = -1;
  int64_t runs = 0;
};

/// Makes `module` smaller as long as the test passes: ops become their operands or zeros, first many at once, and
/// outputs, inputs and functions that nothing needs go. Expects a module that passes.
void reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module, InterestingnessTest &test);

} // namespace forge

#endif // FORGE_TOOLS_FORGE_REDUCE_REDUCER_H
