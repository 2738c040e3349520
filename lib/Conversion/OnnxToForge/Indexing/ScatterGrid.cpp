//===- ScatterGrid.cpp - ScatterND along a single axis --------------------===//
//
// Exporters write cache[:, :, positions] = new as a ScatterND: its index tuples enumerate the leading axes, with the
// positions as one component. It is equivalent to a ScatterElements along that axis.
//
//===----------------------------------------------------------------------===//

#include "Indexing.h"

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

Value forge::tupleComponent(ForgeBuilder &b, Value indices, int64_t component) {
  SmallVector<int64_t> grid(shapeOf(indices).drop_back());
  int64_t axis = grid.size();
  // A concatenation may have constant operands although it is not constant itself.
  if (auto joined = indices.getDefiningOp<ConcatenateOp>(); joined && fromFront(joined.getAxis(), axis + 1) == axis) {
    for (Value part : joined.getOperands()) {
      if (component < shapeOf(part).back())
        return tupleComponent(b, part, component);
      component -= shapeOf(part).back();
    }
  }
  return b.reshape(b.slice(indices, axis, component, component + 1), grid);
}

// The axis along which the elements of `known`, once wrapped, are 0, 1, ..., size - 1, while they are constant along
// all others.
static std::optional<int64_t> countedAxis(DenseElementsAttr known, int64_t size) {
  HostTensor values = HostTensor::fromAttr(known);
  for (auto [axis, extent] : llvm::enumerate(values.shape())) {
    if (extent != size)
      continue;
    bool counts = true;
    int64_t position = 0;
    forEachIndex(values.shape(), [&, axis = axis](ArrayRef<int64_t> index) {
      int64_t value = values.ints[position++];
      counts &= (value < 0 ? value + size : value) == index[axis];
    });
    if (counts)
      return axis;
  }
  return std::nullopt;
}

// Slices `value` to size 1 along those of `axes` along which its movement ops repeat elements.
static Value withoutRepeats(ForgeBuilder &b, Value value, ArrayRef<int64_t> axes) {
  SmallVector<Operation *> ops;
  Value source = value;
  for (Operation *op = source.getDefiningOp(); op && (isReshape(op) || isa<RepeatOp>(op));
       op = source.getDefiningOp()) {
    ops.push_back(op);
    source = op->getOperand(0);
  }
  if (ops.empty())
    return value;
  std::optional<IndexMap> map = IndexMap::of(ops);
  std::optional<SmallVector<IndexMap::Digits>> digits = map ? map->axes() : std::nullopt;
  if (!digits)
    return value;
  for (int64_t axis : axes)
    if (llvm::all_of((*digits)[axis], [](const IndexMap::Digit &digit) { return digit.stride == 0; }) &&
        !map->slice(AxisSliceRange{axis, {0, 1, 1}}))
      return value;
  // The result is a reshape of the source, or a slice of `value`.
  if (map->isReshapeOf(shapeOf(source)))
    return b.reshape(source, map->shape());
  for (int64_t axis : axes)
    if (map->shape()[axis] == 1)
      value = b.slice(value, axis, 0, 1);
  return value;
}

std::optional<ScatterAxis> forge::scatterAxis(ForgeBuilder &b, ArrayRef<int64_t> shape, Value indices, Value updates) {
  SmallVector<int64_t> grid(shapeOf(indices).drop_back());
  int64_t tuple = shapeOf(indices).back(), rank = shape.size();
  ScatterAxis found;
  SmallVector<int64_t> counted(tuple, -1), counting;
  for (int64_t i = 0; i < tuple; ++i) {
    Value component = tupleComponent(b, indices, i);
    DenseElementsAttr known = knownValue(component);
    if (!component)
      return std::nullopt;
    if (!known) {
      if (found.indices)
        return std::nullopt;
      found.axis = i;
      found.indices = component;
      continue;
    }
    // Each index must occur once along this axis: otherwise a slice would have the updates of several tuples.
    std::optional<int64_t> axis = countedAxis(known, shape[i]);
    if (!axis || llvm::is_contained(counting, *axis))
      return std::nullopt;
    counted[i] = *axis;
    counting.push_back(*axis);
  }
  if (!found.indices)
    return std::nullopt;
  found.indices = withoutRepeats(b, found.indices, counting);
  if (!found.indices)
    return std::nullopt;
  // The remaining axes of the index grid enumerate the updates of a slice, in ONNX's order.
  SmallVector<int64_t> order, indexShape, updateShape;
  int64_t steps = 1;
  for (int64_t i = 0; i < tuple; ++i) {
    if (i != found.axis) {
      order.push_back(counted[i]);
      indexShape.push_back(shapeOf(found.indices)[counted[i]]);
      updateShape.push_back(shape[i]);
      continue;
    }
    for (auto [axis, size] : llvm::enumerate(grid)) {
      if (llvm::is_contained(counting, static_cast<int64_t>(axis)))
        continue;
      order.push_back(axis);
      steps *= size;
    }
    indexShape.push_back(steps);
    updateShape.push_back(steps);
  }
  indexShape.append(rank - tuple, 1);
  llvm::append_range(updateShape, shape.drop_front(tuple));
  found.indices = b.reshape(b.transpose(found.indices, order), indexShape);
  for (int64_t axis = grid.size(), end = axis + rank - tuple; axis < end; ++axis)
    order.push_back(axis);
  found.updates = b.reshape(b.transpose(updates, order), updateShape);
  return found;
}
