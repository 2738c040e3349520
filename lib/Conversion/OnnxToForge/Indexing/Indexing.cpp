//===- Indexing.cpp - ONNX ops that select elements -----------------------===//

#include "Indexing.h"

#include "../RegisterAll.h"
#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace forge;

Value forge::overwriteRows(OnnxNode &n, ForgeBuilder &b, Value cache, Value update, Value first, int64_t axis,
                           bool circular) {
  constexpr int64_t kMostRows = 256;
  if (!cache || !update || !first)
    return {};
  int64_t size = shapeOf(cache)[axis], rows = shapeOf(update)[axis];
  if (rows > kMostRows)
    return n.refuse(Code::TooMuchToUnroll, "writing " + Twine(rows) + " rows takes too many calls");
  Value position = b.iota(size, axis, rankOf(cache), b.getI64Type());
  for (int64_t row = 0; row < rows; ++row) {
    Value at = b.create<AddOp>(first, b.scalarLike(first, static_cast<double>(row)));
    Value end = b.scalarLike(first, static_cast<double>(size));
    if (circular)
      at = b.create<WhereOp>(b.compare<GreaterEqualOp>(at, end), b.create<SubtractOp>(at, end), at);
    cache = b.create<WhereOp>(b.compare<EqualOp>(position, at), b.slice(update, axis, row, row + 1), cache);
  }
  return cache;
}

// Converts a cache write to an op that the device executes in place: of a prompt at position 0, or of one token, into a
// cache argument (batch, heads, positions, size). The cache must have no other readers, which would see the new rows.
// Null otherwise.
static Value cacheWrite(ForgeBuilder &b, Value cache, Value update, Value indices, int64_t axis, bool circular) {
  if (!isa<BlockArgument>(cache) || rankOf(cache) != 4 || axis != 2 || circular)
    return {};
  if (!indices)
    return b.create<FillCacheOp>(cache, update, 0);
  if (shapeOf(update)[2] != 1)
    return {};
  return b.create<UpdateCacheOp>(cache, update, b.cast(indices, b.getI32Type()), 0);
}

// TensorScatter (since 24): writes the rows of the update into a cache, starting at an index per batch row.
static Values convertTensorScatter(OnnxNode &n, ForgeBuilder &b) {
  Value cache = n.input(0), update = n.input(1), indices = n.optionalInput(2);
  int64_t axis = n.intAttr("axis", -2);
  StringRef mode = n.stringAttr("mode", "linear");
  if (mode != "linear" && mode != "circular")
    n.refuse(Code::AttributeValue, "attribute 'mode' must be 'linear' or 'circular'");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(cache)), expected(shape);
  int64_t rank = shape.size();
  axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  if (axis == 0 || rankOf(update) != rank || llvm::is_contained(shape, 0))
    return n.refuse(Code::ShapeMismatch,
                    "the axis must not be the batch, and the update must have the rank of the cache");
  int64_t rows = shapeOf(update)[axis];
  expected[axis] = rows;
  if (shapeOf(update) != ArrayRef(expected) || rows > shape[axis] ||
      (indices && shapeOf(indices) != ArrayRef<int64_t>{shape[0]}))
    return n.refuse(Code::ShapeMismatch, "the update or the indices do not fit the cache");
  if (n.getOp().getOperand(0).hasOneUse())
    if (Value written = cacheWrite(b, cache, update, indices, axis, mode == "circular"))
      return {written};
  SmallVector<int64_t> perBatch(rank, 1);
  perBatch[0] = shape[0];
  Value first = indices ? b.reshape(b.cast(indices, b.getI64Type()), perBatch)
                        : b.splat(RankedTensorType::get(perBatch, b.getI64Type()), 0);
  return {overwriteRows(n, b, cache, update, first, axis, mode == "circular")};
}

// Compress (since 9, 11, 28): the condition may be shorter than the axis.
static Values convertCompress(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> condition = n.constantInts(1, "condition");
  bool hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  if (!hasAxis)
    x = b.reshape(x, {numElements(x)});
  if (!x)
    return {};
  axis = n.axis(axis, rankOf(x));
  if (n.failed())
    return {};
  SmallVector<int64_t> kept;
  for (auto [i, flag] : llvm::enumerate(condition))
    if (flag != 0)
      kept.push_back(i);
  return {b.take(x, axis, kept)};
}

// NonZero (since 9, 13): one column of coordinates per element.
static Values convertNonZero(OnnxNode &n, ForgeBuilder &b) {
  DenseElementsAttr attr = n.constant(0, "the operand");
  if (!attr)
    return {};
  HostTensor x = HostTensor::fromAttr(attr);
  SmallVector<SmallVector<int64_t>> found;
  size_t position = 0;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    if (x.isFloat() ? x.floats[position] != 0 : x.ints[position] != 0)
      found.emplace_back(index);
    ++position;
  });
  SmallVector<int64_t> columns;
  for (int64_t axis = 0; axis < x.type.getRank(); ++axis)
    for (ArrayRef<int64_t> index : found)
      columns.push_back(index[axis]);
  auto type = RankedTensorType::get({x.type.getRank(), static_cast<int64_t>(found.size())}, b.getI64Type());
  return {b.constant(DenseElementsAttr::get(type, ArrayRef(columns)))};
}

// OneHot (since 9, 11, 28): `values` is [off, on]. An index outside [-depth, depth) gives a row of off values.
static Values convertOneHot(OnnxNode &n, ForgeBuilder &b) {
  Value indices = n.input(0), values = n.input(2);
  double depthValue = n.constantScalar(1, "depth");
  int64_t axis = n.intAttr("axis", -1);
  if (n.failed())
    return {};
  int64_t rank = rankOf(indices) + 1;
  axis = n.axis(axis, rank);
  if (!(depthValue >= 1 && depthValue <= (1 << 24)))
    n.refuse(Code::SizeInvalid, "depth must be positive and at most 2^24");
  if (rankOf(values) != 1 || shapeOf(values)[0] != 2)
    n.refuse(Code::ElementCount, "values must have two elements");
  if (n.failed())
    return {};
  int64_t depth = static_cast<int64_t>(depthValue);
  indices = b.cast(indices, b.getI64Type()); // ONNX truncates fractions.
  if (!indices)
    return {};
  SmallVector<int64_t> shape(shapeOf(indices));
  shape.insert(shape.begin() + axis, 1);
  // Compares negative indices with negative positions, because adding the depth to a large index might overflow Int32.
  Expr index(b, b.reshape(indices, shape)), fromFront(b, b.iota(depth, axis, rank, b.getI64Type()));
  Value hot = eitherOf(index == fromFront, index == fromFront - static_cast<double>(depth));
  SmallVector<int64_t> one(rank, 1);
  Value off = b.reshape(b.slice(values, 0, 0, 1), one), on = b.reshape(b.slice(values, 0, 1, 2), one);
  return {b.create<WhereOp>(hot, on, off)};
}

// Unique (since 11, 28): distinct slices along `axis`, or distinct elements.
static Values convertUnique(OnnxNode &n, ForgeBuilder &b) {
  DenseElementsAttr attr = n.constant(0, "the operand");
  bool sorted = n.flagAttr("sorted", true), hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  Value x = hasAxis ? n.input(0) : b.reshape(n.input(0), {attr.getNumElements()});
  axis = n.axis(axis, rankOf(x));
  HostTensor host = HostTensor::fromAttr(attr);
  if (llvm::any_of(host.floats, [](double value) { return std::isnan(value); }))
    n.refuse(Code::ResultUndefined, "the operand holds NaN, which has no order");
  if (n.failed())
    return {};
  int64_t count = shapeOf(x)[axis], stride = stridesOf(shapeOf(x))[axis];
  int64_t outer = count == 0 ? 0 : attr.getNumElements() / (count * stride);
  // -1, 0 or 1 as slice i comes before, equals or follows slice j.
  auto order = [&](int64_t i, int64_t j) {
    for (int64_t block = 0; block < outer; ++block)
      for (int64_t k = 0; k < stride; ++k) {
        int64_t p = (block * count + i) * stride + k, q = (block * count + j) * stride + k;
        if (host.isFloat() ? host.floats[p] != host.floats[q] : host.ints[p] != host.ints[q])
          return (host.isFloat() ? host.floats[p] < host.floats[q] : host.ints[p] < host.ints[q]) ? -1 : 1;
      }
    return 0;
  };
  SmallVector<int64_t> slices = llvm::to_vector(llvm::seq<int64_t>(0, count)), first, inverse(count), counts;
  llvm::stable_sort(slices, [&](int64_t i, int64_t j) { return order(i, j) < 0; });
  SmallVector<SmallVector<int64_t>> groups;
  for (int64_t slice : slices) {
    if (groups.empty() || order(groups.back().front(), slice) != 0)
      groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!sorted)
    llvm::sort(groups, [](const auto &a, const auto &c) { return a.front() < c.front(); });
  for (auto [i, group] : llvm::enumerate(groups)) {
    first.push_back(group.front());
    counts.push_back(group.size());
    for (int64_t slice : group)
      inverse[slice] = i;
  }
  return {b.take(x, axis, first), b.ints(first), b.ints(inverse), b.ints(counts)};
}

void forge::registerIndexingOps(OnnxRegistry &registry) {
  registry.add({
      {"Gather", {1, 11, 13}, convertGather},
      {"GatherElements", {11, 13}, convertGatherElements},
      {"GatherND", {11, 12, 13}, convertGatherND},
      {"Scatter", {9, 11}, convertScatterElements},
      {"ScatterElements", {11, 13, 16, 18}, convertScatterElements},
      {"ScatterND", {11, 13, 16, 18}, convertScatterND},
      {"TensorScatter", {24}, convertTensorScatter},
      {"OneHot", {9, 11, 28}, convertOneHot},
      {"Compress", {9, 11, 28}, convertCompress},
      {"NonZero", {9, 13}, convertNonZero},
      {"Unique", {11, 28}, convertUnique},
  });
}
