//===- InlineFunctions.cpp - inlines ONNX functions -----------------------===//

#include "Import.h"

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace forge;

// Limits that no sensible model reaches.
static constexpr int64_t kMaxClonedNodes = 1 << 16, kMaxDepth = 64;

namespace {
class FunctionInliner {
public:
  explicit FunctionInliner(ModuleOp module) : symbols(module) {}

  /// Inlines the calls in `func`, after those in its callees.
  LogicalResult run(func::FuncOp func);

private:
  LogicalResult inlineCall(func::CallOp call);

  enum class State { Running, Done, Failed };
  SymbolTable symbols;
  llvm::DenseMap<Operation *, State> states;
  int64_t cloned = 0, depth = 0;
};
} // namespace

static InFlightDiagnostic refuse(func::CallOp call) {
  return emitError(call, Code::FunctionNotInlined)
         << "call of @" << escaped(call.getCallee()) << " cannot be inlined: ";
}

// Records the opset of a node's domain if it differs from that of the function that the node is inlined into.
static void stampOpsets(func::FuncOp callee, Operation *node, Operation *caller) {
  if (!callee->hasAttr(torch::kOpsetAttr) && !callee->hasAttr(torch::kOpsetsAttr))
    return;
  node->walk([&](torch::OperatorOp op) {
    if (op->hasAttr(torch::kNodeOpsetAttr))
      return;
    NodeDomain own = domainOf(op, callee);
    if (!own.reason.empty())
      return; // It is refused when it is converted.
    op->setAttr(torch::kDomainAttr, StringAttr::get(op.getContext(), own.domain));
    if (own.opset && !(own.domain.empty() && own.opset == caller->getAttr(torch::kOpsetAttr)))
      op->setAttr(torch::kNodeOpsetAttr, own.opset);
  });
}

LogicalResult FunctionInliner::inlineCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return refuse(call) << "the function has no body";
  if (!llvm::hasSingleElement(callee.getBody()) || !isa<func::ReturnOp>(callee.front().back()))
    return refuse(call) << "expected a function with one block";
  auto state = states.find(callee);
  if (state != states.end() && state->second == State::Running)
    return refuse(call) << "the function calls itself";
  if (depth >= kMaxDepth)
    return refuse(call) << "calls are nested deeper than " << kMaxDepth;
  ++depth;
  LogicalResult ran = run(callee);
  --depth;
  if (failed(ran))
    return failure();
  auto caller = call->getParentOfType<func::FuncOp>();
  OpBuilder builder(call);
  IRMapping values;
  values.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.front().without_terminator()) {
    op.walk([&](Operation *) { ++cloned; });
    if (cloned > kMaxClonedNodes)
      return refuse(call) << "function bodies are more than " << kMaxClonedNodes << " nodes";
    stampOpsets(callee, builder.clone(op, values), caller);
  }
  for (auto [result, returned] : llvm::zip_equal(call.getResults(), callee.front().getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookupOrDefault(returned));
  call.erase();
  return success();
}

LogicalResult FunctionInliner::run(func::FuncOp func) {
  auto [state, isNew] = states.try_emplace(func, State::Running);
  if (!isNew)
    return success(state->second == State::Done);
  SmallVector<func::CallOp> calls;
  func.walk([&](func::CallOp call) { calls.push_back(call); });
  bool anyFailed = false;
  for (func::CallOp call : calls)
    anyFailed |= failed(inlineCall(call));
  states[func] = anyFailed ? State::Failed : State::Done;
  return failure(anyFailed);
}

LogicalResult forge::inlineFunctions(ModuleOp module) {
  FunctionInliner inliner(module);
  bool anyFailed = false, hasPublic = false;
  for (auto func : module.getOps<func::FuncOp>()) {
    anyFailed |= failed(inliner.run(func));
    hasPublic |= func.isPublic();
  }
  if (anyFailed)
    return failure();
  // nullopt if an unregistered op has a region: it may be a symbol table with unknown references.
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!hasPublic || !uses)
    return success();
  llvm::DenseSet<StringAttr> used;
  for (const SymbolTable::SymbolUse &use : *uses)
    used.insert(use.getSymbolRef().getRootReference());
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (func.isPrivate() && !used.contains(func.getSymNameAttr()))
      func.erase();
  return success();
}
