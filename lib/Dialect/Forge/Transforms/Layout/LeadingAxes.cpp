//===- LeadingAxes.cpp - batch and depth as one axis ----------------------===//
//
// Convolutions and pools of volumes read slices as a batch of images, and give such. What stands between them goes
// on with that batch, instead of splitting it and joining it again.
//
//===----------------------------------------------------------------------===//

#include "Layout/LeadingAxes.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

// A reshape that makes two axes of the first one of a tensor of rank 4, or one of its own that could: its first axis is
// one element.
static bool splitsFirst(ReshapeOp op) {
  if (!op)
    return false;
  ArrayRef<int64_t> source = shapeOf(op.getOperandA()), target = op.getShape();
  if (target.size() != 5)
    return false;
  return (source.size() == 4 && source.drop_front() == target.drop_front(2)) || (target[0] == 1 && op->hasOneUse());
}

namespace {
/// f(reshape(x), reshape(y)) of rank 5 is reshape(f(x, y)) of rank 4, where the reshapes split the first axis alike and
/// `f` is elementwise, or a concatenation of other axes.
struct SplitBehind : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!splitsFirst(op))
      return failure();
    for (Operation *user : op->getUsers())
      if (succeeded(sink(user, op.getShape().take_front(2), rewriter)))
        return success();
    return failure();
  }

private:
  static bool mayMove(Operation *op) {
    if (auto concatenate = dyn_cast<ConcatenateOp>(op))
      return fromFront(concatenate.getAxis(), 5) >= 2;
    return isElementwise(op);
  }

  // `operand` as the op on rank 4 reads it: its shape, none where it cannot.
  static std::optional<SmallVector<int64_t>> joined(Value operand, ArrayRef<int64_t> leading, int64_t most) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    SmallVector<int64_t> result(shape);
    if (shape.size() <= 3)
      return result;
    bool isAlike = shape.size() == 5 && shape.take_front(2) == leading;
    bool isForAll = shape.size() == 5 && shape[0] == 1 && (shape[1] == 1 || leading[0] == 1);
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    bool isSmall = tensorType(operand).getNumElements() < most;
    if ((!isAlike && !isForAll) || !(isSmall || splitsFirst(reshape)))
      return std::nullopt;
    result.erase(result.begin());
    result[0] = shape[0] * shape[1];
    return result;
  }

  static LogicalResult sink(Operation *op, ArrayRef<int64_t> leading, PatternRewriter &rewriter) {
    if (op->getNumResults() != 1 || tensorType(op->getResult(0)).getRank() != 5 ||
        shapeOf(op->getResult(0)).take_front(2) != leading || !mayMove(op))
      return failure();
    SmallVector<int64_t> whole(shapeOf(op->getResult(0))), result(whole.begin() + 1, whole.end());
    result[0] = leading[0] * leading[1];
    SmallVector<SmallVector<int64_t>> shapes;
    bool goes = false;
    for (Value operand : op->getOperands()) {
      auto shape = joined(operand, leading, isa<ConcatenateOp>(op) ? 0 : tensorType(op->getResult(0)).getNumElements());
      if (!shape)
        return failure();
      shapes.push_back(*shape);
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      goes |= splitsFirst(reshape) && llvm::all_of(reshape->getUsers(), [op](Operation *user) { return user == op; });
    }
    if (!goes)
      return failure();
    rewriter.setInsertionPoint(op);
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [operand, shape] : llvm::zip_equal(op->getOpOperands(), shapes)) {
        if (shapeOf(operand.get()) == ArrayRef(shape))
          continue;
        // What a reshape reads, so that no reshape is left between that others would move the op back to.
        Value source = operand.get();
        if (auto reshape = source.getDefiningOp<ReshapeOp>())
          source = reshape.getOperandA();
        RankedTensorType type = tensorType(source).clone(shape);
        if (source.getType() == type)
          takeTrace(source, operand.get());
        else
          source = ReshapeOp::create(rewriter, withoutTrace(op->getLoc()), type, source, shape);
        operand.set(source);
      }
      if (auto concatenate = dyn_cast<ConcatenateOp>(op))
        concatenate.setAxis(fromFront(concatenate.getAxis(), 5) - 5);
    });
    moveReshapeBehind(op, result, rewriter);
    return success();
  }
};
} // namespace

void forge::moveReshapeBehind(Operation *op, ArrayRef<int64_t> shape, PatternRewriter &rewriter) {
  SmallVector<int64_t> whole(shapeOf(op->getResult(0)));
  rewriter.modifyOpInPlace(op, [&] { reshapeResult(op, shape); });
  rewriter.setInsertionPointAfter(op);
  auto behind = ReshapeOp::create(rewriter, withoutTrace(op->getLoc()), tensorType(op->getResult(0)).clone(whole),
                                  op->getResult(0), whole);
  rewriter.replaceAllUsesExcept(op->getResult(0), behind, behind);
}

void forge::addLeadingAxesPatterns(RewritePatternSet &patterns) {
  patterns.addWithLabel<SplitBehind>({"splits-behind"}, patterns.getContext());
}
