//===- Observer.h - what Python sees of a running pipeline ------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_OBSERVER_H
#define FORGE_PYTHON_NATIVE_OBSERVER_H

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <map>

/// One run of a pass on one op, after it has finished.
struct PassRun {
  std::string name, op;
  double seconds = 0;
  int64_t opsBefore = 0, opsAfter = 0;
  std::map<std::string, int64_t> statistics;
  mlir::Operation *root = nullptr; ///< null once the callback has returned
};

/// Calls a Python function with each PassRun of a pass manager. Once there is an `error`, of that function or another
/// one, the remaining passes are skipped.
class Observer : public mlir::PassInstrumentation {
public:
  /// Adds an observer to `manager`; `callback` may be None.
  static void watch(mlir::PassManager &manager, nanobind::handle callback, std::exception_ptr &error);

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  Observer(nanobind::handle callback, std::exception_ptr &error) : callback(callback), error(error) {}

  nanobind::handle callback; // The caller of the passes keeps it alive.
  std::exception_ptr &error;
  /// The running passes, innermost last, with their start times.
  llvm::SmallVector<std::pair<PassRun, std::chrono::steady_clock::time_point>> running;
};

void bindObserver(nanobind::module_ &m);

#endif // FORGE_PYTHON_NATIVE_OBSERVER_H
