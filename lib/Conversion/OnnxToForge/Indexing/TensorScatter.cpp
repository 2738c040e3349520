//===- TensorScatter.cpp - ONNX TensorScatter -----------------------------===//

#include "Indexing.h"

#include "forge/Dialect/Forge/IR/Partitions.h"

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
    Value at = b.create<AddOp>(first, b.scalarLike(first, row));
    if (circular)
      at = b.create<RemainderOp>(at, b.scalarLike(first, size));
    cache = b.create<WhereOp>(b.compare<EqualOp>(position, at), b.slice(update, axis, row, row + 1), cache);
  }
  return cache;
}

// Whether `cache` is an input of the model that only `node` reads, and only once. An input of a partition may be read
// by other partitions, and may be an output of the model.
static bool isOnlyReader(torch::OperatorOp node, Value cache) {
  auto input = dyn_cast<BlockArgument>(cache);
  auto func = dyn_cast<func::FuncOp>(node->getParentOp());
  return input && func && partitionKind(func).empty() && input.getOwner() == node->getBlock() && input.hasOneUse();
}

// Converts a cache write to an op that the device executes in place: of a prompt at position 0, or of one token, into a
// cache (batch, heads, positions, size). Null otherwise.
static Value cacheWrite(ForgeBuilder &b, Value cache, Value update, Value indices, int64_t axis, bool circular) {
  if (rankOf(cache) != 4 || axis != 2 || circular)
    return {};
  if (!indices)
    return b.create<FillCacheOp>(cache, update, 0);
  if (shapeOf(update)[2] != 1)
    return {};
  return b.create<UpdateCacheOp>(cache, update, b.cast(indices, b.getI32Type()), 0);
}

// TensorScatter (since 24): writes the rows of the update into a cache, starting at an index per batch row.
Values forge::convertTensorScatter(OnnxNode &n, ForgeBuilder &b) {
  Value cache = n.input(0), update = n.input(1), indices = n.optionalInput(2);
  bool circular = n.choiceAttr("mode", {"linear", "circular"}) == "circular";
  int64_t axis = n.axisAttr(cache, -2);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(cache));
  int64_t rank = shape.size();
  if (axis == 0 || rankOf(update) != rank || llvm::is_contained(shape, 0))
    return n.refuse(Code::ShapeMismatch,
                    "the axis must not be the batch, and the update must have the rank of the cache");
  int64_t rows = shapeOf(update)[axis];
  if (shapeOf(update) != ArrayRef(withSize(shape, axis, rows)) || rows > shape[axis] ||
      (indices && shapeOf(indices) != ArrayRef<int64_t>{shape[0]}))
    return n.refuse(Code::ShapeMismatch, "the update or the indices do not fit the cache");
  // Other readers would see the new rows.
  if (isOnlyReader(n.getOp(), n.getOp().getOperand(0)))
    if (Value written = cacheWrite(b, cache, update, indices, axis, circular))
      return {written};
  SmallVector<int64_t> perBatch = sizesAlong(rank, 0, shape[0]);
  Value first = indices ? b.reshape(b.cast(indices, b.getI64Type()), perBatch)
                        : b.splat(RankedTensorType::get(perBatch, b.getI64Type()), 0);
  return {overwriteRows(n, b, cache, update, first, axis, circular)};
}
