//===- FoldWeights.cpp - folds scales and biases into weights -------------===//

#define GEN_PASS_DEF_FORGEFOLDWEIGHTSPASS
#include "Arithmetic/FastMath.h"
#include "Fusion/Rewrites.h"
#include "MixedTypes.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

// Whether x + weight can be replaced by x. -0 + 0 is 0, so that a weight of 0 can be removed only if no user depends on
// the sign of zeros (`signShows`).
static bool addsNothing(Value weight, bool signShows) {
  if (auto scalar = weight.getDefiningOp<ScalarConstantOp>())
    return scalar.getConstant().isZero() && (!signShows || scalar.getConstant().isNegative());
  return matchPattern(weight, signShows ? m_NegZeroFloat() : m_AnyZeroFloat()) ||
         matchPattern(weight, m_Zero()); // of integers
}

// x if `op`, an addition or a multiplication, is x + 0 or x * 1 and has the type of x; else null.
static Value neutralOperand(Operation *op, const ZeroSigns &signs) {
  Value result = op->getResult(0);
  for (auto [x, other] : inEitherOrder(op)) {
    Value weight = withoutMoves(other);
    bool isNeutral = isa<AddOp>(op) ? addsNothing(weight, signs.show(result)) : matchPattern(weight, m_OneFloat());
    if (isNeutral && x.getType() == result.getType())
      return x;
  }
  return {};
}

// Removes additions and biases of all-zero weights, and multiplications by all-one weights, as untrained networks have
// them. This is done before weights are folded, because folding changes them. A bias of 0 turns results of -0 into 0,
// as an addition does (addsNothing). A bias that
// makes the result float32 remains.
static void dropNeutralWeights(func::FuncOp func, ReportingPass &pass) {
  // Another partition may divide by a result of this one. The analysis manager has no part in ZeroSigns, because they
  // depend on a parameter, and the pass updates them while it rewrites.
  ZeroSigns signs(func.front(), /*outputsShow=*/!partitionKind(func).empty());
  auto mayDrop = [&](Operation *op) { return pass.mayRewrite(op, "neutral-weights-dropped"); };
  for (Operation &op : llvm::make_early_inc_range(func.front())) {
    if (isa<AddOp, MultiplyOp>(op)) {
      if (Value x = neutralOperand(&op, signs); x && mayDrop(&op)) {
        op.replaceAllUsesWith(ValueRange(x));
        op.erase();
      }
      continue;
    }
    llvm::TypeSwitch<Operation *>(&op).Case<MatmulOp, Conv2dOp, Conv2dTransposeOp>([&](auto product) {
      if (!product.getBias() || !matchPattern(withoutMoves(product.getBias()), m_AnyZeroFloat()) ||
          !hasTypeOfFactors(product) || signs.show(product.getResult()) || !mayDrop(&op))
        return;
      product.getBiasMutable().clear();
    });
  }
}

namespace {
struct ForgeFoldWeightsPass : forge::impl::ForgeFoldWeightsPassBase<ForgeFoldWeightsPass>, ReportingPass {
  using ForgeFoldWeightsPassBase::ForgeFoldWeightsPassBase;

  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    if (failed(checkFastMath(getOperation().getLoc(), fastMath)))
      return signalPassFailure();
    permissions = NumericPermissions(exact, fastMath);
    dropNeutralWeights(getOperation(), *this);
    // Folding may change the sign of a zero in a result, also in that of a partition (docs/numerics.md).
    signs.emplace(getOperation().front(), /*outputsShow=*/false);
    // First everything that can be folded into weights is. A scale of an operand that remains is then moved to the
    // product.
    MLIRContext *context = &getContext();
    RewritePatternSet folds(context), moves(context);
    populateProductsOfWeights(folds);
    addRewrite<ReshapeOp>(folds, "columns-by-part", permuteHeadColumns);
    bool takesReciprocals = llvm::is_contained(fastMath, "reciprocal") || llvm::is_contained(fastMath, "all");
    populateScaleFolding(folds, takesReciprocals, *signs);
    populateAddendFolding(folds, *signs);
    addRewrite<MultiplyOp>(folds, "signs-folded", foldSignsIntoTable);
    populateSumsOfConvolutions(folds);
    addRewrite<WhereOp>(folds, "masks-folded", foldConstantMask);
    addRewrite<MatmulOp>(moves, "scales-moved", sinkScaleBelowMatmul, std::cref(*signs));
    FrozenRewritePatternSet weights = permittedPatterns(*this, std::move(folds));
    int64_t moved = counted("scales-moved");
    if (failed(rewriteGreedily(*this, getOperation(), weights)))
      return signalPassFailure();
    if (getOperation().getOps<MatmulOp>().empty())
      return;
    if (failed(rewriteGreedily(*this, getOperation(), std::move(moves))))
      return signalPassFailure();
    // A scale that was moved from one operand to the product can now be folded into the weights of the other operand.
    if (counted("scales-moved") != moved && failed(rewriteGreedily(*this, getOperation(), weights)))
      signalPassFailure();
  }

private:
  void willReplace(Operation *op, ValueRange values) override { signs->willReplace(op, values); }
  void willErase(Operation *op) override { signs->willErase(op); }

  std::optional<ZeroSigns> signs;
};
} // namespace
