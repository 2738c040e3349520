//===- AffineIntoConvolutions.cpp - scales and terms of what convolutions read -===//
//
// A convolution with filters W of x * s, where s has an element per channel, is one of x with filters W * s, whatever
// its window: what a window has beside the image is zero with and without s. Of x + t, where t has an element per
// channel, the part of t is the same number in each channel of the result, if no window reaches beyond the image. So
// are batch norms in front of convolutions of single pixels.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Norms/Norms.h"
#include "Fusion/Rounding.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

// The operands of `op` where one is a weight with an element per channel, but for what a convolution alone gives: that
// has filters of its own for both.
static std::pair<Value, Value> withChannelsOfImage(Operation *op) {
  auto [x, perChannel] = withChannels(op);
  bool isOwn = x && x.hasOneUse() && isa_and_nonnull<Conv2dOp, Conv2dTransposeOp>(x.getDefiningOp());
  return isOwn ? std::pair<Value, Value>() : std::pair(x, perChannel);
}

// The convolutions that alone read `value`, channels first and without groups; none where something else does.
static SmallVector<Conv2dOp> convolutionsOf(Value value) {
  SmallVector<Conv2dOp> found;
  for (OpOperand &use : value.getUses()) {
    auto conv = dyn_cast<Conv2dOp>(use.getOwner());
    if (!conv || use.getOperandNumber() != 0 || conv.getGroups() != 1 || conv.getChannelLast() ||
        !mayBeStoredOtherwise(conv.getWeights()) ||
        (conv.getBias() && (!isWeight(conv.getBias()) || mayRound(conv.getBias()))))
      return {};
    found.push_back(conv);
  }
  return found;
}

static bool isOfSinglePixels(Conv2dOp op) {
  return llvm::all_of(shapeOf(op.getWeights()).drop_front(2), [](int64_t size) { return size == 1; }) &&
         llvm::all_of(op.getPadding(), [](int64_t size) { return size == 0; });
}

namespace {
/// x * s in front of convolutions.
struct ScaleOfImage : OpRewritePattern<MultiplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    auto [x, scale] = withChannelsOfImage(op);
    SmallVector<Conv2dOp> convolutions = x ? convolutionsOf(op) : SmallVector<Conv2dOp>();
    if (convolutions.empty())
      return failure();
    for (Conv2dOp conv : convolutions) {
      rewriter.setInsertionPoint(conv);
      Location loc = withoutTrace(conv.getLoc());
      Value row = reshaped(rewriter, loc, scale, {1, op.getType().getDimSize(1), 1, 1});
      Value scaled = product(rewriter, loc, conv.getWeights(), row);
      rewriter.modifyOpInPlace(conv, [&] { conv.getWeightsMutable().assign(scaled); });
    }
    rewriter.replaceOp(op, x);
    return success();
  }
};

/// x + t in front of convolutions of single pixels.
struct TermOfImage : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    auto [x, term] = withChannelsOfImage(op);
    SmallVector<Conv2dOp> convolutions = x ? convolutionsOf(op) : SmallVector<Conv2dOp>();
    if (convolutions.empty() || !llvm::all_of(convolutions, isOfSinglePixels) || mayRound(term))
      return failure();
    for (Conv2dOp conv : convolutions) {
      rewriter.setInsertionPoint(conv);
      Location loc = withoutTrace(conv.getLoc());
      int64_t filters = shapeOf(conv.getWeights())[0], channels = op.getType().getDimSize(1);
      Value matrix = reshaped(rewriter, loc, conv.getWeights(), {filters, channels});
      Value column = reshaped(rewriter, loc, term, {channels, 1});
      Value bias =
          reshaped(rewriter, loc, MatmulOp::create(rewriter, loc, matrix, column, Value()).getResult(), {filters});
      if (conv.getBias())
        bias = AddOp::create(rewriter, loc, bias, reshaped(rewriter, loc, conv.getBias(), {filters}));
      rewriter.modifyOpInPlace(conv, [&] { conv.getBiasMutable().assign(bias); });
    }
    rewriter.replaceOp(op, x);
    return success();
  }
};
} // namespace

void forge::populateAffineIntoConvolutions(RewritePatternSet &patterns) {
  patterns.addWithLabel<ScaleOfImage>({"scales-of-operands-folded"}, patterns.getContext());
  patterns.addWithLabel<TermOfImage>({"terms-of-operands-folded"}, patterns.getContext());
}
