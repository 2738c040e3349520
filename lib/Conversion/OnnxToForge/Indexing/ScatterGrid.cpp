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
  // One component of the tuples is not known and selects elements; each of the others counts 0, 1, ... along an axis of
  // the grid of tuples that is its own: two along one axis would give a slice the updates of several tuples.
  Value selected;
  int64_t selecting = -1;
  SmallVector<int64_t> counted; // per component: the axis along which it counts; -1 for `selecting`
  for (int64_t i = 0, tuple = shapeOf(indices).back(); i < tuple; ++i) {
    Value component = tupleComponent(b, indices, i);
    if (!component)
      return std::nullopt;
    DenseElementsAttr known = knownValue(component);
    std::optional<int64_t> axis = known ? countedAxis(known, shape[i]) : std::optional<int64_t>(-1);
    if (!axis || llvm::is_contained(counted, *axis))
      return std::nullopt;
    counted.push_back(*axis);
    if (!known) {
      selecting = i;
      selected = component;
    }
  }
  if (!selected)
    return std::nullopt;
  SmallVector<int64_t> counting = llvm::filter_to_vector(counted, [](int64_t axis) { return axis >= 0; });
  selected = withoutRepeats(b, selected, counting);
  if (!selected)
    return std::nullopt;
  // The remaining axes of the grid enumerate the updates of a slice, in ONNX's order.
  ArrayRef<int64_t> gridShape = shapeOf(indices).drop_back();
  SmallVector<int64_t> order, indexShape, updateShape;
  for (auto [i, own] : llvm::enumerate(counted)) {
    if (own >= 0) {
      order.push_back(own);
      indexShape.push_back(shapeOf(selected)[own]);
      updateShape.push_back(shape[i]);
      continue;
    }
    int64_t steps = 1;
    for (auto [axis, size] : llvm::enumerate(gridShape)) {
      if (llvm::is_contained(counting, static_cast<int64_t>(axis)))
        continue;
      order.push_back(axis);
      steps *= size;
    }
    indexShape.push_back(steps);
    updateShape.push_back(steps);
  }
  ArrayRef<int64_t> rest = shape.drop_front(counted.size());
  indexShape.append(rest.size(), 1);
  llvm::append_range(updateShape, rest);
  ScatterAxis found;
  found.axis = selecting;
  found.indices = b.reshape(b.transpose(selected, order), indexShape);
  llvm::append_range(order, llvm::seq<int64_t>(gridShape.size(), gridShape.size() + rest.size()));
  found.updates = b.reshape(b.transpose(updates, order), updateShape);
  return found;
}
