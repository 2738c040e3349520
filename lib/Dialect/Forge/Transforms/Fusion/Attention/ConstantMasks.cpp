//===- ConstantMasks.cpp - attention masks with a constant factor ---------===//

#include "Fusion/Monomial.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

// A constant with `yes` where `mask` is 1 and `no` where it is 0. Null if the mask has other elements or is large.
static DenseElementsAttr chosen(DenseElementsAttr mask, FloatType element, double yes, double no) {
  constexpr int64_t kMost = 1 << 20;
  if (!isa<IntegerType>(mask.getElementType()) || mask.getNumElements() > kMost)
    return {};
  auto number = [&](double value) { return cast<FloatAttr>(numberAttr(element, value)).getValue(); };
  APFloat ofYes = number(yes), ofNo = number(no);
  SmallVector<APFloat> values;
  values.reserve(mask.getNumElements());
  for (const APInt &each : mask.getValues<APInt>()) {
    if (each.ugt(1))
      return {};
    values.push_back(each.isZero() ? ofNo : ofYes);
  }
  return DenseElementsAttr::get(cast<RankedTensorType>(mask.getType()).clone(element), values);
}

namespace {
/// Rewrites where(known * given, x, y), for scalars x and y and a constant `known`, to where(given, z, y), where the
/// constant z is x where `known` is 1, and y where it is 0. In attention, `known` is the causal mask and `given` the
/// padding mask.
struct ChooseByGivenMask : OpRewritePattern<WhereOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WhereOp op, PatternRewriter &rewriter) const override {
    auto both = op.getCondition().getDefiningOp<MultiplyOp>();
    auto element = dyn_cast<FloatType>(op.getType().getElementType());
    std::optional<double> yes = numberOf(op.getX()), no = numberOf(op.getY());
    if (!both || !element || !yes || !no || !llvm::all_of(both->getUsers(), llvm::IsaPred<WhereOp>))
      return failure();
    for (auto [known, given] : inEitherOrder(both)) {
      DenseElementsAttr mask;
      if (!matchPattern(known, m_Constant(&mask)) || mask.isSplat())
        continue;
      DenseElementsAttr values = chosen(mask, element, *yes, *no);
      if (!values)
        continue;
      Value z = ConstantOp::create(rewriter, withoutTrace(op.getLoc()), values);
      rewriter.replaceOpWithNewOp<WhereOp>(op, op.getType(), given, z, op.getY());
      return success();
    }
    return failure();
  }
};
} // namespace

void forge::populateConstantMasks(RewritePatternSet &patterns) {
  patterns.addWithLabel<ChooseByGivenMask>({"masks-folded"}, patterns.getContext());
}
