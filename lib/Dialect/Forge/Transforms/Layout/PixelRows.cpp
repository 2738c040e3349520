//===- PixelRows.cpp - images between convolutions as rows of pixels ------===//
//
// The device computes convolutions and pools of an image [N, H, W, C] on its pixels as rows, [N, 1, H * W, C], and pads
// the two trailing axes of each tensor to whole tiles. An op that computes each pixel independently can run on rows as
// well: each of its operands has the same pixels, or broadcasts to the rows as it did to the image
// (IndexMap::broadcastShape):
//
//     add(%x, %y) : [N, H, W, C]  ->  reshape [N, H, W, C] of add(reshape(%x), reshape(%y)) : [N, 1, H * W, C]
//
// Likewise, matrices of one row each, [B, 1, C], are one matrix, [1, B, C]. In this file, they are an image, too.
// Matrices of several rows stay as they are: passes for attention match them (HeadRows.cpp).
//
// Such ops that are connected are a region, which is rewritten as a whole if the device then moves less. Users outside
// of the region get a reshape of the rows to the image, so that the rewrite is legal whatever the users are.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Analysis/PixelRows.h"
#include "Casts.h"
#include "DeadOps.h"
#include "Layout/Regions.h"
#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

#define GEN_PASS_DEF_FORGEPIXELROWSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Whether `value` is no weight and has the axes of `image`, of which there are 3 or 4; the channels may differ. It must
// have elements, because forge.reshape accepts no empty value.
static bool hasPixelsOf(Value value, ArrayRef<int64_t> image) {
  return (image.size() == 3 || image.size() == 4) && tensorType(value).getRank() == int64_t(image.size()) &&
         shapeOf(value).drop_back() == image.drop_back() && tensorType(value).getNumElements() > 0 && !isWeight(value);
}

// Whether a result of the shape `image` differs as rows: not if H = 1 in [N, H, W, C], or B = 1 in [B, 1, C], because
// it is rows already. Matrices of several rows, [B, R, C], are left out (see above).
static bool mayBecomeRows(ArrayRef<int64_t> image) {
  bool isRows = image[image.size() - 3] == 1, isBatchOfMatrices = image.size() == 3 && image[1] != 1;
  return !isRows && !isBatchOfMatrices;
}

// The rows of the pixels of an image, [N, 1, H * W, C], or of matrices of one row, [1, B, C].
static Shape rowsOf(ArrayRef<int64_t> image) {
  return image.size() == 4 ? pixelRows(image) : Shape{1, image[0], image[2]};
}

// For an operand of `op` that is no image, such as a bias: the shape to which it has to be reshaped so that `op` can
// compute rows of pixels. None if there is no such shape, or if the reshape would run on the device, because the
// operand is no weight.
static std::optional<Shape> shapeOnRows(Operation *op, unsigned number) {
  Value operand = op->getOperand(number), result = op->getResult(0);
  Shape current(shapeOf(operand)), image(shapeOf(result));
  // The left factor of a product has to be an image, and the right one a matrix for all pixels, which stays as it is.
  if (isa<MatmulOp>(op) && number < 2)
    return number == 1 && current.size() == 2 ? std::optional(current) : std::nullopt;
  // Elementwise ops, and the bias of a product.
  if (!isElementwise(op) && !isa<MatmulOp>(op))
    return std::nullopt;
  std::optional<Shape> shape = IndexMap::broadcastShape(current, image, rowsOf(image));
  return shape && (*shape == current || isWeight(operand)) ? shape : std::nullopt;
}

// Whether `op` can be computed on rows of pixels: it computes each pixel of an image from the same pixel of its
// operands, at least one of which is an image; the other ones have a shape for rows (shapeOnRows). Reshapes are no part
// of a region, because they can read rows instead of an image (reshapeResultOf).
static bool isOnPixels(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || isa<ReshapeOp>(op))
    return false;
  Value result = op->getResult(0);
  ArrayRef<int64_t> image = shapeOf(result);
  if (!hasPixelsOf(result, image) || !mayBecomeRows(image))
    return false;
  // Whether each axis of the result but the trailing one is that axis of the operand.
  auto keepsPixels = [&](unsigned number) {
    return llvm::all_of(llvm::seq<int64_t>(-int64_t(image.size()), -1),
                        [&](int64_t axis) { return llvm::is_contained(operandAxes(op, number, axis), axis); });
  };
  bool readsImage = false;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isImage = hasPixelsOf(operand.get(), image);
    if (isImage ? !keepsPixels(number) : !shapeOnRows(op, number))
      return false;
    readsImage |= isImage;
  }
  return readsImage;
}

namespace {
/// Connected ops on pixels.
class PixelRegion {
public:
  explicit PixelRegion(const ConnectedOps &ops) : ops(ops) {}

  /// Whether computing on rows of pixels takes less time than on images: tries it on a copy of the region.
  bool isFasterOnRows() const {
    return isFasterOnCopy(ops.getArrayRef(), [&](const TrialCopy &copy) {
      ConnectedOps copies;
      for (Operation *op : ops)
        copies.insert(copy.of(op));
      PixelRegion(copies).rewrite();
      return true;
    });
  }

  /// Makes all ops compute on rows of pixels. Values outside of the region keep their types.
  void rewrite() const {
    reshapeOperands();
    for (Operation *op : ops)
      reshapeResultOf(op);
  }

private:
  /// Reshapes the operands that are computed outside of the region: images to rows of pixels, once for all their uses
  /// in the region, and others so that they broadcast to these rows.
  void reshapeOperands() const {
    llvm::DenseMap<Value, Value> rows;
    for (Operation *op : ops) {
      Shape image(shapeOf(op->getResult(0)));
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        // Results of ops of the region become rows in reshapeResultOf().
        if (ops.contains(value.getDefiningOp()))
          continue;
        if (hasPixelsOf(value, image)) {
          auto [entry, isNew] = rows.try_emplace(value);
          if (isNew)
            entry->second = reshapedAfter(value, rowsOf(shapeOf(value)));
          operand.set(entry->second);
        } else {
          OpBuilder builder(op);
          Shape shape = *shapeOnRows(op, operand.getOperandNumber());
          operand.set(reshaped(builder, withoutTrace(op->getLoc()), value, shape));
        }
      }
    }
  }

  /// Makes `op` compute rows of pixels. Users outside of the region read a reshape of the rows to the image, except for
  /// two kinds, which can read the rows: a reshape, and the first of two means over H and W, [N, H, W, C] to
  /// [N, 1, 1, C], which become one mean over the axis of H * W pixels.
  void reshapeResultOf(Operation *op) const {
    Value result = op->getResult(0);
    Shape image(shapeOf(result));
    reshapeResult(op, rowsOf(image));
    auto needsImage = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return !ops.contains(user) && !outerSpatialMean(user) && !isa<ReshapeOp>(user);
    };
    reshapeUsers(result, image, needsImage);
    for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
      if (ops.contains(user))
        continue;
      if (ReduceAvgOp mean = outerSpatialMean(user)) {
        OpBuilder builder(mean);
        Value rowsMean =
            ReduceAvgOp::create(builder, mean.getLoc(), mean.getType(), result, int64_t(-2), /*keep_dim=*/true);
        mean.getResult().replaceAllUsesWith(rowsMean);
      }
    }
    dropReshapesToSameType(result);
  }

  const ConnectedOps &ops;
};

struct ForgePixelRowsPass : forge::impl::ForgePixelRowsPassBase<ForgePixelRowsPass>, ReportingPass {
  void runOnOperation() override {
    Block *block = deviceBlock(getOperation());
    if (!block)
      return;
    auto readsImage = [](OpOperand &use) { return hasPixelsOf(use.get(), shapeOf(use.getOwner()->getResult(0))); };
    for (const ConnectedOps &ops : connectedOps(*block, isOnPixels, readsImage))
      if (PixelRegion region(ops); region.isFasterOnRows() && mayRewrite(ops.front(), "images-as-rows"))
        region.rewrite();
    eraseDeadOps(*block);
  }
};
} // namespace
