//===- Reducer.cpp - the smallest module that passes a test ---------------===//

#include "Reducer.h"

#include "Simplify.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Interestingness test
//===----------------------------------------------------------------------===//

static bool isValid(ModuleOp module) {
  ScopedDiagnosticHandler silent(module.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(module));
}

bool forge::InterestingnessTest::passes(ModuleOp module) {
  if (!isValid(module))
    return false;
  int descriptor;
  SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("forge-reduce", "mlir", descriptor, path))
    return false;
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  module.print(os);
  os.close();
  auto found = llvm::sys::findProgramByName(program);
  if (!found)
    return false;
  SmallVector<StringRef> command{program};
  command.append(arguments.begin(), arguments.end());
  command.push_back(path);
  ++runs;
  // Its standard output is discarded, because the reduced module may be written to ours.
  std::optional<StringRef> redirects[] = {std::nullopt, "", std::nullopt};
  exitCode = llvm::sys::ExecuteAndWait(*found, command, /*Env=*/std::nullopt, redirects);
  return exitCode == 0;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// Applies `step` to a copy of the module; keeps the result if `step` has changed something and the test passes.
static bool tryStep(OwningOpRef<ModuleOp> &module, forge::InterestingnessTest &test,
                    llvm::function_ref<bool(ModuleOp)> step) {
  OwningOpRef<ModuleOp> copy = module->clone();
  if (!step(*copy))
    return false;
  forge::eraseUnused(*copy);
  if (!test.passes(*copy))
    return false;
  module = std::move(copy);
  return true;
}

static SmallVector<Operation *> simplifiable(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (forge::canSimplify(op))
      ops.push_back(op);
  });
  return ops;
}

// Simplifies ops from the last to the first, `chunk` at a time.
static bool simplifyChunks(OwningOpRef<ModuleOp> &module, forge::InterestingnessTest &test, size_t chunk) {
  bool changed = false;
  size_t end = simplifiable(*module).size();
  while (end > 0) {
    size_t begin = end - std::min(end, chunk);
    changed |= tryStep(module, test, [&](ModuleOp copy) {
      bool any = false;
      SmallVector<Operation *> ops = simplifiable(copy);
      for (Operation *op : llvm::reverse(ArrayRef(ops).slice(begin, end - begin)))
        if (op->getNumRegions() == 0 || chunk == 1) // Nested ops may be in the list too.
          any |= forge::simplify(op);
      return any;
    });
    end = std::min(begin, simplifiable(*module).size());
  }
  return changed;
}

// Functions whose type may change because they have no callers.
static SmallVector<func::FuncOp> freeFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal() && SymbolTable::symbolKnownUseEmpty(func, module))
      functions.push_back(func);
  return functions;
}

static bool eraseResult(func::FuncOp func, unsigned index) {
  if (func.getNumResults() < 2 || failed(func.eraseResult(index)))
    return false;
  func.walk([&](func::ReturnOp terminator) { terminator->eraseOperand(index); });
  return true;
}

static bool eraseArgument(func::FuncOp func, unsigned index) {
  return func.getArgument(index).use_empty() && succeeded(func.eraseArgument(index));
}

static int64_t countOps(ModuleOp module) {
  int64_t number = 0;
  module.walk([&](Operation *) { ++number; });
  return number;
}

// Makes a function return the results of its op number `index`; later ops are removed.
static bool returnResultsOf(func::FuncOp func, size_t index) {
  auto terminator = dyn_cast<func::ReturnOp>(func.front().getTerminator());
  if (!llvm::hasSingleElement(func.getBody()) || !terminator)
    return false;
  int64_t before = countOps(func->getParentOfType<ModuleOp>());
  Operation &op = *std::next(func.front().begin(), index);
  terminator->setOperands(op.getResults());
  func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(), op.getResultTypes()));
  func.removeResAttrsAttr();
  forge::eraseUnused(func);
  return countOps(func->getParentOfType<ModuleOp>()) < before;
}

static bool returnEarlier(OwningOpRef<ModuleOp> &module, forge::InterestingnessTest &test) {
  bool changed = false;
  for (size_t i = freeFunctions(*module).size(); i-- > 0;) {
    size_t count = freeFunctions(*module)[i].front().getOperations().size();
    for (size_t op = 0; op + 1 < count; ++op)
      if (tryStep(module, test, [&](ModuleOp copy) { return returnResultsOf(freeFunctions(copy)[i], op); })) {
        changed = true;
        break;
      }
  }
  return changed;
}

static bool shrinkInterfaces(OwningOpRef<ModuleOp> &module, forge::InterestingnessTest &test) {
  bool changed = false;
  for (size_t i = freeFunctions(*module).size(); i-- > 0;) {
    // By name: a step that removes the last call of a function changes the list of free functions.
    std::string name = freeFunctions(*module)[i].getSymName().str();
    auto in = [&name](ModuleOp copy) { return copy.lookupSymbol<func::FuncOp>(name); };
    if (freeFunctions(*module).size() > 1 && tryStep(module, test, [&](ModuleOp copy) {
          in(copy).erase();
          return true;
        })) {
      changed = true;
      continue;
    }
    for (unsigned result = in(*module).getNumResults(); result-- > 0;)
      changed |= tryStep(module, test, [&](ModuleOp copy) { return eraseResult(in(copy), result); });
    for (unsigned argument = in(*module).getNumArguments(); argument-- > 0;)
      changed |= tryStep(module, test, [&](ModuleOp copy) { return eraseArgument(in(copy), argument); });
  }
  return changed;
}

void forge::reduceModule(OwningOpRef<ModuleOp> &module, InterestingnessTest &test) {
  tryStep(module, test, [](ModuleOp) { return true; }); // Unused ops are removed first.
  bool changed = true;
  while (changed) {
    changed = shrinkInterfaces(module, test);
    for (size_t chunk = simplifiable(*module).size(); chunk > 0; chunk /= 2)
      changed |= simplifyChunks(module, test, chunk);
    changed |= returnEarlier(module, test);
  }
}
