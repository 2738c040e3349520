//===- KernelForms.cpp - rewrites ops to the forms with fewest kernels ----===//

#define GEN_PASS_DEF_FORGEKERNELFORMSPASS
#include "Fusion/Decompositions.h"
#include "Fusion/Rewrites.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

using namespace mlir;
using namespace forge;

static bool areAll(ArrayRef<int64_t> numbers, int64_t expected) {
  return llvm::count(numbers, expected) == static_cast<int64_t>(numbers.size());
}

// The filters [columns, rows, 1, 1] of a 1x1 convolution as a matrix [rows, columns]. A splat becomes another splat:
// splats are not stored in the weights file, so that the reshape or transpose of one would be a call.
static Value matrixOf(Value filters, ImplicitLocOpBuilder &b) {
  ArrayRef<int64_t> shape = shapeOf(filters);
  DenseElementsAttr attr;
  if (matchPattern(filters, m_Constant(&attr)) && attr.isSplat())
    return ConstantOp::create(b, attr.resizeSplat(tensorType(filters).clone({shape[1], shape[0]})));
  Value rows = reshaped(b, filters, shape.take_front(2));
  return TransposeOp::create(b, rows, int64_t(-2), int64_t(-1));
}

// Whether a matrix product of the pixels is as fast as the 1x1 convolution `op`, or faster. Only what differs is
// compared:
// - The device changes the layout of an image, which reads and writes all pixels, once for all convolutions and pools
//   that read it. A product reads the image in the layout that it has.
// - A ReLU is fused into a convolution, but not into a product. After a product it is a kernel, which moves as much as
// a
//   change of layout does.
static bool isProductAsFast(Conv2dOp op) {
  auto addLayoutChange = [](OpCost &cost, Value image) {
    RankedTensorType rows = tensorType(image).clone(pixelRows(shapeOf(image)));
    cost.addMove(rows, rows);
  };
  OpCost convolutionCost, productCost;
  bool isChangedAnyway =
      llvm::any_of(op.getActivations().getUsers(), [&](Operation *user) { return user != op && isOnPixelRows(user); });
  if (!isChangedAnyway)
    addLayoutChange(convolutionCost, op.getActivations());
  bool hasRelu = op->hasOneUse() && isa<ReluOp>(*op->user_begin());
  if (hasRelu)
    addLayoutChange(productCost, op.getResult());
  return productCost.time <= convolutionCost.time;
}

// Replaces a 1x1 convolution with channels last by a matrix product of the same tensor, for which the device needs no
// reshape to rows of pixels and no change of layout.
static LogicalResult rewritePointwiseConvolution(Conv2dOp op, PatternRewriter &rewriter) {
  Value weights = op.getWeights(), bias = op.getBias();
  std::optional<WeightProduct> product = WeightProduct::of(op.getOperation());
  if (!op.getChannelLast() || !product || !product->isOfSinglePixels() || !areAll(op.getStride(), 1) ||
      product->groups != 1 || !isProductAsFast(op))
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  // The bias of a convolution may have more axes than the product has.
  if (bias)
    bias = reshaped(b, bias, shapeOf(bias).take_back(op.getType().getRank()));
  rewriter.replaceOp(
      op, MatmulOp::create(rewriter, op.getLoc(), op.getType(), op.getActivations(), matrixOf(weights, b), bias));
  return success();
}

// The range [begin, end) of kernel positions (taps) along the height (`i` = 0) or the width (1) without those at both
// ends that only ever read padding. `padding`, [top, left, bottom, right], shrinks by `dilation` for each removed tap,
// so that the others read the same pixels, and must not become negative. At least one tap is left.
static std::pair<int64_t, int64_t> tapsOnImage(Conv2dOp op, int64_t i, MutableArrayRef<int64_t> padding) {
  int64_t axis = (op.getChannelLast() ? 1 : 2) + i, size = shapeOf(op.getActivations())[axis];
  int64_t lastWindow = op.getType().getDimSize(axis) - 1, dilation = op.getDilation()[i];
  int64_t begin = 0, end = shapeOf(op.getWeights())[2 + i];
  auto pixel = [&](int64_t window, int64_t tap) {
    return window * op.getStride()[i] + tap * dilation - op.getPadding()[i];
  };
  // The first tap reads padding before the image in all windows if it does so in the last window. The last tap reads
  // padding after the image in all windows if it does so in the first window.
  for (; end - begin > 1 && pixel(lastWindow, begin) < 0 && padding[i] >= dilation; ++begin)
    padding[i] -= dilation;
  for (; end - begin > 1 && pixel(0, end - 1) >= size && padding[2 + i] >= dilation; --end)
    padding[2 + i] -= dilation;
  return {begin, end};
}

// Removes the taps of a convolution that only ever read padding (tapsOnImage), such as the outer ones of a 3x3 kernel
// on an image of one pixel: their products are with zeros.
static LogicalResult dropPaddingTaps(Conv2dOp op, PatternRewriter &rewriter) {
  Value weights = op.getWeights();
  // Whether slices of the weights are stored in the file, and are no calls. This is asked before the first slice is
  // created: that is another user of the weights, and large weights with several users are not stored in another form.
  bool areSlicesStored = WeightProduct::of(op.getOperation()).has_value();
  SmallVector<int64_t> padding(op.getPadding());
  for (int64_t i : {0, 1}) {
    auto [begin, end] = tapsOnImage(op, i, padding);
    if (end - begin == shapeOf(weights)[2 + i])
      continue;
    if (!areSlicesStored)
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

// Each output channel of a depthwise 1x1 convolution is one input channel, the only one of its group, times the only
// element of its filter. Null for other convolutions, and for those with one channel, which are not depthwise but
// ordinary, because they have one group.
Value forge::channelProduct(Conv2dOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  ArrayRef<int64_t> filters = shapeOf(op.getWeights());
  int64_t channels = op.getGroups(); // equal if the convolution is depthwise
  if (channels == 1 || filters[0] != channels || !areAll(filters.drop_front(), 1) || !areAll(op.getStride(), 1) ||
      !areAll(op.getPadding(), 0) || type.getNumElements() == 0)
    return {};
  SmallVector<int64_t> shape(4, 1);
  shape[op.getChannelLast() ? 3 : 1] = channels;
  // In 16 bits, a convolution rounds once, after the bias is added: product and sum are computed in Float32.
  Type element = type.getElementType(), wide = op.getBias() && !element.isF64() ? b.getF32Type() : element;
  auto perChannel = [&](Value value) { return reshaped(b, castTo(b, value, wide), shape); };
  Value result = MultiplyOp::create(b, castTo(b, op.getActivations(), wide), perChannel(op.getWeights()));
  if (Value bias = op.getBias())
    result = AddOp::create(b, result, perChannel(bias));
  return castTo(b, result, element);
}

// Replaces a depthwise 1x1 convolution by an elementwise multiplication (channelProduct).
static LogicalResult rewriteDepthwisePointwiseConvolution(Conv2dOp op, PatternRewriter &rewriter) {
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  Value product = channelProduct(op, b);
  if (!product)
    return failure();
  replaceOnnxValue(rewriter, op, product);
  return success();
}

// relu(transpose(add(%x, %y)))  ->  transpose(relu(add(%x, %y))): a unary function commutes with reshapes and
// transposes, and the device fuses it into the elementwise op before them. Nothing else may read the values in between,
// which would then be needed with and without the function. An elementwise op on weights is no call to fuse it into.
static LogicalResult moveFunctionBeforeMovement(Operation *op, PatternRewriter &rewriter) {
  SmallVector<Operation *> movement;
  Operation *producer = op->getOperand(0).getDefiningOp();
  for (; isa_and_nonnull<ReshapeOp, TransposeOp>(producer) && producer->hasOneUse();
       producer = producer->getOperand(0).getDefiningOp())
    movement.push_back(producer);
  if (movement.empty() || !isa_and_nonnull<AddOp, SubtractOp, MultiplyOp, DivideOp>(producer) ||
      !producer->hasOneUse() || isWeight(producer->getResult(0)))
    return failure();
  Value value = cloneOn(rewriter, withoutTrace(op->getLoc()), op, producer->getResult(0));
  value.setType(tensorType(producer->getResult(0))); // in the shape before the movement
  for (Operation *each : llvm::reverse(movement))
    value = cloneOn(rewriter, withoutTrace(each->getLoc()), each, value);
  replaceOnnxValue(rewriter, op, value);
  return success();
}

// Whether `user` is an elementwise op that broadcasts its operand `value` to the shape of its result, because another
// operand has that shape.
static bool broadcastsToOther(Operation *user, Value value) {
  return isElementwise(user) && llvm::any_of(user->getOperands(), [&](Value other) {
           return other != value && shapeOf(other) == shapeOf(user->getResult(0));
         });
}

// add(broadcast(%x), %y)  ->  add(%x, %y): removes an op that only repeats axes of size 1 or adds leading axes, if all
// users are elementwise ops that broadcast their operands to the same shape anyway. Above kMostBroadcastAxes the device
// does not broadcast.
static LogicalResult removeRedundantExpansion(Operation *op, PatternRewriter &rewriter) {
  Value source = op->getOperand(0), result = op->getResult(0);
  ArrayRef<int64_t> from = shapeOf(source), to = shapeOf(result);
  if (from == to || to.size() > kMostBroadcastAxes || !IndexMap::hasMap(from))
    return failure();
  IndexMap map(from), expanded(from);
  bool expands = map.apply(op) && expanded.broadcast(to) && map == expanded;
  auto isRedundantFor = [&](Operation *user) { return broadcastsToOther(user, result); };
  if (!expands || op->use_empty() || isWeight(result) || !llvm::all_of(op->getUsers(), isRedundantFor))
    return failure();
  rewriter.replaceAllUsesWith(result, source);
  return success();
}

// Replaces the means over both spatial axes of an image with channels last by an average pool over the whole image,
// for which the device has one kernel. The pool reads rows of pixels, as convolutions write them.
//
// Means of an addition, as at the end of a residual network, remain: the sum is an image, and its reshape to rows of
// pixels would cost as much as the second mean. (Some other ops need that reshape too, but are less frequent.)
static LogicalResult rewriteAsGlobalAveragePool(ReduceAvgOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperandA().getDefiningOp<ReduceAvgOp>();
  if (!inner || outerSpatialMean(inner) != op)
    return failure();
  // Unary functions do not count, because the device fuses them into the op before them.
  Operation *producer = inner.getOperandA().getDefiningOp();
  while (producer && isElementwise(producer) && producer->getNumOperands() == 1)
    producer = producer->getOperand(0).getDefiningOp();
  if (isa_and_nonnull<AddOp>(producer))
    return failure();
  ArrayRef<int64_t> window = shapeOf(inner.getOperandA()).slice(1, 2);
  if (llvm::is_contained(window, 0)) // A pool has a window of at least one pixel.
    return failure();
  SmallVector<int64_t> padding(4, 0);
  rewriter.replaceOpWithNewOp<AvgPool2dOp>(op, inner.getOperandA(), window, window, padding, /*ceil_mode=*/false,
                                           /*count_include_pad=*/true, /*channel_last=*/true);
  return success();
}

// Replaces a layer norm by its steps (decomposeLayerNorm). Forge decomposes the call as well, but into more kernels: a
// mean becomes a sum and a multiplication by 1 / size, and the division a reciprocal and a multiplication. Not in 16
// bits, where each step would round its result, nor without elements, because forge.reshape accepts no empty tensors.
static LogicalResult decomposeFloat32LayerNorm(LayernormOp op, PatternRewriter &rewriter, const ZeroSigns &signs) {
  RankedTensorType type = op.getType();
  if (!type.getElementType().isF32() || type.getNumElements() == 0)
    return failure();
  decomposeLayerNorm(rewriter, op, signs);
  return success();
}

namespace {
struct ForgeKernelFormsPass : forge::impl::ForgeKernelFormsPassBase<ForgeKernelFormsPass>, ReportingPass {
  using ForgeKernelFormsPassBase::ForgeKernelFormsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    ZeroSigns signs(func); // of the layer norms, of which no pattern creates any
    RewritePatternSet patterns(&getContext());
    addRewrite<Conv2dOp>(patterns, "taps-dropped", dropPaddingTaps);
    addRewrite<Conv2dOp>(patterns, "convolutions-as-products", rewritePointwiseConvolution);
    addRewrite<Conv2dOp>(patterns, "convolutions-as-products", rewriteDepthwisePointwiseConvolution);
    addRewrite<Conv2dOp>(patterns, "convolutions-as-products", rewriteAsPatchProduct);
    addRewrite<ReshapeOp>(patterns, "flattened-axes-reordered", permuteFlattenedRows);
    addRewrite<TransposeOp>(patterns, "flattened-axes-reordered", permuteFlattenedColumns);
    // With keep-padding, --forge-fill-tile-padding runs later. It has fills for norms and means as they are, and
    // predicts the padding of products without a bias and of repeated values, but not that of products with a bias or
    // of most broadcasts. functions-before-movement would do no harm, but is left out as well.
    if (!keepPadding) {
      populateProductForms(patterns);
      addRewrite<ReshapeOp, RepeatOp, BroadcastOp>(patterns, "expansions-removed", removeRedundantExpansion);
      addRewrite<ReluOp, TanhOp, GeluOp>(patterns, "functions-before-movement", moveFunctionBeforeMovement);
      addRewrite<ReduceAvgOp>(patterns, "means-as-pools", rewriteAsGlobalAveragePool);
      addRewrite<LayernormOp>(patterns, "norms-decomposed", decomposeFloat32LayerNorm, std::cref(signs));
    }
    if (failed(rewriteGreedily(*this, func, std::move(patterns))))
      return signalPassFailure();
    eraseDeadOps(func.front());
  }
};
} // namespace
