//===- Select.cpp - ONNX Compress, NonZero, Unique and BitCast ------------===//
//
// The shapes of these results depend on values, which must be known at compile time.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Compress (since 9, 11, 28): the condition may be shorter than the axis.
static Values convertCompress(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> condition = n.constantInts(1, "condition");
  bool hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  if (!hasAxis)
    x = b.reshape(x, {tensorType(x).getNumElements()});
  if (!x)
    return {};
  axis = n.axis(axis, tensorType(x).getRank());
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
  auto type =
      RankedTensorType::get({x.type.getRank(), static_cast<int64_t>(found.size())}, b.getBuilder().getI64Type());
  return {b.constant(DenseElementsAttr::get(type, ArrayRef(columns)))};
}

// Unique (since 11, 28): distinct slices along `axis`, or distinct elements.
static Values convertUnique(OnnxNode &n, ForgeBuilder &b) {
  DenseElementsAttr attr = n.constant(0, "the operand");
  bool sorted = n.flagAttr("sorted", true), hasAxis = n.hasAttr("axis");
  int64_t axis = n.intAttr("axis", 0);
  if (n.failed())
    return {};
  Value x = hasAxis ? n.input(0) : b.reshape(n.input(0), {attr.getNumElements()});
  axis = n.axis(axis, tensorType(x).getRank());
  HostTensor host = HostTensor::fromAttr(attr);
  if (llvm::any_of(host.floats, [](double value) { return std::isnan(value); }))
    n.refuse("the operand holds NaN, which has no order");
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

// BitCast (since 26): bits stay, so only integers of one width that the device holds as numbers can change their sign.
static Values convertBitCast(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  (void)n.intAttr("to");
  Type to = n.declaredElementType(0);
  if (n.failed())
    return {};
  Type from = tensorType(x).getElementType();
  auto source = dyn_cast<IntegerType>(from), target = dyn_cast_or_null<IntegerType>(to);
  if (to == from)
    return {x};
  Type i32 = b.getBuilder().getI32Type();
  if (source && source.getWidth() == 1 && target && target.getWidth() == 8)
    return {b.cast(x, to)};
  if (!source || !target || source.getWidth() != target.getWidth() || source.getWidth() > 16) {
    n.refuse("only integers of 8 or 16 bits and booleans can be taken for another type on the device");
    return {};
  }
  Value number = b.cast(x, i32);
  int64_t range = int64_t(1) << source.getWidth();
  bool toUnsigned = target.isUnsigned();
  Value wraps = toUnsigned ? b.compare<LessOp>(number, b.scalarLike(number, 0))
                           : b.compare<GreaterEqualOp>(number, b.scalarLike(number, static_cast<double>(range / 2)));
  Value moved = b.create<AddOp>(number, b.scalarLike(number, static_cast<double>(toUnsigned ? range : -range)));
  return {b.cast(b.create<WhereOp>(wraps, moved, number), to)};
}

void forge::registerSelectOps(OnnxRegistry &r) {
  r.add("Compress", {9, 11, 28}, convertCompress);
  r.add("NonZero", {9, 13}, convertNonZero);
  r.add("Unique", {11, 28}, convertUnique);
  r.add("BitCast", {26}, convertBitCast);
}
