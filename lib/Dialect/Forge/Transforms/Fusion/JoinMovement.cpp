//===- JoinMovement.cpp - merges chains of reshapes and transposes --------===//

#define GEN_PASS_DEF_FORGEJOINMOVEMENTPASS
#include "Fusion/Rewrites.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/IR/Movement/MovementChains.h"

using namespace mlir;
using namespace forge;

namespace {
struct ForgeJoinMovementPass : forge::impl::ForgeJoinMovementPassBase<ForgeJoinMovementPass>, ReportingPass {
  using ForgeJoinMovementPassBase::ForgeJoinMovementPassBase;

  void runOnOperation() override {
    if (!deviceBlock(getOperation()))
      return;
    RewritePatternSet patterns(&getContext());
    ReshapeOp::getCanonicalizationPatterns(patterns, &getContext());
    TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    // In the same run as the patterns above: exporters repeat matrices by reshapes and a repeat, which those patterns
    // merge into one op (RepeatOfAxis). rewriteRepeatsAsRows matches that op.
    addRewrite<MatmulOp>(patterns, "repeats-as-rows", rewriteRepeatsAsRows);
    // Only in the second run of the pass: --forge-channels-last has to see the transposes one by one.
    if (chains) {
      populateMovementChains(patterns);
      addRewrite<ReshapeOp, TransposeOp>(patterns, "moves-cancelled", cancelAcrossElementwise);
    }
    if (failed(rewriteGreedily(*this, getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
