//===- DivisibilityRewrite.cpp - programs that move fewer tiles -----------===//

#include "Rewrites.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEDIVISIBILITYREWRITEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
struct Rule {
  StringRef name;
  void (*apply)(func::FuncOp func, const RewriteContext &context);
};
} // namespace

// In this order: what removes slices comes before what makes them cheaper.
static constexpr Rule kRules[] = {{"pad-weights", padWeights}, {"split-weights", splitWeights},
                                  {"regroup", regroupSlices},  {"sink", sinkSlices},
                                  {"hoist", hoistSlices},      {"window", windowSlices}};

void RewriteContext::explain(Location loc, StringRef rule, const Twine &what, int64_t before, int64_t after) const {
  if (!remarks)
    return;
  InFlightDiagnostic diagnostic = emitRemark(loc) << rule;
  if (StringRef name = nodeName(loc); !name.empty())
    diagnostic << " at '" << escaped(name) << "'";
  diagnostic << ": " << what << ", tile traffic " << before << " -> " << after;
}

std::optional<int64_t> forge::moveTraffic(const DeviceLayout &layout, Operation *op, RankedTensorType from,
                                          RankedTensorType to) {
  std::optional<itd::LayoutReport> in = layout.report(from), out = layout.report(to);
  if (!in || !out)
    return std::nullopt;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    int64_t rank = to.getRank(), dim0 = fromFront(transpose.getDim0(), rank),
            dim1 = fromFront(transpose.getDim1(), rank);
    bool tiled0 = dim0 >= rank - 2, tiled1 = dim1 >= rank - 2;
    return tiled0 == tiled1 ? 2 * out->tiles : 2 * in->tiles + 2 * out->tiles;
  }
  if (!isa<ReshapeOp>(op))
    return std::nullopt;
  // The same matrices, or rows of the same width in whole tiles: the tiles keep their order.
  auto matrix = [](RankedTensorType type) {
    ArrayRef<int64_t> shape = type.getShape();
    return std::pair(shape.size() > 1 ? shape[shape.size() - 2] : 1, shape.empty() ? 1 : shape.back());
  };
  auto [rows, columns] = matrix(from);
  auto [newRows, newColumns] = matrix(to);
  bool isView = columns == newColumns && (rows == newRows || (rows % kTile == 0 && newRows % kTile == 0));
  return isView ? 0 : 2 * in->tiles + 2 * out->tiles;
}

// Rules leave dead ops behind.
static void eraseDead(func::FuncOp func) {
  for (Block &block : func.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

namespace {
struct ForgeDivisibilityRewritePass : forge::impl::ForgeDivisibilityRewritePassBase<ForgeDivisibilityRewritePass> {
  using ForgeDivisibilityRewritePassBase::ForgeDivisibilityRewritePassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func))
      return;
    FailureOr<DeviceLayout> layout = DeviceLayout::parse(func, format);
    if (failed(layout))
      return signalPassFailure();
    for (const std::string &wanted : rules)
      if (llvm::none_of(kRules, [&](const Rule &rule) { return rule.name == wanted; })) {
        emitError(func.getLoc(), Code::PassOption) << "unknown rule '" << escaped(wanted) << "'";
        return signalPassFailure();
      }
    RewriteContext context{*layout, maxWeightGrowth, remarks};
    for (const Rule &rule : kRules) {
      if (!rules.empty() && !llvm::is_contained(rules, rule.name))
        continue;
      rule.apply(func, context);
      eraseDead(func);
    }
  }
};
} // namespace
