//===- Gather.cpp - ONNX Gather, GatherElements, GatherND -----------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

// Indices in [0, size): constant ones are checked and wrapped at compile time, others at run time.
Value forge::wrappedIndices(OnnxNode &n, ForgeBuilder &b, Value indices, int64_t size) {
  if (!n.requireIntegers(indices, "indices"))
    return {};
  DenseElementsAttr known = knownValue(indices);
  if (!known) {
    // Before a reshape, such as that of a column of indices to a vector: --forge-join-slices then wraps several columns
    // at once.
    auto reshape = indices.getDefiningOp<ReshapeOp>();
    if (!reshape)
      return b.create<WrapIndexOp>(indices, size);
    return b.reshape(b.create<WrapIndexOp>(reshape.getOperandA(), size), reshape.getShape());
  }
  HostTensor values = HostTensor::fromAttr(known);
  for (int64_t &index : values.ints) {
    if (index < -size || index >= size)
      return n.refuse(Code::OutOfRange, "index " + Twine(index) + " is outside an axis of size " + Twine(size));
    index = index < 0 ? index + size : index;
  }
  return b.constant(values.toAttr());
}

Value forge::takeRows(ForgeBuilder &b, Value x, Value indices) {
  if (!x || !indices)
    return {};
  SmallVector<int64_t> shape = concatShapes(shapeOf(indices), shapeOf(x).drop_front());
  if (DenseElementsAttr known = knownValue(indices))
    return b.reshape(b.take(x, 0, intValues(known)), shape);
  // forge.embedding keeps the shape of the indices.
  if (rankOf(x) == 2 && rankOf(indices) > 0 && !x.getDefiningOp<ConstantOp>())
    return b.create<EmbeddingOp>(indices, x);
  Value flat = b.reshape(indices, {numElements(indices)});
  return b.reshape(b.create<AdvIndexOp>(x, flat, -rankOf(x)), shape);
}

Value forge::gatherSlices(OnnxNode &n, ForgeBuilder &b, Value x, Value indices, int64_t axis) {
  indices = wrappedIndices(n, b, indices, shapeOf(x)[axis]);
  if (!indices)
    return {};
  SmallVector<int64_t> shape = concatShapes(shapeOf(x).take_front(axis), shapeOf(indices));
  llvm::append_range(shape, shapeOf(x).drop_front(axis + 1));
  int64_t count = numElements(indices);
  // A constant index, or a run of consecutive ones, is a slice.
  if (DenseElementsAttr known = knownValue(indices); known && count > 0) {
    SmallVector<int64_t> values = intValues(known);
    if (llvm::equal(values, llvm::seq(values.front(), values.front() + count)))
      return b.reshape(b.slice(x, axis, values.front(), values.back() + 1), shape);
  }
  if (axis == 0)
    return takeRows(b, x, indices);
  return b.reshape(b.create<AdvIndexOp>(x, b.reshape(indices, {count}), axis - rankOf(x)), shape);
}

Values forge::convertGather(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  int64_t axis = n.axisAttr(x, 0);
  return {n.failed() ? Value() : gatherSlices(n, b, x, indices, axis)};
}

// `position` in a flattened operand, or -1 if the index along one axis of `size` is out of bounds: otherwise it could
// address an element of another row.
static Value positionInside(ForgeBuilder &b, Value position, Value index, int64_t size) {
  if (!position || knownValue(index))
    return position;
  Expr inside(b, index);
  return select(eitherOf(inside < 0.0, inside >= static_cast<double>(size)), -1.0, Expr(b, position));
}

Value forge::tupleRows(OnnxNode &n, ForgeBuilder &b, ArrayRef<int64_t> shape, Value indices, int64_t batchDims) {
  SmallVector<int64_t> indexShape(shapeOf(indices));
  int64_t tuple = indexShape.empty() ? 0 : indexShape.back(), rank = shape.size();
  if (tuple < 1 || batchDims < 0 || batchDims >= static_cast<int64_t>(indexShape.size()) || batchDims + tuple > rank ||
      shape.take_front(batchDims) != ArrayRef(indexShape).take_front(batchDims))
    return n.refuse(Code::ShapeMismatch, "the indices do not fit the operand and batch_dims");
  SmallVector<int64_t> strides = stridesOf(shape.take_front(batchDims + tuple));
  SmallVector<int64_t> positions(ArrayRef<int64_t>(indexShape).drop_back());
  Value row;
  SmallVector<Value> parts;
  auto accumulate = [&](Value index, int64_t stride) {
    if (stride != 1)
      index = b.create<MultiplyOp>(index, b.scalarLike(index, stride));
    row = row ? b.create<AddOp>(row, index) : index;
  };
  for (int64_t i = 0; i < tuple; ++i) {
    Value part = tupleComponent(b, indices, i);
    if (!part || !(part = wrappedIndices(n, b, part, shape[batchDims + i])))
      return {};
    accumulate(part, strides[batchDims + i]);
    parts.push_back(part);
  }
  for (int64_t i = 0; i < batchDims; ++i)
    if (shape[i] != 1)
      accumulate(b.iota(shape[i], i, positions.size(), elementOf(indices)), strides[i]);
  // With a single axis, an index out of bounds is no position either.
  bool joinsAxes = llvm::count_if(shape.take_front(batchDims + tuple), [](int64_t size) { return size != 1; }) > 1;
  for (int64_t i = 0; i < tuple && joinsAxes; ++i)
    row = positionInside(b, row, parts[i], shape[batchDims + i]);
  return row;
}

Value forge::elementPositions(OnnxNode &n, ForgeBuilder &b, ArrayRef<int64_t> shape, Value indices, int64_t axis) {
  int64_t rank = shape.size();
  auto fits = [&](int64_t i) { return i == axis || shapeOf(indices)[i] <= shape[i]; };
  if (rankOf(indices) != rank || !llvm::all_of(allAxes(rank), fits))
    return n.refuse(Code::ShapeMismatch, "the indices do not fit the operand");
  indices = wrappedIndices(n, b, indices, shape[axis]);
  if (!indices)
    return {};
  Value axisIndex = indices;
  SmallVector<int64_t> strides = stridesOf(shape);
  if (strides[axis] != 1)
    indices = b.create<MultiplyOp>(indices, b.scalarLike(indices, strides[axis]));
  if (rank == 1)
    return indices;
  Value rest = b.tabulate(shapeOf(indices), elementOf(indices), [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (int64_t i = 0; i < rank; ++i)
      offset += i == axis ? 0 : index[i] * strides[i];
    return offset;
  });
  return positionInside(b, b.create<AddOp>(indices, rest), axisIndex, shape[axis]);
}

// GatherND: each index tuple selects one row of the operand, whose leading axes are flattened.
static Value gatherTuples(OnnxNode &n, ForgeBuilder &b, Value x, Value indices, int64_t batchDims) {
  Value rows = tupleRows(n, b, shapeOf(x), indices, batchDims);
  if (!rows)
    return {};
  int64_t used = batchDims + shapeOf(indices).back();
  int64_t count = ShapedType::getNumElements(shapeOf(x).take_front(used));
  return takeRows(b, b.reshape(x, concatShapes(count, shapeOf(x).drop_front(used))), rows);
}

Values forge::convertGatherND(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  int64_t batchDims = n.since() < 12 ? 0 : n.intAttr("batch_dims", 0);
  return {n.failed() ? Value() : gatherTuples(n, b, x, indices, batchDims)};
}

// Converts the indices of GatherElements to tuples for GatherND with batch axes, if all elements of the trailing axes
// have the same index because a Tile or Expand repeats it. Null otherwise.
static Value sharedIndices(ForgeBuilder &b, Value x, Value indices, int64_t axis) {
  auto repeat = indices.getDefiningOp<RepeatOp>();
  int64_t rank = rankOf(x);
  if (!repeat || rankOf(indices) != rank || rankOf(repeat.getOperandA()) != rank)
    return {};
  ArrayRef<int64_t> all = shapeOf(indices), own = shapeOf(repeat.getOperandA()), data = shapeOf(x);
  for (int64_t i = 0; i < rank; ++i) {
    bool isRow = i > axis;
    if ((i != axis && all[i] != data[i]) || (isRow ? own[i] != 1 : own[i] != all[i]))
      return {};
  }
  SmallVector<int64_t> tuples(own.take_front(axis + 1));
  tuples.push_back(1);
  return b.reshape(repeat.getOperandA(), tuples);
}

// GatherElements (since 11, 13): one element per index.
Values forge::convertGatherElements(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  int64_t axis = n.axisAttr(x, 0);
  if (n.failed())
    return {};
  if (Value shared = sharedIndices(b, x, indices, axis))
    return {gatherTuples(n, b, x, shared, axis)};
  Value positions = elementPositions(n, b, shapeOf(x), indices, axis);
  return {takeRows(b, b.reshape(x, {numElements(x)}), positions)};
}
