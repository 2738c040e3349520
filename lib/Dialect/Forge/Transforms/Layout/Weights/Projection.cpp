//===- Projection.cpp - projections, and parts of their weights -----------===//
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Layout/Weights/Projection.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

// A slice of the axis, and then, if blocks are padded, zeros before and after each block. For 3 blocks of 8 columns:
// [K, 24] -> reshape [K, 3, 8] -> pad [K, 3, 32] -> reshape [K, 96].
Value forge::deriveWeight(OpBuilder &b, Value weight, WeightPart part) {
  Location loc = withoutTrace(weight.getLoc());
  Value elements = weight;
  if (part.begin != 0 || part.end != shapeOf(weight)[part.axis])
    elements = IndexOp::create(b, loc, weight, part.axis, part.begin, part.end, int64_t(1));
  if (part.block == part.padded)
    return elements;
  SmallVector<int64_t> shape(shapeOf(elements)), blocks(shape);
  blocks[part.axis] /= part.block;
  blocks.insert(blocks.begin() + part.axis + 1, part.block);
  shape[part.axis] = part.size();
  Value paddedBlocks = padded(b, loc, reshaped(b, loc, elements, blocks), part.axis + 1, part.offset,
                              part.padded - part.offset - part.block, 0);
  return reshaped(b, loc, paddedBlocks, shape);
}

// Includes the addition of a bias and the reshape, if there are any. The bias must be a weight per column
// (mayReplaceBias), because parts of it are added to parts of the columns. The product of a vector is left out:
// --forge-device-forms will put reshapes around it, which the estimates of rewrites do not count.
std::optional<Projection> Projection::of(MatmulOp matmul) {
  Value result = matmul; // The last value so far: of the product, then of the sum, then of the reshape.
  auto onlyUser = [&] { return result.hasOneUse() ? *result.user_begin() : nullptr; };
  std::optional<WeightProduct> product;
  if (auto sum = dyn_cast_or_null<AddOp>(onlyUser()))
    product = WeightProduct::withSum(sum);
  // withSum() may match another product, to which the sum adds `matmul`.
  if (product && product->op() == matmul && product->mayReplaceBias())
    result = product->sum;
  else
    product = WeightProduct::of(result);
  if (!product || !product->mayReplaceBias() || tensorType(result).getRank() < 2)
    return std::nullopt;
  auto reshape = dyn_cast_or_null<ReshapeOp>(onlyUser());
  if (reshape && reshape.getType().getRank() > 0 && reshape.getShape().back() == shapeOf(result).back())
    result = reshape;
  else
    reshape = {};
  return Projection{*product, reshape, result};
}

// The product and the sum with parts of their weights, and then the reshape with the smaller trailing axis.
Value Projection::build(OpBuilder &b, WeightPart part) const {
  Value value = withColumns(b, product, [&](Value weight, int64_t axis) {
    part.axis = axis;
    return deriveWeight(b, weight, part);
  });
  if (!reshape)
    return value;
  SmallVector<int64_t> shape(shapeOf(result));
  shape.back() = part.size();
  return reshaped(b, withoutTrace(result.getLoc()), value, shape);
}

// Empty if any user is something else than a contiguous slice of the trailing axis.
SmallVector<AxisSlice> Projection::slices() const {
  SmallVector<AxisSlice> slices;
  for (Operation *user : result.getUsers()) {
    std::optional<AxisSlice> slice = isa<StridedSliceOp>(user) ? AxisSlice::of(user->getResult(0)) : std::nullopt;
    if (!slice || slice->axis != tensorType(result).getRank() - 1 || !slice->isContiguous())
      return {};
    slices.push_back(*slice);
  }
  return slices;
}
