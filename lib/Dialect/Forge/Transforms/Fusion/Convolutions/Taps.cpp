//===- Taps.cpp - windows of filters that become one ----------------------===//

#include "Fusion/Convolutions/Taps.h"

#include "forge/Dialect/Forge/IR/Constants.h"

using namespace mlir;
using namespace forge;

Taps Taps::of(Conv2dOp op, int64_t axis) {
  int64_t size = shapeOf(op.getWeights())[2 + axis], first = -op.getPadding()[axis];
  int64_t dilation = size == 1 ? 0 : op.getDilation()[axis];
  return {first, first + (size - 1) * dilation, dilation};
}

std::optional<Taps> Taps::join(Taps a, Taps b) {
  Taps both{std::min(a.first, b.first), std::max(a.last, b.last), std::max(a.dilation, b.dilation)};
  if (both.first == both.last)
    return both;
  // Two single taps at different places.
  if (both.dilation == 0)
    both.dilation = both.last - both.first;
  bool fits = llvm::all_of(ArrayRef{a, b}, [&](Taps each) {
    return (each.dilation == 0 || each.dilation == both.dilation) && (each.first - both.first) % both.dilation == 0;
  });
  return fits ? std::optional(both) : std::nullopt;
}

Value forge::concatenated(OpBuilder &b, Location loc, ArrayRef<Value> parts, int64_t axis) {
  if (parts.size() == 1)
    return parts.front();
  RankedTensorType type = tensorType(parts.front());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 0;
  for (Value part : parts)
    shape[axis] += shapeOf(part)[axis];
  return ConcatenateOp::create(b, loc, type.clone(shape), parts, axis - type.getRank());
}

Value forge::enlarged(OpBuilder &b, Location loc, Value filters, int64_t axis, Taps own, Taps all) {
  if (own.size() == all.size())
    return filters;
  SmallVector<Value, 3> parts;
  auto addZeros = [&](int64_t distance) {
    if (distance == 0)
      return;
    SmallVector<int64_t> shape(shapeOf(filters));
    shape[2 + axis] = distance / all.dilation;
    RankedTensorType type = tensorType(filters).clone(shape);
    parts.push_back(ConstantOp::create(b, loc, type, splatAttr(type, 0)));
  };
  addZeros(own.first - all.first);
  parts.push_back(filters);
  addZeros(all.last - own.last);
  return concatenated(b, loc, parts, 2 + axis);
}
