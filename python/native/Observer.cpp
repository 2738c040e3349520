//===- Observer.cpp - what Python sees of a running pipeline --------------===//

#include "Observer.h"

#include "Report.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

#include <nanobind/stl/map.h>

#include <chrono>

namespace nb = nanobind;
using namespace mlir;

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

void Observer::watch(PassManager &manager, nb::handle callback, std::exception_ptr &error) {
  manager.getContext()->registerActionHandler([&error](function_ref<void()> action, const tracing::Action &what) {
    if (!error || !isa<PassExecutionAction>(what))
      action();
  });
  if (!callback.is_none())
    manager.addInstrumentation(std::unique_ptr<Observer>(new Observer(callback, error)));
}

void Observer::runBeforePass(Pass *pass, Operation *op) {
  PassRun run;
  run.name = pass->getArgument().str();
  run.opsBefore = countOps(op);
  if (auto symbol = dyn_cast<SymbolOpInterface>(op); symbol && op->getParentOp())
    run.op = symbol.getName().str();
  running.emplace_back(std::move(run), std::chrono::steady_clock::now());
}

void Observer::runAfterPassFailed(Pass *pass, Operation *op) { running.pop_back(); }

void Observer::runAfterPass(Pass *pass, Operation *op) {
  auto [run, start] = running.pop_back_val();
  // A pass adaptor has no name; its nested passes are reported.
  if (run.name.empty() || error)
    return;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.opsAfter = countOps(op);
  if (auto *reporting = dynamic_cast<forge::ReportingPass *>(pass))
    for (auto [what, number] : reporting->takeCounts())
      run.statistics[what.str()] = number;
  run.root = op;
  nb::gil_scoped_acquire gil;
  try {
    nb::object shown = nb::cast(std::move(run));
    struct Forget {
      PassRun &run;
      ~Forget() { run.root = nullptr; }
    } forget{nb::cast<PassRun &>(shown)};
    callback(shown);
  } catch (...) {
    error = std::current_exception();
  }
}

static Operation *moduleOf(const PassRun &run) {
  if (!run.root)
    throw nb::value_error("the IR of a pass can be read while its callback runs, not later");
  Operation *root = run.root;
  while (Operation *parent = root->getParentOp())
    root = parent;
  return root;
}

// Whether a call depends on parameters only. The device's compiler evaluates it once, before the first run.
static bool isOfWeights(Operation *op, llvm::SmallPtrSetImpl<Operation *> &known) {
  auto isKnown = [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return isa_and_nonnull<forge::ConstantOp, forge::ParameterOp, forge::ScalarConstantOp>(producer) ||
           known.contains(producer);
  };
  bool isOf = op->getNumOperands() > 0 && llvm::all_of(op->getOperands(), isKnown);
  if (isOf)
    known.insert(op);
  return isOf;
}

// Callee or op, ONNX node, kernels, bytes, bytes of padding, bytes moved, multiply-adds and picoseconds of each forge
// op that runs on the device. Ops that depend on weights alone have no kernels.
static nb::list costsOf(const PassRun &run, const std::string &deviceFormat, const std::string &device) {
  Operation *module = moduleOf(run);
  FailureOr<forge::DeviceLayout> layout = forge::DeviceLayout::parse(module, deviceFormat);
  if (failed(layout))
    throw nb::value_error("no device has floats of this format");
  if (!device.empty())
    layout->device = forge::Device::find(device);
  if (!layout->device)
    throw nb::value_error("the cost model has no such device");
  nb::list rows;
  module->walk([&](func::FuncOp func) {
    if (func.isExternal() || forge::isHostFunction(func))
      return;
    for (Block &block : func.getBody()) {
      forge::ComputedWeights weights(block);
      llvm::SmallPtrSet<Operation *, 16> ofWeights;
      for (Operation &op : block) {
        bool isConstant = isOfWeights(&op, ofWeights);
        if (!isa_and_nonnull<forge::ForgeDialect>(op.getDialect()) ||
            isa<forge::RunOp, forge::ConstantOp, forge::ParameterOp>(op) || weights.contains(&op))
          continue;
        forge::OpCost cost = isConstant ? forge::OpCost() : forge::costOf(&op, *layout);
        auto call = dyn_cast<forge::ForgeCallOpInterface>(&op);
        StringRef name = call ? call.getCallee() : op.getName().getStringRef();
        rows.append(nb::make_tuple(Text{name.str()}, Text{forge::nodeName(op.getLoc()).str()}, cost.kernels, cost.bytes,
                                   cost.padding, cost.moved, cost.multiplyAdds, cost.time));
      }
    }
  });
  return rows;
}

void bindObserver(nb::module_ &m) {
  nb::class_<PassRun>(m, "PassRun", "One pass on one op of a module, after it ran.")
      .def_ro("name", &PassRun::name, "The pass as a pipeline spells it.")
      .def_prop_ro(
          "op", [](const PassRun &run) { return Text{run.op}; }, "The function it ran on; '' for the module.")
      .def_ro("seconds", &PassRun::seconds, "Wall time.")
      .def_ro("ops_before", &PassRun::opsBefore, "Ops in it before.")
      .def_ro("ops_after", &PassRun::opsAfter, "Ops in it after.")
      .def_ro("statistics", &PassRun::statistics, "What the pass counted.")
      .def(
          "ir",
          [](const PassRun &run) {
            std::string text;
            llvm::raw_string_ostream os(text);
            moduleOf(run)->print(os, OpPrintingFlags().enableDebugInfo());
            return Text{text + "\n"};
          },
          "The whole module as text, with locations. Only while the callback runs.")
      .def("costs", costsOf, nb::arg("device_format") = "", nb::arg("device") = "",
           "What each op of the module takes on the device. Only while the callback runs.");
}
