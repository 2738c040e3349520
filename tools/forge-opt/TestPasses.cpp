//===- TestPasses.cpp - the results of analyses as remarks ----------------===//

#include "TestPasses.h"

#include "Layout/ChannelOrder.h"
#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/IntegerRanges.h"
#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGETESTCOMPUTEDWEIGHTSPASS
#define GEN_PASS_DEF_FORGETESTREALFACTSPASS
#define GEN_PASS_DEF_FORGETESTZEROSIGNSPASS
#define GEN_PASS_DEF_FORGETESTCHANNELORDERSPASS
#define GEN_PASS_DEF_FORGETESTINTEGERRANGESPASS
#define GEN_PASS_DEF_FORGETESTPADDINGSTATESPASS
#define GEN_PASS_DEF_FORGETESTAFFINEREGIONPASS
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

static std::string text(const Interval &interval) {
  std::string result;
  llvm::raw_string_ostream(result) << "from " << interval.low << " to " << interval.high;
  return result;
}

// The elements of a weight that a change affects.
static std::string text(const AffineRegion::ChangedElements &changed) {
  if (changed.isAll())
    return "all elements change";
  return llvm::formatv("elements [{0}, {1}) of {2} change, along the axis that {3} axes follow", changed.begin,
                       changed.end, changed.size, changed.trailing);
}

static std::string text(const RealFact &fact) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << text(fact.range)
     << (fact.isFinite   ? ", finite"
         : fact.isNumber ? ", no NaN"
                         : "")
     << (fact.isInteger ? ", integers" : "");
  return result;
}

static StringRef text(OrderRole role) {
  switch (role) {
  case OrderRole::Fixed: return "fixed";
  case OrderRole::Window: return "window";
  case OrderRole::Any: return "any";
  case OrderRole::ToLast: return "to last";
  case OrderRole::ToFirst: return "to first";
  case OrderRole::ToBoth: return "to both";
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

struct ForgeTestZeroSignsPass : forge::impl::ForgeTestZeroSignsPassBase<ForgeTestZeroSignsPass> {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    const auto &signs = getAnalysis<ZeroSigns>();
    explainOps(getOperation(), [&](Operation *op) -> std::string {
      return signs.matter(op->getResult(0)) ? "the sign of a zero matters" : "any zero is the same";
    });
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

struct ForgeTestIntegerRangesPass : forge::impl::ForgeTestIntegerRangesPassBase<ForgeTestIntegerRangesPass> {
  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    const auto &ranges = getAnalysis<IntegerRanges>();
    for (const IntegerRanges::Overflow &overflow : ranges.unproven()) {
      InFlightDiagnostic remark = overflow.op->emitRemark() << "may overflow: " << text(overflow.reach);
      for (BlockArgument argument : ranges.sourceArguments(overflow.op))
        remark << ", depends on argument " << argument.getArgNumber();
    }
    explainOps(getOperation(), [&](Operation *op) {
      Value result = op->getResult(0);
      return text(ranges.of(result)) + (ranges.isAssumed(result) ? ", if nothing overflows" : "");
    });
    markAllAnalysesPreserved();
  }
};

struct ForgeTestPaddingStatesPass : forge::impl::ForgeTestPaddingStatesPassBase<ForgeTestPaddingStatesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    FailureOr<const TargetProfile *> profile = TargetProfile::parse(getOperation(), target);
    if (failed(profile))
      return signalPassFailure();
    llvm::DenseMap<Value, itd::PaddingState> states = predictPadding(getOperation(), **profile);
    explainOps(getOperation(), [&](Operation *op) { return states.lookup(op->getResult(0)).str(); });
    markAllAnalysesPreserved();
  }
};

struct ForgeTestAffineRegionPass : forge::impl::ForgeTestAffineRegionPassBase<ForgeTestAffineRegionPass> {
  void runOnOperation() override {
    for (Operation &op : getOperation().front()) {
      if (Attribute axis = op.getAttr("test.sources")) {
        AffineRegion region(isa<IntegerAttr>(axis));
        OpOperand &reader = op.getOpOperand(0);
        bool isFound = region.collectSources(reader, indicesOf(reader.get(), axis), [](OpOperand &) { return true; });
        explain(op, region, isFound);
      }
      if (Attribute axis = op.getAttr("test.readers")) {
        AffineRegion region(isa<IntegerAttr>(axis));
        explain(op, region, region.collectReaders(op.getResult(0), indicesOf(op.getResult(0), axis)));
      }
    }
    markAllAnalysesPreserved();
  }

private:
  static AxisIndices indicesOf(Value value, Attribute axis) {
    auto number = dyn_cast<IntegerAttr>(axis);
    return number ? AxisIndices::of(value, number.getInt()) : AxisIndices::all(value);
  }

  static void explain(Operation &op, const AffineRegion &region, bool isFound) {
    if (!isFound) {
      op.emitRemark() << "cannot be folded";
      return;
    }
    for (auto &[weight, changed] : region.changedWeights())
      weight->getOwner()->emitRemark() << "operand " << weight->getOperandNumber() << ": " << text(changed);
  }
};
} // namespace
