//===- AxisSlice.cpp - slices of one axis ---------------------------------===//

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

using namespace mlir;
using namespace forge;

std::optional<AxisSlice> AxisSlice::of(Value value) {
  if (auto index = value.getDefiningOp<IndexOp>()) {
    SliceRange range = SliceRange{index.getStart(), index.getStop(), index.getStride()}.normalized();
    return AxisSlice{index.getOperandA(), fromFront(index.getDim(), index.getType().getRank()), toSpec(range)};
  }
  auto slice = value.getDefiningOp<StridedSliceOp>();
  if (!slice || slice.getAxes().size() != 1 || slice.getStrides()[0] < 1 || slice.getType().getNumElements() == 0)
    return std::nullopt;
  auto [axis, range] = slice.getRanges().front();
  return AxisSlice{slice.getOperandA(), axis, toSpec(range)};
}

SmallVector<int64_t> AxisSlice::shape() const {
  SmallVector<int64_t> shape(shapeOf(source));
  shape[axis] = range.length();
  return shape;
}

Value AxisSlice::build(OpBuilder &builder, Location loc) const {
  if (coversAxis())
    return source;
  return StridedSliceOp::create(builder, loc, tensorType(source).clone(shape()), source, ArrayRef(axis),
                                ArrayRef(range.begin), ArrayRef(range.end), ArrayRef(range.step));
}

bool forge::areAllSlicesOf(Value value, int64_t axis) {
  // Called for each slice of the value: the limit keeps the total time linear.
  constexpr unsigned kMost = 64;
  if (llvm::hasNItemsOrMore(value.getUsers(), kMost + 1))
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    std::optional<AxisSlice> slice =
        isa<StridedSliceOp, IndexOp>(user) ? AxisSlice::of(user->getResult(0)) : std::nullopt;
    return slice && slice->axis == axis;
  });
}
