//===- PixelRows.cpp - images between convolutions as rows of pixels ------===//
//
// The device computes convolutions and pools of an image [N, H, W, C] on its pixels as rows, [N, 1, H * W, C], and pads
// the two trailing axes of each tensor to whole tiles. An op that computes each pixel independently can run on rows as
// well: each of its operands has the same pixels, or broadcasts to the rows as it did to the image
// (IndexMap::broadcastShape).
//
// Such ops that are connected are a region, which is rewritten as a whole if the device then moves less. Users outside
// of the region get a reshape of the rows to the image, so that the rewrite is legal whatever the users are.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "DeadOps.h"
#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/TrialCopy.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEPIXELROWSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

//===----------------------------------------------------------------------===//
// Ops on pixels
//===----------------------------------------------------------------------===//

static RankedTensorType rowsType(Value image) { return tensorType(image).clone(pixelRows(shapeOf(image))); }

static bool hasPixelsOf(Value value, ArrayRef<int64_t> image) {
  return tensorType(value).getRank() == 4 && shapeOf(value).drop_back() == image.drop_back();
}

// The shape that operand `number` of `op`, which is no image, must have if `op` computes on rows; none if `op` cannot.
static std::optional<Shape> shapeOnRows(Operation *op, unsigned number) {
  Value operand = op->getOperand(number), result = op->getResult(0);
  Shape shapeNow(shapeOf(operand)), image(shapeOf(result));
  // The left operand of a product has to be an image, and the right one a matrix for all pixels.
  if (isa<MatmulOp>(op) && number < 2)
    return number == 1 && shapeNow.size() == 2 ? std::optional(shapeNow) : std::nullopt;
  if (!isElementwise(op) && !isa<MatmulOp>(op))
    return std::nullopt;
  std::optional<Shape> shape = IndexMap::broadcastShape(shapeNow, image, pixelRows(image));
  // Only the reshape of a weight is free.
  return shape && (*shape == shapeNow || isWeight(operand)) ? shape : std::nullopt;
}

// Whether `op` computes each pixel of its result from the same pixel of its operands, at least one of which is an
// image.
static bool isOnPixels(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || isa<ReshapeOp>(op))
    return false;
  Value result = op->getResult(0);
  if (tensorType(result).getRank() != 4 || tensorType(result).getNumElements() == 0 || isWeight(result))
    return false;
  ArrayRef<int64_t> image = shapeOf(result);
  if (image[1] == 1)
    return false;
  auto isSameAlong = [&](unsigned number, int64_t axis) {
    return llvm::is_contained(operandAxes(op, number, axis), axis);
  };
  bool readsImage = false;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isImage = hasPixelsOf(operand.get(), image) && !isWeight(operand.get());
    if (!isImage && !shapeOnRows(op, number))
      return false;
    if (isImage && !(isSameAlong(number, -4) && isSameAlong(number, -3) && isSameAlong(number, -2)))
      return false;
    readsImage |= isImage;
  }
  return readsImage;
}

// If `op` is the first of two successive means over the spatial axes of an image, the second one; else null.
static ReduceAvgOp meanOfImage(Operation *op) {
  auto inner = dyn_cast<ReduceAvgOp>(op);
  auto outer = inner && inner->hasOneUse() ? dyn_cast<ReduceAvgOp>(*inner->user_begin()) : ReduceAvgOp();
  bool isMean =
      outer && inner.getType().getRank() == 4 && inner.getKeepDim() && outer.getKeepDim() &&
      std::minmax({fromFront(inner.getDim(), 4), fromFront(outer.getDim(), 4)}) == std::pair<int64_t, int64_t>(1, 2);
  return isMean ? outer : ReduceAvgOp();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
/// Connected ops on pixels: each one uses the result of another one, or is used by it.
class PixelRegion {
public:
  void add(Operation *op) { ops.insert(op); }
  Operation *first() const { return ops.front(); }
  /// Whether computing on rows of pixels costs less than on images.
  bool isCheaperOnRows() const;
  void rewrite() const;

private:
  SmallVector<Value> images(Operation *op) const;
  bool isChain() const;
  Value onRows(OpBuilder &builder, Value image) const;

  llvm::SetVector<Operation *> ops;
};
} // namespace

// The images that `op` reads, and its result.
SmallVector<Value> PixelRegion::images(Operation *op) const {
  SmallVector<Value> values;
  for (Value value : op->getOperands())
    if (hasPixelsOf(value, shapeOf(op->getResult(0))) && !isWeight(value))
      values.push_back(value);
  values.push_back(op->getResult(0));
  return values;
}

// Whether the region is a chain of unary functions in which each value has one use. The device's compiler itself moves
// reshapes across such functions.
bool PixelRegion::isChain() const {
  return llvm::all_of(ops, [&](Operation *op) {
    return isElementwise(op) && images(op).size() == 2 &&
           llvm::all_of(images(op), [](Value value) { return value.hasOneUse(); });
  });
}

bool PixelRegion::isCheaperOnRows() const {
  if (isChain())
    return false;
  TrialCopy copy(ops.getArrayRef());
  PixelRegion copied;
  for (Operation *op : ops)
    copied.add(copy.of(op));
  copied.rewrite();
  // Times, not numbers of calls, because a reshape that the device's compiler removes is still a call.
  OpCost asImages, asRows;
  asImages.time = copy.costBefore().time;
  asRows.time = copy.costAfter().time;
  return pays(asImages, asRows);
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

// `image`, an operand that is computed outside of the region, reshaped to rows of pixels.
Value PixelRegion::onRows(OpBuilder &builder, Value image) const {
  RankedTensorType type = rowsType(image);
  Value source = image;
  if (auto reshape = image.getDefiningOp<ReshapeOp>())
    source = reshape.getOperandA();
  if (source.getType() == type) {
    takeTrace(source, image);
    return source;
  }
  builder.setInsertionPointAfterValue(image);
  return ReshapeOp::create(builder, withoutTrace(image.getLoc()), type, source, type.getShape());
}

void PixelRegion::rewrite() const {
  OpBuilder builder(first()->getContext());
  llvm::DenseMap<Value, Value> rows;
  for (Operation *op : ops) {
    Shape image(shapeOf(op->getResult(0)));
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      // Results of ops of the region become rows below.
      if (ops.contains(value.getDefiningOp()))
        continue;
      if (hasPixelsOf(value, image) && !isWeight(value)) {
        Value &asRows = rows[value];
        asRows = asRows ? asRows : onRows(builder, value);
        operand.set(asRows);
      } else if (Shape shape = *shapeOnRows(op, operand.getOperandNumber()); shapeOf(value) != ArrayRef(shape)) {
        builder.setInsertionPoint(op);
        RankedTensorType type = tensorType(value).clone(shape);
        operand.set(ReshapeOp::create(builder, withoutTrace(op->getLoc()), type, value, shape));
      }
    }
  }
  for (Operation *op : ops) {
    Value result = op->getResult(0);
    Shape image(shapeOf(result));
    reshapeResult(op, pixelRows(image));
    builder.setInsertionPointAfter(op);
    Value asImage;
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      if (ops.contains(use.getOwner()))
        continue;
      if (ReduceAvgOp mean = meanOfImage(use.getOwner())) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(mean);
        // One mean over the rows is the mean of both spatial axes.
        Value rowsMean =
            ReduceAvgOp::create(builder, mean.getLoc(), mean.getType(), result, int64_t(-2), /*keep_dim=*/true);
        mean.getResult().replaceAllUsesWith(rowsMean);
        continue;
      }
      // A reshape of the image is one of the rows.
      if (auto reshape = dyn_cast<ReshapeOp>(use.getOwner())) {
        if (reshape.getType() == result.getType()) {
          takeTrace(result, reshape);
          reshape.getResult().replaceAllUsesWith(result);
        }
        continue;
      }
      if (!asImage)
        asImage =
            ReshapeOp::create(builder, withoutTrace(op->getLoc()), tensorType(result).clone(image), result, image);
      use.set(asImage);
    }
  }
}

namespace {
struct ForgePixelRowsPass : forge::impl::ForgePixelRowsPassBase<ForgePixelRowsPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    for (const PixelRegion &region : regionsOf(func.front()))
      if (region.isCheaperOnRows() && mayRewrite(region.first(), "images-as-rows"))
        region.rewrite();
    eraseDeadOps(func.front());
  }

private:
  // The connected components of the ops on pixels.
  static std::vector<PixelRegion> regionsOf(Block &block) {
    llvm::EquivalenceClasses<Operation *> connected;
    llvm::SmallVector<Operation *> ops;
    for (Operation &op : block) {
      if (!isOnPixels(&op))
        continue;
      ops.push_back(&op);
      connected.insert(&op);
      for (Value operand : op.getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && hasPixelsOf(operand, shapeOf(op.getResult(0))) && connected.contains(producer))
          connected.unionSets(&op, producer);
    }
    llvm::MapVector<Operation *, PixelRegion> regions;
    for (Operation *op : ops)
      regions[connected.getLeaderValue(op)].add(op);
    std::vector<PixelRegion> found;
    for (auto &[leader, region] : regions)
      found.push_back(std::move(region));
    return found;
  }
};
} // namespace
