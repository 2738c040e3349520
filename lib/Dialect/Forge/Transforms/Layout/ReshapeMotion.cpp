//===- ReshapeMotion.cpp - reshapes sunk past elementwise ops -------------===//
//
// f(reshape(x), w) is reshape(f(x, w)) where `f` is elementwise, and `w` broadcasts to x as it did to reshape(x)
// (IndexMap::broadcastShape). The op computes on other shapes, and all that reads its result reads a reshape to the one
// that it had: nothing is asked of the readers. Which reshapes move is a choice: those that the next one undoes.
//
//===----------------------------------------------------------------------===//

#include "Layout/ReshapeMotion.h"

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// Makes `op` compute on `shape`, by reshaping its operands to `shapes`. Its users get a reshape to the shape that its
// result had.
static void computeOn(Operation *op, ArrayRef<int64_t> shape, ArrayRef<Shape> shapes, PatternRewriter &rewriter) {
  Location loc = withoutTrace(op->getLoc());
  rewriter.setInsertionPoint(op);
  rewriter.modifyOpInPlace(op, [&] {
    for (auto [operand, own] : llvm::zip_equal(op->getOpOperands(), shapes)) {
      if (shapeOf(operand.get()) == ArrayRef(own))
        continue;
      // Looks through a reshape of the operand: a remaining one would let a pattern undo this rewrite.
      Value source = operand.get();
      if (auto reshape = source.getDefiningOp<ReshapeOp>())
        source = reshape.getOperandA();
      RankedTensorType type = tensorType(source).clone(own);
      if (source.getType() == type)
        takeTrace(source, operand.get());
      else
        source = ReshapeOp::create(rewriter, loc, type, source, own);
      operand.set(source);
    }
  });
  Value result = op->getResult(0);
  Shape whole(shapeOf(result));
  rewriter.modifyOpInPlace(op, [&] { reshapeResult(op, shape); });
  rewriter.setInsertionPointAfter(op);
  auto after = ReshapeOp::create(rewriter, loc, tensorType(result).clone(whole), result, whole);
  rewriter.replaceAllUsesExcept(result, after, after);
}

//===----------------------------------------------------------------------===//
// Batches of slices
//===----------------------------------------------------------------------===//

// Convolutions and pools of volumes read slices as a batch of images, and give such. What is computed between them
// keeps that batch, instead of splitting it and joining it again.

// `shape`, of rank 5, with the first two axes as one.
static Shape joinedFirst(ArrayRef<int64_t> shape) {
  Shape joined(shape.drop_front());
  joined[0] *= shape[0];
  return joined;
}

// A reshape that makes two axes of the first one of a tensor of rank 4, or one of its own that could: its first axis is
// one element.
static bool splitsFirst(ReshapeOp op) {
  if (!op || op.getType().getRank() != 5)
    return false;
  return shapeOf(op.getOperandA()) == ArrayRef(joinedFirst(op.getShape())) ||
         (op.getShape()[0] == 1 && op->hasOneUse());
}

namespace {
/// f(reshape(x), reshape(y)) of rank 5 is reshape(f(x, y)) of rank 4, where the reshapes split the first axis alike and
/// `f` is elementwise, or a concatenation of other axes.
struct SinkSplit : OpRewritePattern<ReshapeOp> {
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
      // Each operand of a concatenation has a shape of its own.
      ArrayRef<int64_t> own = concatenate ? shapeOf(operand) : whole;
      std::optional<Shape> shape = IndexMap::broadcastShape(shapeOf(operand), own, joinedFirst(own));
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      bool isSmall =
          !concatenate && tensorType(operand).getNumElements() < tensorType(op->getResult(0)).getNumElements();
      if (!shape || !(isSmall || shapeOf(operand) == ArrayRef(*shape) || splitsFirst(reshape)))
        return failure();
      shapes.push_back(*shape);
      removesReshape |=
          splitsFirst(reshape) && llvm::all_of(reshape->getUsers(), [op](Operation *user) { return user == op; });
    }
    if (!removesReshape)
      return failure();
    if (concatenate)
      rewriter.modifyOpInPlace(op, [&] { concatenate.setAxis(fromFront(concatenate.getAxis(), 5) - 5); });
    computeOn(op, joinedFirst(whole), shapes, rewriter);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows of pixels
//===----------------------------------------------------------------------===//

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
/// f(reshape(x), w) is reshape(f(x, w)), where `w` is a weight, or another such image.
struct SinkImage : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!makesImage(op) || op->use_empty())
      return failure();
    // The first of several that read it.
    Operation *user = *op->user_begin();
    for (Operation *other : op->getUsers())
      if (other->isBeforeInBlock(user))
        user = other;
    ArrayRef<int64_t> image = op.getShape(), rows = shapeOf(op.getOperandA());
    if (!isElementwise(user) || !isReadBy(op, user) || user->getNumResults() != 1 ||
        shapeOf(user->getResult(0)) != image)
      return failure();
    SmallVector<Shape> shapes;
    for (Value operand : user->getOperands()) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      bool isFree = makesImage(reshape) ? isReadBy(reshape, user)
                                        : isWeight(operand) || tensorType(operand).getNumElements() == 1;
      std::optional<Shape> shape = isFree ? IndexMap::broadcastShape(shapeOf(operand), image, rows) : std::nullopt;
      if (!shape)
        return failure();
      shapes.push_back(*shape);
    }
    computeOn(user, Shape(rows), shapes, rewriter);
    return success();
  }
};
} // namespace

void forge::addLeadingAxesPatterns(RewritePatternSet &patterns) {
  patterns.addWithLabel<SinkSplit>({"splits-sunk"}, patterns.getContext());
}

void forge::addPixelRowPatterns(RewritePatternSet &patterns) {
  patterns.addWithLabel<SinkImage>({"images-sunk"}, patterns.getContext());
}
