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
#include "Layout/ConnectedOps.h"
#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/TrialCopy.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

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
  Shape current(shapeOf(operand)), image(shapeOf(result));
  // The left operand of a product has to be an image, and the right one a matrix for all pixels.
  if (isa<MatmulOp>(op) && number < 2)
    return number == 1 && current.size() == 2 ? std::optional(current) : std::nullopt;
  if (!isElementwise(op) && !isa<MatmulOp>(op))
    return std::nullopt;
  std::optional<Shape> shape = IndexMap::broadcastShape(current, image, pixelRows(image));
  // Only the reshape of a weight is free.
  return shape && (*shape == current || isWeight(operand)) ? shape : std::nullopt;
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

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
/// Connected ops on pixels.
class PixelRegion {
public:
  explicit PixelRegion(ConnectedOps ops) : ops(std::move(ops)) {}

  Operation *first() const { return ops.front(); }
  /// Whether computing on rows of pixels costs less than on images.
  bool isCheaperOnRows() const;
  void rewrite() const;

private:
  SmallVector<Value> images(Operation *op) const;
  bool isChain() const;
  Value onRows(OpBuilder &builder, Value image) const;
  void reshapeOperands(OpBuilder &builder) const;
  void reshapeResultOf(Operation *op, OpBuilder &builder) const;

  ConnectedOps ops;
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
  ConnectedOps copies;
  for (Operation *op : ops)
    copies.insert(copy.of(op));
  PixelRegion(std::move(copies)).rewrite();
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

// Reshapes the operands that are computed outside of the region: images to rows of pixels, and others so that they
// broadcast to these rows.
void PixelRegion::reshapeOperands(OpBuilder &builder) const {
  llvm::DenseMap<Value, Value> rows;
  for (Operation *op : ops) {
    Shape image(shapeOf(op->getResult(0)));
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      // Results of ops of the region become rows in reshapeResultOf().
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
}

// Makes `op` compute rows of pixels. Users outside of the region read a reshape of the rows to the image, except for
// two kinds, which can read the rows: a reshape, and two means over the spatial axes, which become one mean over the
// rows.
void PixelRegion::reshapeResultOf(Operation *op, OpBuilder &builder) const {
  Value result = op->getResult(0);
  Shape image(shapeOf(result));
  reshapeResult(op, pixelRows(image));
  Value asImage;
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    Operation *user = use.getOwner();
    if (ops.contains(user))
      continue;
    if (ReduceAvgOp mean = outerSpatialMean(user)) {
      builder.setInsertionPoint(mean);
      Value rowsMean =
          ReduceAvgOp::create(builder, mean.getLoc(), mean.getType(), result, int64_t(-2), /*keep_dim=*/true);
      mean.getResult().replaceAllUsesWith(rowsMean);
    } else if (auto reshape = dyn_cast<ReshapeOp>(user)) {
      if (reshape.getType() == result.getType()) {
        takeTrace(result, reshape);
        reshape.getResult().replaceAllUsesWith(result);
      }
    } else {
      builder.setInsertionPointAfter(op);
      if (!asImage)
        asImage =
            ReshapeOp::create(builder, withoutTrace(op->getLoc()), tensorType(result).clone(image), result, image);
      use.set(asImage);
    }
  }
}

void PixelRegion::rewrite() const {
  OpBuilder builder(first()->getContext());
  reshapeOperands(builder);
  for (Operation *op : ops)
    reshapeResultOf(op, builder);
}

namespace {
struct ForgePixelRowsPass : forge::impl::ForgePixelRowsPassBase<ForgePixelRowsPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    auto readsImage = [](OpOperand &use) { return hasPixelsOf(use.get(), shapeOf(use.getOwner()->getResult(0))); };
    for (ConnectedOps &ops : connectedOps(func.front(), isOnPixels, readsImage)) {
      PixelRegion region(std::move(ops));
      if (region.isCheaperOnRows() && mayRewrite(region.first(), "images-as-rows"))
        region.rewrite();
    }
    eraseDeadOps(func.front());
  }
};
} // namespace
