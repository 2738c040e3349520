//===- PixelRows.cpp - pixels as rows of channels -------------------------===//

#include "Layout/PixelRows.h"

#include "Fusion/Scaling.h"
#include "Layout/LeadingAxes.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

static bool makesImage(ReshapeOp op) {
  if (!op || isWeight(op))
    return false;
  ArrayRef<int64_t> rows = shapeOf(op.getOperandA()), image = op.getShape();
  return rows.size() == 3 && image.size() == 4 && rows.front() == image.front() && rows.back() == image.back();
}

// Whether nothing but `op` reads `value`, or else x * sigmoid(x), of which `op` is the sigmoid.
static bool isReadBy(Value value, Operation *op) {
  Operation *activated = isa<SigmoidOp>(op) && op->hasOneUse() ? *op->user_begin() : nullptr;
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return user == op || (user == activated && isa<MultiplyOp>(user)); });
}

namespace {
/// f(reshape(x), w) is reshape(f(x, w)), where `w` has an element per channel or one for all, and so is
/// f(reshape(x), reshape(y)).
struct ImageBehind : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!makesImage(op) || op->use_empty())
      return failure();
    // The first of several that read it.
    Operation *user = *op->user_begin();
    for (Operation *other : op->getUsers())
      if (other->isBeforeInBlock(user))
        user = other;
    return isElementwise(user) && isReadBy(op, user) ? sink(user, op, rewriter) : failure();
  }

private:
  // `operand` as an op on rows reads it: its shape, none where it cannot.
  static std::optional<SmallVector<int64_t>> asRows(Value operand, ArrayRef<int64_t> image, Operation *reader) {
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    if (makesImage(reshape) && reshape.getShape() == image)
      return isReadBy(reshape, reader) ? std::optional(SmallVector<int64_t>(shapeOf(reshape.getOperandA())))
                                       : std::nullopt;
    ArrayRef<int64_t> shape = shapeOf(operand);
    if (tensorType(operand).getNumElements() == 1 && shape.size() <= 3)
      return SmallVector<int64_t>(shape);
    bool isPerChannel = !shape.empty() && llvm::all_of(shape.drop_back(), [](int64_t size) { return size == 1; });
    if (!isWeight(operand) || !isPerChannel)
      return std::nullopt;
    return SmallVector<int64_t>{1, 1, shape.back()};
  }

  static LogicalResult sink(Operation *op, ReshapeOp like, PatternRewriter &rewriter) {
    SmallVector<int64_t> image(like.getShape()), rows(shapeOf(like.getOperandA()));
    if (op->getNumResults() != 1 || shapeOf(op->getResult(0)) != ArrayRef(image))
      return failure();
    SmallVector<SmallVector<int64_t>> shapes;
    for (Value operand : op->getOperands()) {
      auto shape = asRows(operand, image, op);
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    rewriter.setInsertionPoint(op);
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [operand, shape] : llvm::zip_equal(op->getOpOperands(), shapes)) {
        Value source = operand.get();
        if (auto reshape = source.getDefiningOp<ReshapeOp>(); makesImage(reshape)) {
          takeTrace(reshape.getOperandA(), source);
          source = reshape.getOperandA();
        } else {
          source = reshaped(rewriter, withoutTrace(op->getLoc()), source, shape);
        }
        operand.set(source);
      }
    });
    moveReshapeBehind(op, rows, rewriter);
    return success();
  }
};
} // namespace

void forge::addPixelRowPatterns(RewritePatternSet &patterns) {
  patterns.addWithLabel<ImageBehind>({"images-behind"}, patterns.getContext());
}
