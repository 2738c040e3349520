//===- KernelForms.cpp - ops in the form that takes few kernels -----------===//

#include "DeadOps.h"
#include "Fusion/Convolutions/ChannelProduct.h"
#include "Fusion/Monomial.h"
#include "Fusion/Norms/Norms.h"
#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/IndexMap.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEKERNELFORMSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

//===----------------------------------------------------------------------===//
// One op at a time
//===----------------------------------------------------------------------===//

// Whether a weight is made of one number, repeated: such weights are not stored, and other forms of them would be made
// in each run. The largest source tells.
static bool isSplat(Value weight) {
  auto size = [](Value value) { return tensorType(value).getNumElements(); };
  while (weight.getDefiningOp()->getNumOperands() != 0)
    weight =
        *llvm::max_element(weight.getDefiningOp()->getOperands(), [&](Value a, Value b) { return size(a) < size(b); });
  DenseElementsAttr attr;
  return matchPattern(weight, m_Constant(&attr)) && attr.isSplat();
}

namespace {
/// A convolution of single pixels with channels last is a product of the tensor itself: the device needs no rows of
/// pixels for it, and no other layout.
struct PixelsAsRows : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2dOp op, PatternRewriter &rewriter) const override {
    Value weights = op.getWeights();
    std::optional<WeightProduct> product = WeightProduct::of(op.getOperation());
    bool isWhole = llvm::all_of(op.getStride(), [](int64_t each) { return each == 1; });
    if (!op.getChannelLast() || !product || !product->isOfSinglePixels() || !isWhole || product->groups != 1 ||
        isSplat(weights))
      return failure();
    ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
    Value rows = reshaped(b, b.getLoc(), weights, shapeOf(weights).take_front(2));
    Value columns = TransposeOp::create(b, rows, int64_t(-2), int64_t(-1));
    rewriter.replaceOp(
        op, MatmulOp::create(rewriter, op.getLoc(), op.getType(), op.getActivations(), columns, op.getBias()));
    return success();
  }
};

/// Taps of a convolution that meet nothing but padding, as the outer ones of a window on an image of one pixel.
struct TapsOfPadding : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2dOp op, PatternRewriter &rewriter) const override {
    Value weights = op.getWeights();
    // Asked once: a slice of them reads them, too.
    bool maySlice = WeightProduct::of(op.getOperation()).has_value();
    SmallVector<int64_t> padding(op.getPadding());
    for (int64_t i : {0, 1}) {
      int64_t axis = (op.getChannelLast() ? 1 : 2) + i, size = shapeOf(op.getActivations())[axis];
      int64_t count = op.getType().getDimSize(axis), stride = op.getStride()[i], dilation = op.getDilation()[i];
      int64_t begin = 0, end = shapeOf(weights)[2 + i];
      // The last window's first tap lies before the image, or the first window's last tap after it.
      while (end - begin > 1 && (count - 1) * stride < padding[i] && padding[i] >= dilation) {
        padding[i] -= dilation;
        ++begin;
      }
      while (end - begin > 1 && (end - begin - 1) * dilation - padding[i] >= size && padding[2 + i] >= dilation) {
        padding[2 + i] -= dilation;
        --end;
      }
      if (end - begin == shapeOf(weights)[2 + i])
        continue;
      if (!maySlice)
        return failure();
      weights = IndexOp::create(rewriter, withoutTrace(op.getLoc()), weights, 2 + i, begin, end, int64_t(1));
    }
    if (weights == op.getWeights())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setPadding(padding);
      op.getWeightsMutable().assign(weights);
    });
    return success();
  }
};

/// What is left of such a convolution of single channels.
struct TapAsProduct : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2dOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
    Value product = channelProduct(op, b);
    if (!product)
      return failure();
    product.getDefiningOp()->setLoc(op.getLoc());
    rewriter.replaceOp(op, product);
    return success();
  }
};

/// Applies a function of one element before a movement: the device computes it in the call that produces the operand.
template <typename OpTy>
struct FunctionBeforeMovement : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    SmallVector<Operation *> movement;
    Operation *producer = op->getOperand(0).getDefiningOp();
    for (; isa_and_nonnull<ReshapeOp, TransposeOp>(producer) && producer->hasOneUse();
         producer = producer->getOperand(0).getDefiningOp())
      movement.push_back(producer);
    if (movement.empty() || !isa_and_nonnull<AddOp, SubtractOp, MultiplyOp, DivideOp>(producer) ||
        !producer->hasOneUse() || isWeight(producer->getResult(0)))
      return failure();
    Value value = producer->getResult(0);
    auto append = [&](Operation *each, Location loc) {
      Operation *copy = rewriter.clone(*each);
      copy->setLoc(loc);
      copy->setOperand(0, value);
      value = copy->getResult(0);
    };
    append(op, withoutTrace(op.getLoc()));
    value.setType(tensorType(producer->getResult(0)));
    for (Operation *each : llvm::reverse(movement))
      append(each, each == movement.front() ? op.getLoc() : withoutTrace(each->getLoc()));
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// What only repeats axes of one element, or puts some in front, for ops that broadcast to the same anyway.
template <typename OpTy>
struct LeftToBroadcast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Value source = op->getOperand(0), result = op->getResult(0);
    ArrayRef<int64_t> from = shapeOf(source), to = shapeOf(result);
    if (from.empty() || from == to || to.size() > kMostBroadcastAxes || IndexMap::elementsOf(from) == 0)
      return failure();
    IndexMap map(from), expanded(from);
    bool expands = map.apply(op) && expanded.broadcast(to) && map == expanded;
    // Something else that the op reads has all of the result's axes.
    auto broadcasts = [&](Operation *user) {
      return isElementwise(user) && llvm::any_of(user->getOperands(), [&](Value other) {
               return other != result && shapeOf(other) == shapeOf(user->getResult(0));
             });
    };
    if (!expands || op->use_empty() || isWeight(result) || !llvm::all_of(op->getUsers(), broadcasts))
      return failure();
    rewriter.replaceAllUsesWith(result, source);
    return success();
  }
};

/// The mean of an image with channels last, one axis after the other, as a pool of all of it: the device has one kernel
/// for that, of the rows of pixels that a convolution gives. A sum of two gives an image, of which they are made first.
struct MeanOfImage : OpRewritePattern<ReduceAvgOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceAvgOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperandA().getDefiningOp<ReduceAvgOp>();
    if (!inner || !inner->hasOneUse() || op.getType().getRank() != 4 || !op.getKeepDim() || !inner.getKeepDim() ||
        std::minmax({fromFront(op.getDim(), 4), fromFront(inner.getDim(), 4)}) != std::pair<int64_t, int64_t>(1, 2))
      return failure();
    Value image = inner.getOperandA();
    while (image.getDefiningOp() && image.getDefiningOp()->getNumOperands() == 1 &&
           isElementwise(image.getDefiningOp()))
      image = image.getDefiningOp()->getOperand(0);
    if (image.getDefiningOp<AddOp>())
      return failure();
    ArrayRef<int64_t> window = shapeOf(inner.getOperandA()).slice(1, 2);
    SmallVector<int64_t> padding(4, 0);
    rewriter.replaceOpWithNewOp<AvgPool2dOp>(op, inner.getOperandA(), window, window, padding, /*ceil_mode=*/false,
                                             /*count_include_pad=*/true, /*channel_last=*/true);
    return success();
  }
};

/// The steps of a layer norm. Forge's own have a product with one divisor per element instead of each mean, and the
/// reciprocal of a root instead of a quotient.
struct SpellNorm : OpRewritePattern<LayernormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayernormOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (!type.getElementType().isF32() || type.getNumElements() == 0)
      return failure();
    spellNorm(rewriter, op);
    return success();
  }
};
} // namespace

namespace {
struct ForgeKernelFormsPass : forge::impl::ForgeKernelFormsPassBase<ForgeKernelFormsPass>, ReportingPass {
  using ForgeKernelFormsPassBase::ForgeKernelFormsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    RewritePatternSet patterns(&getContext());
    patterns.addWithLabel<TapsOfPadding>({"taps-dropped"}, &getContext());
    patterns.addWithLabel<PixelsAsRows>({"convolutions-as-products"}, &getContext());
    patterns.addWithLabel<TapAsProduct>({"convolutions-as-products"}, &getContext());
    if (!keepPadding) {
      populateProductForms(patterns);
      patterns.addWithLabel<LeftToBroadcast<ReshapeOp>, LeftToBroadcast<RepeatOp>, LeftToBroadcast<BroadcastOp>>(
          {"left-to-broadcast"}, &getContext());
      patterns
          .addWithLabel<FunctionBeforeMovement<ReluOp>, FunctionBeforeMovement<TanhOp>, FunctionBeforeMovement<GeluOp>>(
              {"functions-before-movement"}, &getContext());
      patterns.addWithLabel<MeanOfImage>({"means-as-pools"}, &getContext());
      patterns.addWithLabel<SpellNorm>({"norms-spelled"}, &getContext());
    }
    if (failed(rewriteGreedily(*this, func, std::move(patterns))))
      return signalPassFailure();
    eraseDeadOps(func.front());
  }
};
} // namespace
