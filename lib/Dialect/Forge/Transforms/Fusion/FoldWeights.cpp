//===- FoldWeights.cpp - folds scales and biases into weights -------------===//
//
// Runs the rewrites of Affine/FoldScales.cpp and Affine/FoldAddends.cpp, among others. The scale and the shift of a
// batch norm, which are folded into a convolution, are made in Norms/FoldBatchNorm.cpp.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEFOLDWEIGHTSPASS
#include "Arithmetic/FastMath.h"
#include "Fusion/Rewrites.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

using namespace mlir;
using namespace forge;

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
    signs.emplace(getOperation());
    // First folds into weights what can be folded. Then moves the remaining scales of operands to the products.
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
    int64_t movedBefore = counted("scales-moved");
    if (failed(rewriteGreedily(*this, getOperation(), weights)))
      return signalPassFailure();
    if (getOperation().getOps<MatmulOp>().empty()) // `moves` only rewrites matrix products.
      return;
    if (failed(rewriteGreedily(*this, getOperation(), std::move(moves))))
      return signalPassFailure();
    // A scale that was moved from one operand to the product can now be folded into the weights of the other operand.
    if (counted("scales-moved") != movedBefore && failed(rewriteGreedily(*this, getOperation(), weights)))
      signalPassFailure();
  }

private:
  void willReplace(Operation *op, ValueRange values) override { signs->willReplace(op, values); }
  void willErase(Operation *op) override { signs->willErase(op); }

  std::optional<ZeroSigns> signs;
};
} // namespace
