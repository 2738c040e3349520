//===- ShuffleRows.cpp - channel shuffles of rows, not of columns ---------===//
//
// A channel shuffle divides the channels into G groups of C, and exchanges these two axes. It is computed with less
// tile padding (ShuffleOfColumns), or on a smaller tensor (ShuffleBeforeFilters).
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Layout/RowRewrites.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"

using namespace mlir;
using namespace forge;

namespace {
/// A shuffle of columns, as of the channels of a ShuffleNet:
///
///     [..., G C] -> reshape [..., G, C] -> transpose [..., C, G] -> reshape [..., C G]
///
/// The two trailing axes of the tensors between these ops are small, and padded to whole tiles. With all leading axes
/// as one, P, the same result by way of rows has little padding:
///
///     [P, G C] -> transpose [G C, P] -> reshape [G, C, P] -> transpose [C, G, P] -> reshape [C G, P] -> transpose
///
/// If there are few pixels, one transpose with padding takes less time than the two that avoid it:
///
///     [P, G C] -> transpose [G C, P] -> reshape [G, C, P] -> transpose [P, C, G] -> reshape [P, C G]
///
/// All three compute the same values. The device's time decides.
struct ShuffleOfColumns {
  ReshapeOp split;
  TransposeOp transpose;
  ReshapeOp merge;

  /// Matches a shuffle by its last op. The first two have no other users, so that their padded results become dead.
  /// Weights are shuffled when the program is compiled.
  static std::optional<ShuffleOfColumns> of(ReshapeOp merge) {
    Operation *transpose = merge.getOperandA().getDefiningOp();
    if (!isMatrixTranspose(transpose) || !transpose->hasOneUse() || isWeight(merge) || merge->use_empty())
      return std::nullopt;
    auto split = transpose->getOperand(0).getDefiningOp<ReshapeOp>();
    if (!split || !split->hasOneUse())
      return std::nullopt;
    ArrayRef<int64_t> columns = shapeOf(split.getOperandA()), groups = split.getShape();
    bool splitsColumns = groups.size() == columns.size() + 1 && groups.drop_back(2) == columns.drop_back() &&
                         shapeOf(merge.getResult()) == columns;
    return splitsColumns ? std::optional(ShuffleOfColumns{split, cast<TransposeOp>(transpose), merge}) : std::nullopt;
  }

  /// The second sequence above, with a shuffle of rows, and the third one, whose transpose moves rows to columns.
  enum class Sequence { ShuffleRows, RowsToColumns };

  /// The faster one of these two, tried on copies; none if the shuffle of columns takes no more time than that.
  std::optional<Sequence> fasterSequence() {
    std::array<Operation *, 3> ops{split, transpose, merge};
    std::optional<Sequence> best;
    int64_t time = TrialCopy(ops).costBefore().time;
    for (Sequence sequence : {Sequence::ShuffleRows, Sequence::RowsToColumns}) {
      TrialCopy copy(ops);
      std::optional<ShuffleOfColumns> copied = of(cast<ReshapeOp>(copy.of(merge)));
      if (!copied || !copied->rewrite(sequence))
        continue;
      if (int64_t after = copy.costAfter().time; after < time) {
        time = after;
        best = sequence;
      }
    }
    return best;
  }

  /// Builds the sequence before `merge`, whose location only the last new op gets: the values before it are no ONNX
  /// values. Rows are shuffled by the fastest steps with this index map; returns false if there are none.
  bool rewrite(Sequence sequence) {
    std::optional<BlockSteps> blocks = blockSteps();
    if (sequence == Sequence::ShuffleRows && !blocks)
      return false;
    ImplicitLocOpBuilder b(withoutTrace(merge.getLoc()), merge);
    Value value = reshaped(b, split.getOperandA(), pixels().getShape());
    value = matrixTranspose(b, value);
    if (sequence == Sequence::RowsToColumns) {
      value = TransposeOp::create(b, reshaped(b, value, groups()), int64_t(-3), int64_t(-1));
    } else {
      value = matrixTranspose(b, blocks->steps.build(b, value, b.getLoc()));
    }
    value = reshaped(b, value, merge.getShape());
    value.getDefiningOp()->setLoc(merge.getLoc());
    merge.getResult().replaceAllUsesWith(value);
    return true;
  }

private:
  /// [1, 1, P, G C]: the rows of an image as the device's convolutions read and write them.
  RankedTensorType pixels() {
    RankedTensorType type = merge.getType();
    return type.clone({1, 1, type.getNumElements() / type.getShape().back(), type.getShape().back()});
  }
  /// [1, G, C, P]
  SmallVector<int64_t> groups() {
    ArrayRef<int64_t> shape = split.getShape();
    return {1, shape.end()[-2], shape.end()[-1], pixels().getDimSize(2)};
  }

  /// The steps from rows to shuffled rows, [1, 1, G C, P].
  std::optional<BlockSteps> blockSteps() {
    RankedTensorType rows = transposedType(pixels());
    IndexMap exchange(rows.getShape());
    bool isMap = exchange.reshape(groups()) && exchange.permute({0, 2, 1, 3}) && exchange.reshape(rows.getShape());
    return isMap ? BlockSteps::of(exchange, rows) : std::nullopt;
  }
};
} // namespace

// Rewrites each shuffle of columns to the faster sequence, if there is one.
void forge::shuffleAsRows(Block &block, ReportingPass &pass) {
  for (ReshapeOp reshape : llvm::make_early_inc_range(block.getOps<ReshapeOp>()))
    if (auto shuffle = ShuffleOfColumns::of(reshape))
      if (auto sequence = shuffle->fasterSequence(); sequence && pass.mayRewrite(reshape, "shuffles-as-rows"))
        shuffle->rewrite(*sequence);
}

namespace {
/// A shuffle of channels that only a convolution with one filter per channel reads. The filters can be reordered
/// instead of the channels, and then the channels of the result have to be shuffled:
///
///     conv2d(shuffle(x), W), groups = channels      becomes      shuffle(conv2d(x, W'))
///
/// With a stride, the result has fewer pixels than the image, so that the shuffle of the result takes less time.
struct ShuffleBeforeFilters {
  ShuffleOfColumns shuffle;
  Conv2dOp conv;

  /// Matches a shuffle by its last op. The convolution has channels last, which are the columns of the shuffle, and as
  /// many groups and filters as channels, so that a channel of its result depends on the same channel of the image
  /// alone. Its filters and bias are weights that may be reordered.
  static std::optional<ShuffleBeforeFilters> of(ReshapeOp merge) {
    auto conv = merge->hasOneUse() ? dyn_cast<Conv2dOp>(*merge->user_begin()) : Conv2dOp();
    std::optional<WeightProduct> product = WeightProduct::of(conv.getOperation());
    if (!product || channelsLast(conv) != true || product->x->get() != merge.getResult() || !product->mayReplaceBias())
      return std::nullopt;
    int64_t channels = merge.getType().getShape().back();
    bool hasFilterPerChannel = product->groups == channels && conv.getType().getShape().back() == channels;
    std::optional<ShuffleOfColumns> shuffle = hasFilterPerChannel ? ShuffleOfColumns::of(merge) : std::nullopt;
    return shuffle ? std::optional(ShuffleBeforeFilters{*shuffle, conv}) : std::nullopt;
  }

  /// Whether the device takes less time for the shuffle of the result.
  bool isFasterAfter() const {
    return isFasterOnCopy({shuffle.split, shuffle.transpose, shuffle.merge, conv}, [&](const TrialCopy &copy) {
      std::optional<ShuffleBeforeFilters> copied = of(cast<ReshapeOp>(copy.of(shuffle.merge)));
      if (copied)
        copied->rewrite();
      return copied.has_value();
    });
  }

  /// Makes the convolution read the operand of the shuffle, and its users the shuffled result.
  void rewrite() {
    ImplicitLocOpBuilder b(withoutTrace(conv.getLoc()), conv);
    ArrayRef<int64_t> image = conv.getType().getShape();
    SmallVector<int64_t> imageOfGroups(image.drop_back());
    llvm::append_range(imageOfGroups, shuffle.split.getShape().take_back(2));
    conv.getWeightsMutable().assign(unshuffled(b, conv.getWeights()));
    if (Value bias = conv.getBias())
      conv.getBiasMutable().assign(unshuffled(b, bias));
    conv.getActivationsMutable().assign(shuffle.split.getOperandA());
    b.setInsertionPointAfter(conv);
    Value groups = reshaped(b, conv, imageOfGroups);
    Value merged = reshaped(b, conv.getLoc(), matrixTranspose(b, groups), image);
    conv->setLoc(withoutTrace(conv.getLoc()));
    conv.getResult().replaceAllUsesExcept(merged, groups.getDefiningOp());
  }

private:
  /// `weight`, the filters or the bias, in the order of the channels before the shuffle. Its elements are in the
  /// row-major sequence of [C, G, rest], and those of the result in that of [G, C, rest].
  Value unshuffled(ImplicitLocOpBuilder &b, Value weight) {
    ArrayRef<int64_t> shuffled = shuffle.transpose.getType().getShape().take_back(2);
    int64_t rest = tensorType(weight).getNumElements() / (shuffled[0] * shuffled[1]);
    Value groups = reshaped(b, weight, {shuffled[0], shuffled[1], rest});
    return reshaped(b, TransposeOp::create(b, groups, int64_t(0), int64_t(1)), shapeOf(weight));
  }
};
} // namespace

// Over a copy of the list, because rewrite() adds reshapes.
void forge::shuffleAfterFilters(Block &block, ReportingPass &pass) {
  for (ReshapeOp reshape : llvm::to_vector(block.getOps<ReshapeOp>()))
    if (auto shuffle = ShuffleBeforeFilters::of(reshape);
        shuffle && shuffle->isFasterAfter() && pass.mayRewrite(shuffle->conv, "shuffles-after-filters"))
      shuffle->rewrite();
}
