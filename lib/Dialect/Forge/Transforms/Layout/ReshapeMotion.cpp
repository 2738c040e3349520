//===- ReshapeMotion.cpp - reshapes sunk past elementwise ops -------------===//
//
// f(reshape(x), w) is reshape(f(x, w)) if `f` is elementwise, and `w` broadcasts to x as it did to reshape(x)
// (IndexMap::broadcastShape). All users of the result read the new reshape, which gives the result its old shape, so
// that there are no conditions on users. Reshapes are sunk that are likely to need no kernel at their new place: a
// split of the leading axis, which a later reshape may undo (SinkSplit), or one of an image whose pixels a convolution
// reads as rows (SinkImage).
//
//===----------------------------------------------------------------------===//

#include "Layout/ChannelOrder.h"
#include "Layout/Regions.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"

using namespace mlir;
using namespace forge;

// Sinks reshapes across `op`, which then computes a result of `shape` from operands of `operandShapes`. Its users read
// the result reshaped to its old shape. The caller has checked that `op` computes the same elements.
static void sinkReshapes(Operation *op, ArrayRef<int64_t> shape, ArrayRef<Shape> operandShapes,
                         PatternRewriter &rewriter) {
  Location loc = withoutTrace(op->getLoc());
  Value result = op->getResult(0);
  Shape old(shapeOf(result));
  rewriter.setInsertionPoint(op);
  rewriter.modifyOpInPlace(op, [&] {
    for (auto [operand, operandShape] : llvm::zip_equal(op->getOpOperands(), operandShapes))
      // If the operand is itself a reshape, withShape() reshapes the operand of that reshape instead. Otherwise there
      // would be a reshape of a reshape, which a pattern could sink again, and undo this rewrite.
      if (shapeOf(operand.get()) != ArrayRef(operandShape))
        operand.set(withShape(rewriter, loc, operand.get(), operandShape));
    reshapeResult(op, shape);
  });
  rewriter.setInsertionPointAfter(op);
  auto after = ReshapeOp::create(rewriter, loc, result, old);
  rewriter.replaceAllUsesExcept(result, after, after);
}

// `shape`, of rank 5, with the two leading axes merged: [2, 3, C, H, W] becomes [6, C, H, W].
static Shape mergeLeading(ArrayRef<int64_t> shape) {
  Shape merged(shape.drop_front());
  merged[0] *= shape[0];
  return merged;
}

// Whether SinkSplit may sink `op`, which may be null: a reshape to rank 5 that splits the leading axis of a tensor of
// rank 4 in two, or a reshape of any tensor to [1, ...]. Of the latter, a reshape to rank 4 remains before the user,
// which is no additional op if there is no other user.
static bool splitsLeading(ReshapeOp op) {
  if (!op || op.getType().getRank() != 5)
    return false;
  return shapeOf(op.getOperandA()) == ArrayRef(mergeLeading(op.getShape())) ||
         (op.getShape()[0] == 1 && op->hasOneUse());
}

namespace {
/// Rewrites f(reshape(x), reshape(y)) to reshape(f(x, y)), where the reshapes split the leading axis of tensors of rank
/// 4 in the same way, [N * D, H, W, C] to [N, D, H, W, C], and `f` is elementwise or a concatenation along another
/// axis. Convolutions and pools of volumes are computed on their D slices as a batch of images. The ops between them
/// are then computed on that batch too.
struct SinkSplit : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!splitsLeading(op))
      return failure();
    for (Operation *user : op->getUsers())
      if (succeeded(sink(user, op.getShape().take_front(2), rewriter)))
        return success();
    return failure();
  }

private:
  // Computes `op`, a user of a reshape to [`leading`, ...], on tensors of rank 4 whose leading axis is not split. Legal
  // if `op` is elementwise, or a concatenation along another axis. Fails if a large operand would get a new reshape, or
  // if no existing one would become dead.
  static LogicalResult sink(Operation *op, ArrayRef<int64_t> leading, PatternRewriter &rewriter) {
    auto concatenate = dyn_cast<ConcatenateOp>(op);
    bool mayMove = concatenate ? fromFront(concatenate.getAxis(), 5) >= 2 : isElementwise(op);
    if (!mayMove || op->getNumResults() != 1 || tensorType(op->getResult(0)).getRank() != 5 ||
        shapeOf(op->getResult(0)).take_front(2) != leading)
      return failure();
    ArrayRef<int64_t> whole = shapeOf(op->getResult(0));
    SmallVector<Shape> shapes;
    bool removesReshape = false;
    for (Value operand : op->getOperands()) {
      // Operands of an elementwise op broadcast to the shape of the result.
      ArrayRef<int64_t> target = concatenate ? shapeOf(operand) : whole;
      std::optional<Shape> shape = IndexMap::broadcastShape(shapeOf(operand), target, mergeLeading(target));
      if (!shape)
        return failure();
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      // An operand that is broadcast may get a reshape, because that moves few elements.
      bool isReshaped = splitsLeading(reshape);
      bool isBroadcast = tensorType(operand).getNumElements() < ShapedType::getNumElements(target);
      if (!isReshaped && !isBroadcast && shapeOf(operand) != ArrayRef(*shape))
        return failure();
      shapes.push_back(*shape);
      removesReshape |= isReshaped && llvm::all_of(reshape->getUsers(), [op](Operation *user) { return user == op; });
    }
    if (!removesReshape)
      return failure();
    if (concatenate)
      rewriter.modifyOpInPlace(op, [&] { concatenate.setAxis(fromFront(concatenate.getAxis(), 5) - 5); });
    sinkReshapes(op, mergeLeading(whole), shapes, rewriter);
    return success();
  }
};
} // namespace

// Whether `op`, which may be null, reshapes [N, H * W, C] to [N, H, W, C].
static bool makesImage(ReshapeOp op) {
  if (!op || isWeight(op))
    return false;
  ArrayRef<int64_t> rows = shapeOf(op.getOperandA()), image = op.getShape();
  return rows.size() == 3 && image.size() == 4 && rows.front() == image.front() && rows.back() == image.back();
}

// Whether the reshape that computes `value` becomes dead once it is sunk across `op`: there are no other users; or, in
// value * sigmoid(value), `op` is the sigmoid, and the reshape is sunk across the product next.
static bool becomesDeadIfSunk(Value value, Operation *op) {
  Operation *product = isa<SigmoidOp>(op) && op->hasOneUse() ? *op->user_begin() : nullptr;
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return user == op || (user == product && isa<MultiplyOp>(user)); });
}

namespace {
/// Rewrites f(reshape(x), w) to reshape(f(x, w)), where f is elementwise, the reshape is one of rows of pixels to an
/// image, and `w` is a weight, a single element or another such image. Sunk up to a convolution, which reads rows of
/// pixels, the reshape needs no kernel. No large tensor gets a new reshape at run time: reshapes to images become dead
/// (becomesDeadIfSunk), and those of weights are evaluated when the program is compiled.
struct SinkImage : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!makesImage(op) || op->use_empty())
      return failure();
    // The first user in the program. In value * sigmoid(value), this is the sigmoid.
    Operation *user = *llvm::min_element(op->getUsers(), isBefore);
    ArrayRef<int64_t> image = op.getShape(), rows = shapeOf(op.getOperandA());
    if (!isElementwise(user) || !becomesDeadIfSunk(op, user) || user->getNumResults() != 1 ||
        shapeOf(user->getResult(0)) != image)
      return failure();
    SmallVector<Shape> shapes;
    for (Value operand : user->getOperands()) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      bool isFree = makesImage(reshape) ? becomesDeadIfSunk(reshape, user)
                                        : isWeight(operand) || tensorType(operand).getNumElements() == 1;
      std::optional<Shape> shape = isFree ? IndexMap::broadcastShape(shapeOf(operand), image, rows) : std::nullopt;
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    sinkReshapes(user, Shape(rows), shapes, rewriter);
    return success();
  }
};
} // namespace

void forge::populateReshapeMotion(RewritePatternSet &patterns) {
  patterns.addWithLabel<SinkSplit>({"splits-sunk"}, patterns.getContext());
  patterns.addWithLabel<SinkImage>({"images-sunk"}, patterns.getContext());
}
