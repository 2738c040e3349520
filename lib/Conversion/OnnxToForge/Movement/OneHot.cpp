//===- OneHot.cpp - ONNX OneHot, EyeLike and Trilu ------------------------===//

#include "Movement.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

using namespace mlir;
using namespace forge;

// OneHot (since 9, 11, 28): `values` holds [off, on]. An index outside [-depth, depth) matches nothing.
static Values convertOneHot(OnnxNode &n, ForgeBuilder &b) {
  Value indices = n.input(0), values = n.input(2);
  double depthValue = n.constantScalar(1, "depth");
  int64_t axis = n.intAttr("axis", -1);
  if (n.failed())
    return {};
  int64_t rank = tensorType(indices).getRank() + 1;
  axis = n.axis(axis, rank);
  if (!(depthValue >= 1 && depthValue <= (1 << 24)))
    n.refuse("depth must be positive and at most 2^24");
  if (tensorType(values).getRank() != 1 || shapeOf(values)[0] != 2)
    n.refuse("values must have two elements");
  if (n.failed())
    return {};
  int64_t depth = static_cast<int64_t>(depthValue);
  indices = b.cast(indices, b.getBuilder().getI64Type()); // Fractions are cut off, as ONNX says.
  Value negative = b.compare<LessOp>(indices, b.scalarLike(indices, 0));
  Value wrapped = b.create<AddOp>(indices, b.scalarLike(indices, static_cast<double>(depth)));
  indices = b.create<WhereOp>(negative, wrapped, indices);
  if (!indices)
    return {};
  SmallVector<int64_t> shape(shapeOf(indices));
  shape.insert(shape.begin() + axis, 1);
  Value hot = b.compare<EqualOp>(b.reshape(indices, shape), b.iota(depth, axis, rank, b.getBuilder().getI64Type()));
  SmallVector<int64_t> one(rank, 1);
  Value off = b.reshape(b.slice(values, 0, 0, 1), one), on = b.reshape(b.slice(values, 0, 1, 2), one);
  return {b.create<WhereOp>(hot, on, off)};
}

// Where column - row has `holds`, as booleans of shape [rows, columns].
static Value diagonals(ForgeBuilder &b, int64_t rows, int64_t columns, llvm::function_ref<bool(int64_t)> holds) {
  HostTensor mask{RankedTensorType::get({rows, columns}, b.getBuilder().getI1Type()), {}, {}};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      mask.ints.push_back(holds(j - i));
  return b.constant(mask.toAttr());
}

constexpr int64_t kMostMaskElements = 1 << 24;

// EyeLike (since 9, 22): only the shape of the operand matters.
static Values convertEyeLike(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t k = n.intAttr("k", 0);
  bool hasType = n.hasAttr("dtype");
  if (n.failed())
    return {};
  Type element = hasType ? n.declaredElementType(0) : tensorType(x).getElementType();
  if (!element || tensorType(x).getRank() != 2 || tensorType(x).getNumElements() > kMostMaskElements) {
    n.refuse("the operand must have rank 2 and not too many elements, and the result a type the device can hold");
    return {};
  }
  return {b.cast(diagonals(b, shapeOf(x)[0], shapeOf(x)[1], [&](int64_t offset) { return offset == k; }), element)};
}

// Trilu (since 14): keeps the elements on one side of diagonal k; the others are zeros, whatever they were.
static Values convertTrilu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool upper = n.flagAttr("upper", true);
  double k = n.hasInput(1) ? n.constantScalar(1, "k") : 0;
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (rank < 2) {
    n.refuse("the operand must have rank 2 or more");
    return {};
  }
  int64_t rows = shapeOf(x)[rank - 2], columns = shapeOf(x)[rank - 1];
  if (rows != 0 && columns > kMostMaskElements / rows) {
    n.refuse("the matrices have too many elements");
    return {};
  }
  auto keeps = [&](int64_t offset) {
    double distance = static_cast<double>(offset);
    return upper ? distance >= k : distance <= k;
  };
  return {b.create<WhereOp>(diagonals(b, rows, columns, keeps), x, b.scalarLike(x, 0))};
}

void forge::registerOneHotOps(OnnxRegistry &r) {
  r.add("OneHot", {9, 11, 28}, convertOneHot);
  r.add("EyeLike", {9, 22}, convertEyeLike);
  r.add("Trilu", {14}, convertTrilu);
}
