//===- TestPasses.cpp - the results of analyses as remarks ----------------===//

#include "TestPasses.h"

#include "Layout/ChannelOrder.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/IR/Partitions.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGETESTCOMPUTEDWEIGHTSPASS
#define GEN_PASS_DEF_FORGETESTREALFACTSPASS
#define GEN_PASS_DEF_FORGETESTCHANNELORDERSPASS
#include "TestPasses.h.inc"
} // namespace forge

// Emits a remark for each op with a result.
static void explainOps(func::FuncOp func, llvm::function_ref<std::string(Operation *)> explain) {
  for (Operation &op : func.front())
    if (op.getNumResults() > 0)
      op.emitRemark() << explain(&op);
}

static std::string text(ArrayRef<int64_t> shape) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::interleaveComma(shape, os << "[");
  os << "]";
  return result;
}

static std::string text(const RealFact &fact) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "from " << fact.range.low << " to " << fact.range.high;
  os << (fact.isFinite ? ", finite" : fact.isNumber ? ", no NaN" : "") << (fact.isWhole ? ", whole" : "");
  return result;
}

static StringRef text(OrderRole role) {
  switch (role) {
  case OrderRole::Fixed: return "fixed";
  case OrderRole::Window: return "window";
  case OrderRole::Any: return "any";
  case OrderRole::ToLast: return "to last";
  case OrderRole::ToFirst: return "to first";
  case OrderRole::Swap: return "swap";
  case OrderRole::Inner: return "inner";
  }
  llvm_unreachable("a role");
}

namespace {
struct ForgeTestComputedWeightsPass : forge::impl::ForgeTestComputedWeightsPassBase<ForgeTestComputedWeightsPass> {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    const auto &weights = getAnalysis<ComputedWeights>();
    explainOps(getOperation(), [&](Operation *op) -> std::string {
      if (!weights.isStored(op) && isa<ParameterOp, ConstantOp>(op))
        return "read by computed weights alone";
      if (!weights.isStored(op))
        return weights.contains(op) ? "computed with the weights" : "a call";
      return (weights.contains(op) ? "computed and stored as " : "stored as ") + text(weights.storedShape(op));
    });
    markAllAnalysesPreserved();
  }
};

struct ForgeTestRealFactsPass : forge::impl::ForgeTestRealFactsPassBase<ForgeTestRealFactsPass> {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    const auto &facts = getAnalysis<RealFacts>();
    explainOps(getOperation(), [&](Operation *op) { return text(facts.of(op->getResult(0))); });
    markAllAnalysesPreserved();
  }
};

struct ForgeTestChannelOrdersPass : forge::impl::ForgeTestChannelOrdersPassBase<ForgeTestChannelOrdersPass> {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    const auto &orders = getAnalysis<ChannelOrders>();
    getOperation().emitRemark() << (orders.isWorthIt() ? "another order saves something" : "the order stays");
    explainOps(getOperation(), [&](Operation *op) {
      return (text(orders.role(op)) + ", channels " + (orders.of(op->getResult(0)) == Order::Last ? "last" : "first"))
          .str();
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
