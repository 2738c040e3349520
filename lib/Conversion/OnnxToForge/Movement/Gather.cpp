//===- Gather.cpp - ONNX Gather and GatherND ------------------------------===//

#include "Movement.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

// Indices in [0, size): known ones are checked and wrapped here. Unknown ones wrap with a Where, which costs nothing on
// values that are never negative and keeps Gather exact where they are.
static Value wrappedIndices(OnnxNode &n, ForgeBuilder &b, Value indices, int64_t size) {
  DenseElementsAttr known;
  Type element = tensorType(indices).getElementType();
  if (!matchPattern(indices, m_Constant(&known))) {
    Value negative = b.compare<LessOp>(indices, b.scalarLike(indices, 0));
    Value wrapped = b.create<AddOp>(indices, b.scalarLike(indices, static_cast<double>(size)));
    return b.create<WhereOp>(negative, wrapped, indices);
  }
  HostTensor values = HostTensor::fromAttr(known);
  for (int64_t &index : values.ints) {
    if (index < -size || index >= size) {
      n.refuse("index " + Twine(index) + " is outside an axis of size " + Twine(size));
      return {};
    }
    index = index < 0 ? index + size : index;
  }
  return element == values.type.getElementType() ? b.constant(values.toAttr()) : Value();
}

// Gathers slices of `x` along `axis`: the result is x.shape[:axis] + indices.shape + x.shape[axis+1:].
static Value gather(OnnxNode &n, ForgeBuilder &b, Value x, Value indices, int64_t axis) {
  indices = wrappedIndices(n, b, indices, shapeOf(x)[axis]);
  if (!indices)
    return {};
  SmallVector<int64_t> shape(shapeOf(x).take_front(axis));
  llvm::append_range(shape, shapeOf(indices));
  llvm::append_range(shape, shapeOf(x).drop_front(axis + 1));
  int64_t count = tensorType(indices).getNumElements();
  DenseElementsAttr known;
  // One known index is a slice; a run of them is too.
  if (matchPattern(indices, m_Constant(&known)) && count > 0) {
    SmallVector<int64_t> values = intValues(known);
    bool isRun = llvm::all_of(llvm::enumerate(values), [&](auto entry) {
      return entry.value() == values.front() + static_cast<int64_t>(entry.index());
    });
    if (isRun)
      return b.reshape(b.slice(x, axis, values.front(), values.back() + 1), shape);
  }
  // A table lookup keeps the shape of the indices.
  if (axis == 0 && tensorType(x).getRank() == 2 && tensorType(indices).getRank() > 0 &&
      !x.getDefiningOp<ConstantOp>())
    return b.create<EmbeddingOp>(indices, x);
  return b.reshape(b.create<AdvIndexOp>(x, b.reshape(indices, {count}), axis - tensorType(x).getRank()), shape);
}

// Gather (since 1, 11, 13).
static Values convertGather(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed() || !n.requireIntegers(indices, "indices"))
    return {};
  axis = n.axis(axis, tensorType(x).getRank());
  return {n.failed() ? Value() : gather(n, b, x, indices, axis)};
}

// GatherND (since 11, 12, 13) with constant indices: each index tuple becomes one row of the flattened operand.
static Values convertGatherND(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t batchDims = n.since() < 12 ? 0 : n.intAttr("batch_dims", 0);
  DenseElementsAttr attr = n.constant(1, "indices");
  if (n.failed() || !n.requireIntegers(n.input(1), "indices"))
    return {};
  HostTensor indices = HostTensor::fromAttr(attr);
  ArrayRef<int64_t> shape = shapeOf(x), indexShape = indices.shape();
  int64_t tuple = indexShape.empty() ? 0 : indexShape.back(), rank = shape.size();
  if (indexShape.empty() || batchDims < 0 || batchDims >= static_cast<int64_t>(indexShape.size()) ||
      batchDims + tuple > rank || shape.take_front(batchDims) != indexShape.take_front(batchDims)) {
    n.refuse("the indices do not fit the operand and batch_dims");
    return {};
  }
  // Rows of the operand: its first batchDims + tuple dims, flattened.
  SmallVector<int64_t> rowShape(shape.take_front(batchDims + tuple)), strides = stridesOf(rowShape), rows;
  int64_t rowCount = ShapedType::getNumElements(rowShape);
  ArrayRef<int64_t> positions = indexShape.drop_back();
  int64_t offset = 0;
  bool inside = true;
  forEachIndex(positions, [&](ArrayRef<int64_t> position) {
    int64_t row = 0;
    for (int64_t i = 0; i < batchDims; ++i)
      row += position[i] * strides[i];
    for (int64_t i = 0; i < tuple; ++i) {
      int64_t index = indices.ints[offset++], size = shape[batchDims + i];
      inside &= index >= -size && index < size;
      row += (index < 0 ? index + size : index) * strides[batchDims + i];
    }
    rows.push_back(row);
  });
  if (!inside) {
    n.refuse("an index is outside the operand");
    return {};
  }
  SmallVector<int64_t> flat{rowCount}, result(positions);
  llvm::append_range(flat, shape.drop_front(batchDims + tuple));
  llvm::append_range(result, shape.drop_front(batchDims + tuple));
  Value gathered = gather(n, b, b.reshape(x, flat), b.ints(rows), 0);
  return {b.reshape(gathered, result)};
}

void forge::registerGatherOps(OnnxRegistry &r) {
  r.add("Gather", {1, 11, 13}, convertGather);
  r.add("GatherND", {11, 12, 13}, convertGatherND);
}
