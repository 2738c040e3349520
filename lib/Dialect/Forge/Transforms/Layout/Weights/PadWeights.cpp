//===- PadWeights.cpp - heads padded to whole tiles in the weights --------===//
//
// A weight [K, n * D] becomes [K, n * D'] with zero columns after each head, and the weight that reads the heads gets
// zero rows. This is legal if all ops in between keep the zeros (PaddedRegion); results are equal for finite
// activations. It pays if whole tiles move then, and this saves more tiles than are added to the weights.
//
//===----------------------------------------------------------------------===//

#include "Layout/Rewrites.h"
#include "Layout/Weights/PaddedRegion.h"
#include "Layout/Weights/Projection.h"

#include <numeric>

using namespace mlir;
using namespace forge;

// The size of a head: the trailing axis of a reshape that splits the trailing axis of the projection or of its slices;
// without such a reshape, the greatest common divisor of the bounds of all slices. 0 if there is no such size.
static int64_t headSize(const Projection &projection) {
  auto splitSize = [](Value value) -> int64_t {
    for (Operation *user : value.getUsers())
      if (auto reshape = dyn_cast<ReshapeOp>(user))
        if (int64_t size = reshape.getType().getRank() > 0 ? reshape.getType().getShape().back() : 0;
            size > 0 && size < shapeOf(value).back() && shapeOf(value).back() % size == 0)
          return size;
    return 0;
  };
  if (int64_t size = splitSize(projection.result))
    return size;
  int64_t common = 0;
  for (const AxisSlice &slice : projection.slices())
    common = std::gcd(std::gcd(common, slice.range.begin), slice.range.length());
  for (Operation *user : projection.result.getUsers())
    if (isa<StridedSliceOp>(user))
      if (int64_t size = splitSize(user->getResult(0)); size > 0)
        return common % size == 0 ? size : 0;
  return common;
}

// Pads each head to whole tiles if the weights do not grow too much, and the region and the weights then have fewer
// tiles.
static void padWeight(Projection projection, const RewriteContext &context) {
  int64_t block = headSize(projection), features = projection.features();
  if (block < 1 || features % block != 0 || block % kTile == 0)
    return;
  int64_t padded = llvm::divideCeil(block, kTile) * kTile;
  if (static_cast<double>(padded) > context.maxWeightGrowth * static_cast<double>(block))
    return;
  PaddedRegion region(projection.result, block, padded);
  if (!region.grow() || !region.endsInMatmul())
    return;
  RankedTensorType weight = tensorType(projection.product.weights->get());
  RankedTensorType larger = weight.clone({weight.getDimSize(0), features / block * padded});
  std::optional<int64_t> before = region.traffic(context.layout, false), after = region.traffic(context.layout, true);
  std::optional<int64_t> old = context.layout.tiles(weight), grown = context.layout.tiles(larger);
  if (!before || !after || !old || !grown)
    return;
  if (!context.mayRewrite(projection.product.op(), "pad-weights",
                          "heads of " + Twine(block) + " padded to " + Twine(padded) + " with zeros in the weights",
                          *before + *old, *after + *grown))
    return;
  OpBuilder builder(projection.result.getContext());
  builder.setInsertionPointAfterValue(projection.result);
  region.rewrite(projection.build(builder, {0, 0, features, block, padded}));
}

void forge::padWeights(func::FuncOp func, const RewriteContext &context) {
  SmallVector<MatmulOp> matmuls;
  func.walk([&](MatmulOp op) { matmuls.push_back(op); });
  for (MatmulOp op : matmuls)
    // A product without users was replaced by an earlier rewrite.
    if (std::optional<Projection> projection = op->use_empty() ? std::nullopt : Projection::of(op))
      padWeight(*projection, context);
}
