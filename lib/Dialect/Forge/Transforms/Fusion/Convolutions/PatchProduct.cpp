//===- PatchProduct.cpp - convolutions of patches as matrix products ------===//
//
// A convolution whose windows are next to each other, as the patch embedding of a vision transformer, multiplies each
// patch by a matrix. For an image with few channels, channels last have a trailing axis that is padded to a whole tile,
// before the convolution reads it. From the image with channels first, the patches are made without such a tensor:
//
//     [N, C, h Y, W] -> reshape [N, C, h, Y, W] -> transpose [N, h, C, Y, W] -> reshape [N, h, C Y, W]
//                    -> transpose [N, h, W, C Y] -> reshape [N, h W/X, X C Y] -> product with weights [X C Y, O]
//
// with windows of Y x X pixels. Each element of the result is the same sum, in another order. The first transpose moves
// the blocks [Y, W] as a whole, which get the shape with the least padding (BlockSteps).
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "Layout/RowRewrites.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

using namespace mlir;
using namespace forge;

namespace {
/// A convolution with channels last of patches of an image with channels first.
struct PatchProduct {
  Conv2dOp conv;
  std::array<TransposeOp, 2> swaps; ///< From channels first to last; the last one first.

  /// Matches two transposes to channels last, and `conv`, whose windows cover the image and are next to each other: its
  /// stride is their size.
  static std::optional<PatchProduct> of(Conv2dOp conv) {
    std::optional<WeightProduct> product = WeightProduct::of(conv.getOperation());
    if (!product || product->groups != 1 || !conv.getChannelLast() || !product->isUnpadded() ||
        conv.getType().getNumElements() == 0 || !IndexMap::hasMap(shapeOf(conv.getActivations())))
      return std::nullopt;
    ArrayRef<int64_t> filters = shapeOf(conv.getWeights()), image = shapeOf(conv.getActivations());
    for (int64_t axis : {0, 1})
      if (conv.getStride()[axis] != filters[2 + axis] || conv.getDilation()[axis] != 1 ||
          image[1 + axis] % filters[2 + axis] != 0)
        return std::nullopt;
    auto last = conv.getActivations().getDefiningOp<TransposeOp>();
    auto first = last ? last.getOperandA().getDefiningOp<TransposeOp>() : TransposeOp();
    if (!first || !swapsAxes(last, -2, -1) || !swapsAxes(first, -3, -2) || isWeight(last))
      return std::nullopt;
    return PatchProduct{conv, {last, first}};
  }

  /// Whether the product takes less time; the transposes to channels last remain if others read them.
  bool isFaster() {
    return isFasterOnCopy({conv, swaps[0], swaps[1]}, [&](const TrialCopy &copy) {
      std::optional<PatchProduct> copied = of(cast<Conv2dOp>(copy.of(conv)));
      IRRewriter rewriter(conv.getContext());
      if (copied)
        copied->rewrite(rewriter);
      return copied.has_value();
    });
  }

  /// Replaces the convolution by the product [N, h W/X, O], which has its elements in the same order.
  void rewrite(RewriterBase &rewriter) {
    rewriter.setInsertionPoint(conv);
    ImplicitLocOpBuilder b(withoutTrace(conv.getLoc()), rewriter);
    Value value = swaps[1].getOperandA();
    ArrayRef<int64_t> image = shapeOf(value);
    int64_t batch = image[0], channels = image[1], width = image[3], y = conv.getStride()[0], x = conv.getStride()[1];
    int64_t rows = image[2] / y;
    IndexMap exchange(image);
    [[maybe_unused]] bool isMap = exchange.reshape({batch, channels, rows, y, width}) &&
                                  exchange.permute({0, 2, 1, 3, 4}) &&
                                  exchange.reshape({batch, rows, channels * y, width});
    assert(isMap && "axes are split and exchanged");
    // With one channel or one row of windows nothing is exchanged, so that there are no blocks.
    std::optional<BlockSteps> blocks = BlockSteps::of(exchange, tensorType(value));
    Steps steps = blocks ? blocks->steps : *stepsOf(exchange, image);
    value = steps.build(b, value, b.getLoc());
    value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
    value = reshaped(b, value, {batch, rows * (width / x), x * channels * y});
    // [O, C, Y, X] to [X, C, Y, O], the rows in the order of a patch.
    Value filters = TransposeOp::create(b, conv.getWeights(), int64_t(-4), int64_t(-1));
    Value matrix = reshaped(b, filters, {x * channels * y, shapeOf(conv.getWeights())[0]});
    RankedTensorType type = withDim(value, 2, shapeOf(matrix).back());
    // The bias of a convolution may have more axes than the product has.
    Value bias = conv.getBias();
    Value product = MatmulOp::create(b, type, value, matrix, bias ? reshaped(b, bias, shapeOf(matrix).back()) : bias);
    rewriter.replaceOp(conv,
                       ReshapeOp::create(rewriter, conv.getLoc(), conv.getType(), product, conv.getType().getShape()));
  }
};
} // namespace

LogicalResult forge::rewriteAsPatchProduct(Conv2dOp op, PatternRewriter &rewriter) {
  std::optional<PatchProduct> patches = PatchProduct::of(op);
  if (!patches || !patches->isFaster())
    return failure();
  patches->rewrite(rewriter);
  return success();
}
