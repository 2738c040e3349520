//===- SplitRows.cpp - splits or joins matrix rows for less padding -------===//
//
// The device pads the n rows of a value [..., n, C] to whole tiles, for example 14 rows to 32. If each row is split
// into parts by a reshape to [..., n * parts, C / parts], less padding is needed. A slice or concatenation of rows then
// moves `parts` times as many rows: with 3 parts, x[1:3] becomes x[3:9].
//
// If rows are stacked, as the embeddings of a recommender, each operand [..., 1, C] is padded to whole tiles. Instead,
// columns are concatenated (StackedRows).
//
//===----------------------------------------------------------------------===//

#include "Layout/Regions.h"
#include "Layout/RowRewrites.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

using namespace mlir;
using namespace forge;

// Whether `op` slices or concatenates along another axis than the trailing one, so that it moves whole rows, and can do
// the same with split rows. A slice of every k-th row cannot: it would have to take `parts` of k * `parts` split rows.
// Empty values are left out, because forge.reshape does not accept them.
static bool movesRows(Operation *op) {
  if (!isa<IndexOp, ConcatenateOp>(op) || op->use_empty() || isWeight(op->getResult(0)) ||
      tensorType(op->getResult(0)).getNumElements() == 0)
    return false;
  int64_t rowAxis = tensorType(op->getResult(0)).getRank() - 2, axis = cast<AxisOpInterface>(op).getWorkAxis();
  auto slice = dyn_cast<IndexOp>(op);
  bool hasStep = slice && slice.getStride() != 1;
  return axis < rowAxis || (axis == rowAxis && !hasStep);
}

// The type of `value`, [..., n, C], with each row split into `parts`: [..., n * parts, C / parts].
static RankedTensorType splitType(Value value, int64_t parts) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape.end()[-2] *= parts;
  shape.end()[-1] /= parts;
  return tensorType(value).clone(shape);
}

namespace {
/// Connected slices and concatenations along any axis but the trailing one, such as those of the shifted windows of a
/// Swin. All values have the same size C of the trailing axis, so that their rows are split into parts of one size.
class RegionOfRows {
public:
  explicit RegionOfRows(const ConnectedOps &ops) : ops(ops) {
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (!ops.contains(operand.getDefiningOp()))
          sources.insert(operand);
  }

  /// The number of parts that takes the least time, without more kernels than unsplit rows; 1 if none is faster. Tries
  /// them on copies of the region.
  int64_t bestParts() const {
    // Not split: the cost of a transpose depends on the slices that follow it.
    for (Value source : sources)
      if (source.getDefiningOp<TransposeOp>())
        return 1;
    OpCost best = TrialCopy(ops.getArrayRef()).costBefore();
    int64_t kernels = best.kernels, chosen = 1, columns = shapeOf(ops.front()->getResult(0)).back();
    constexpr int64_t kMostParts = 64; // Bounds the time of the search.
    for (int64_t parts = 2; parts <= std::min(columns, kMostParts); ++parts) {
      if (columns % parts != 0)
        continue;
      TrialCopy copy(ops.getArrayRef());
      ConnectedOps copies;
      for (Operation *op : ops)
        copies.insert(copy.of(op));
      RegionOfRows(copies).rewrite(parts);
      if (OpCost cost = copy.costAfter(); cost.kernels <= kernels && cost.time < best.time) {
        best = cost;
        chosen = parts;
      }
    }
    return chosen;
  }

  /// Splits the rows of the sources, and makes the ops compute split rows. Users outside of the region read a reshape
  /// to unsplit rows; a user that is a reshape itself reads the split rows, which are the same sequence of elements.
  void rewrite(int64_t parts) const {
    for (Value source : sources) {
      Value split = reshapedAfter(source, splitType(source, parts).getShape());
      source.replaceUsesWithIf(split, [&](OpOperand &use) { return ops.contains(use.getOwner()); });
    }
    for (Operation *op : ops) {
      Value result = op->getResult(0);
      Shape unsplit(shapeOf(result));
      // Row i becomes the rows i * parts to i * parts + parts - 1.
      auto slice = dyn_cast<IndexOp>(op);
      if (slice && cast<AxisOpInterface>(op).getWorkAxis() == slice.getType().getRank() - 2) {
        slice.setStart(slice.getStart() * parts);
        slice.setStop(slice.getStop() * parts);
      }
      reshapeResult(op, splitType(result, parts).getShape());
      reshapeUsers(result, unsplit,
                   [&](OpOperand &use) { return !ops.contains(use.getOwner()) && !isa<ReshapeOp>(use.getOwner()); });
    }
  }

private:
  const ConnectedOps &ops;
  llvm::SetVector<Value> sources; ///< the operands that are no results of `ops`
};
} // namespace

// Finds the connected slices and concatenations of rows, and splits the rows of each region into the best number of
// parts.
void forge::splitRows(Block &block, ReportingPass &pass) {
  for (const ConnectedOps &ops : connectedOps(block, movesRows, [](OpOperand &) { return true; })) {
    RegionOfRows region(ops);
    if (int64_t parts = region.bestParts(); parts > 1 && pass.mayRewrite(ops.front(), "rows-split"))
      region.rewrite(parts);
  }
}

namespace {
/// A concatenation along an axis before the trailing one. Let each operand be reshaped so that this axis and those
/// after it are one. The concatenation along that axis has the same elements in the same order:
///
///     concatenate %x, %y axis -2 : [64, 1, 32], [64, 2, 32]
///     reshape [64, 3, 32] of (concatenate (reshape [64, 32] of %x), (reshape [64, 64] of %y) axis -1)
struct StackedRows {
  ConcatenateOp concatenate;
  int64_t axis; ///< counted from the front

  static std::optional<StackedRows> of(ConcatenateOp op) {
    int64_t rank = op.getType().getRank(), axis = fromFront(op.getAxis(), rank);
    // forge.reshape accepts no empty tensors.
    auto canReshape = [](Value value) { return IndexMap::hasMap(shapeOf(value)); };
    if (axis == rank - 1 || op->use_empty() || isWeight(op) || !canReshape(op) ||
        !llvm::all_of(op->getOperands(), canReshape))
      return std::nullopt;
    return StackedRows{op, axis};
  }

  bool isFasterAsColumns() {
    return isFasterOnCopy(concatenate.getOperation(), [&](const TrialCopy &copy) {
      StackedRows copied{cast<ConcatenateOp>(copy.of(concatenate)), axis};
      copied.rewrite();
      return true;
    });
  }

  /// Concatenates columns. Users that are reshapes read the columns, which are the same sequence of elements.
  void rewrite() {
    Shape stacked(concatenate.getType().getShape());
    auto asColumns = [&](ArrayRef<int64_t> shape) {
      Shape columns(shape.take_front(axis));
      columns.push_back(IndexMap::elementsOf(shape.drop_front(axis)));
      return columns;
    };
    OpBuilder builder(concatenate);
    for (OpOperand &operand : concatenate->getOpOperands())
      operand.set(
          withShape(builder, withoutTrace(concatenate.getLoc()), operand.get(), asColumns(shapeOf(operand.get()))));
    concatenate.setAxis(-1);
    reshapeResult(concatenate, asColumns(stacked));
    reshapeUsers(concatenate.getResult(), stacked, [](OpOperand &use) { return !isa<ReshapeOp>(use.getOwner()); });
    dropReshapesToSameType(concatenate.getResult());
  }
};
} // namespace

void forge::stackAsColumns(Block &block, ReportingPass &pass) {
  for (ConcatenateOp op : llvm::to_vector(block.getOps<ConcatenateOp>()))
    if (auto rows = StackedRows::of(op); rows && rows->isFasterAsColumns() && pass.mayRewrite(op, "rows-stacked"))
      rows->rewrite();
}
