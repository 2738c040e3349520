//===- PatchProduct.cpp - convolutions of patches as matrix products ------===//
//
// A convolution whose windows are next to each other, as the patch embedding of a vision transformer, multiplies each
// patch by a matrix. For an image with few channels, channels last have a trailing axis that is padded to a whole tile,
// before the convolution reads it. From the image with channels first, the patches are made without such a tensor:
//
//     [N, C, h Y, W] -> reshape [N, C, h, Y, W] -> transpose [N, h, C, Y, W] -> reshape [N, h, C Y, W]
//                    -> transpose [N, h, W, C Y] -> reshape [N, h W/X, X C Y] -> product with weights [X C Y, O]
//
// with windows of Y x X pixels. Each element of the result is the same sum, in another order.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "MatrixTranspose.h"

using namespace mlir;
using namespace forge;

namespace {
/// A convolution with channels last of patches of an image with channels first.
struct PatchProduct {
  Conv2dOp conv;
  SmallVector<TransposeOp, 2> swaps; ///< From channels first to last; the last one first.

  /// Matches two transposes to channels last, and `conv`, whose windows cover the image and are next to each other: its
  /// stride is their size.
  static std::optional<PatchProduct> of(Conv2dOp conv) {
    std::optional<WeightProduct> product = WeightProduct::of(conv.getOperation());
    if (!product || product->groups != 1 || !conv.getChannelLast() || !product->isUnpadded() ||
        conv.getType().getNumElements() == 0)
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

  Value image() { return swaps.back().getOperandA(); }
  /// Whether the steps and the product cost less than the convolution and those of the transposes to channels last
  /// whose results no other op uses.
  bool isCheaper() {
    OpCost before, after;
    before.time = timeOf(conv);
    for (TransposeOp swap : swaps) {
      if (!swap->hasOneUse())
        break;
      before.time = addCounts(before.time, timeOf(swap));
    }
    RankedTensorType from = tensorType(image());
    for (auto [number, to] : llvm::enumerate(steps())) { // Reshapes and transposes alternate.
      if (number % 2 == 0)
        after.addReshape(from, to);
      else
        after.addMove(from, to);
      from = to;
    }
    DeviceLayout layout;
    int64_t columns = conv.getType().getShape().back();
    RankedTensorType matrix = from.clone({from.getDimSize(2), columns});
    RankedTensorType product = from.clone({from.getDimSize(0), from.getDimSize(1), columns});
    int64_t bytes = addCounts(layout.bytes(from), layout.bytes(matrix));
    after.addKernels(1, addCounts(bytes, layout.bytes(product)), multiplyAdds(conv));
    return pays(before, after);
  }

  /// Builds the steps and the product [N, h W/X, O], which has the elements of the result in the same order.
  Value build(ImplicitLocOpBuilder &b) {
    SmallVector<RankedTensorType, 5> types = steps();
    Value value = reshaped(b, image(), types[0].getShape());
    value = TransposeOp::create(b, value, int64_t(-4), int64_t(-3));
    value = reshaped(b, value, types[2].getShape());
    value = TransposeOp::create(b, value, int64_t(-2), int64_t(-1));
    value = reshaped(b, value, types[4].getShape());
    // [O, C, Y, X] to [X, C, Y, O], the rows in the order of a patch.
    Value filters = TransposeOp::create(b, conv.getWeights(), int64_t(-4), int64_t(-1));
    Value matrix = reshaped(b, filters, {types[4].getDimSize(2), shapeOf(conv.getWeights())[0]});
    RankedTensorType type = withDim(value, 2, shapeOf(matrix).back());
    // The bias of a convolution may have more axes than the product has.
    Value bias = conv.getBias();
    return MatmulOp::create(b, type, value, matrix, bias ? reshaped(b, bias, shapeOf(matrix).back()) : bias);
  }

private:
  /// The image after each step, up to [N, h W/X, X C Y].
  SmallVector<RankedTensorType, 5> steps() {
    RankedTensorType type = tensorType(image());
    int64_t batch = type.getDimSize(0), channels = type.getDimSize(1), width = type.getDimSize(3);
    int64_t y = conv.getStride()[0], x = conv.getStride()[1], rows = type.getDimSize(2) / y;
    return {type.clone({batch, channels, rows, y, width}), type.clone({batch, rows, channels, y, width}),
            type.clone({batch, rows, channels * y, width}), type.clone({batch, rows, width, channels * y}),
            type.clone({batch, rows * (width / x), x * channels * y})};
  }
};
} // namespace

LogicalResult forge::rewriteAsPatchProduct(Conv2dOp op, PatternRewriter &rewriter) {
  std::optional<PatchProduct> patches = PatchProduct::of(op);
  if (!patches || !patches->isCheaper())
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  Value product = patches->build(b);
  rewriter.replaceOp(op, ReshapeOp::create(rewriter, op.getLoc(), op.getType(), product, op.getType().getShape()));
  return success();
}
