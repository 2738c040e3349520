//===- HeadColumns.cpp - weight columns of queries, keys and values -------===//
//
// Some models project queries, keys and values with columns in the order [head, part, D], where the parts are Q, K and
// V. The columns of the weights are permuted to [part, head, D]. Then queries, keys and values are slices of
// neighbouring heads, so that they can share a transpose and a rotary embedding, and a scale of one part can be folded
// into columns. For H heads, and each of the parts:
//
//   slice(reshape(matmul(%x, %W), [.., H, 3 D]), D, 2 D)  ->  reshape(slice(matmul(%x, %V), H D, 2 H D), [.., H, D])
//
// with the permuted columns V. All elements are computed as before. Only slices of one part each may read them.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// Queries, keys and values.
static constexpr int64_t kParts = 3;

namespace {
/// A reshape of columns [..., N] to heads [..., H, parts * D], maybe with a transpose of rows and heads after it, or to
/// [..., H, parts, D]. All users are slices of one part each.
struct HeadParts {
  Operation *sliced;           ///< the op whose result is sliced: the reshape, or the transpose after it
  int64_t heads, count, width; ///< H, the number of parts, and D
  bool hasAxis;                ///< whether the parts are an axis of their own: [..., H, parts, D]

  /// The sliced axis, counted from the back.
  int64_t axis() const { return hasAxis ? -2 : -1; }
  /// The number of indices that a part has along that axis.
  int64_t extent() const { return hasAxis ? 1 : width; }
};
} // namespace

// The part (0 for queries, ...) that `user` is a slice of; none if it slices across parts, or along another axis.
static std::optional<int64_t> partOf(Operation *user, const HeadParts &parts) {
  auto slice = dyn_cast<IndexOp>(user);
  int64_t rank = tensorType(parts.sliced->getResult(0)).getRank();
  if (!slice || slice.getStride() != 1 || fromFront(slice.getDim(), rank) != rank + parts.axis())
    return std::nullopt;
  int64_t part = slice.getStart() / parts.extent();
  bool isInPart = static_cast<int64_t>(slice.getStop()) <= (part + 1) * parts.extent();
  return isInPart ? std::optional(part) : std::nullopt;
}

// Matches `split` as the reshape of HeadParts, whose columns may be permuted: nothing else reads them, and each user
// slices one part.
static std::optional<HeadParts> partsOf(ReshapeOp split) {
  ArrayRef<int64_t> from = shapeOf(split.getOperandA()), to = split.getShape(); // [..., N] and [..., H, ...]
  if (from.size() < 2 || !split.getOperandA().hasOneUse())
    return std::nullopt;
  size_t columns = from.size() - 1; // the axis that is split into two axes, or with hasAxis into three
  if (to.size() < columns + 2 || to.size() > columns + 3 || from.take_front(columns) != to.take_front(columns))
    return std::nullopt;
  bool hasAxis = to.size() == columns + 3;
  int64_t heads = to[columns], count = hasAxis ? to[columns + 1] : kParts;
  // With one head, the columns are in the order of their parts already.
  if (heads == 1 || from.back() % (heads * count) != 0)
    return std::nullopt;
  HeadParts parts{split, heads, count, from.back() / (heads * count), hasAxis};
  // A transpose that does not move the trailing axis leaves the columns of a head together.
  if (split->hasOneUse() && !hasAxis)
    if (auto transpose = dyn_cast<TransposeOp>(*split->user_begin())) {
      auto [first, second] = swapOf(transpose);
      if (std::max(first, second) < static_cast<int64_t>(to.size()) - 1)
        parts.sliced = transpose;
    }
  llvm::SmallDenseSet<int64_t> read;
  for (Operation *user : parts.sliced->getUsers()) {
    std::optional<int64_t> part = partOf(user, parts);
    if (!part)
      return std::nullopt;
    read.insert(*part);
  }
  return read.size() > 1 ? std::optional(parts) : std::nullopt; // One part alone does not profit.
}

// Permutes the columns of a weight from [head, part, D] to [part, head, D].
static Value permuteColumns(Value weight, const HeadParts &parts, ImplicitLocOpBuilder &b) {
  SmallVector<int64_t> shape(shapeOf(weight)), split(shape);
  split.pop_back();
  split.append({parts.heads, parts.count, parts.width});
  Value permuted = TransposeOp::create(b, reshaped(b, weight, split), int64_t(-3), int64_t(-2));
  return reshaped(b, permuted, shape);
}

// Slices the heads of one part from the permuted columns. The result has the shape of `split`, the reshape of all
// parts, but with the columns of one part, [..., H, D] or [..., H, 1, D], and is transposed if `parts.sliced` is a
// transpose.
static Value headsOf(int64_t part, Value columns, ReshapeOp split, const HeadParts &parts, ImplicitLocOpBuilder &b) {
  int64_t width = parts.heads * parts.width;
  Value slice = IndexOp::create(b, columns, int64_t(-1), part * width, (part + 1) * width, int64_t(1));
  SmallVector<int64_t> shape(split.getShape());
  shape.back() = parts.width;
  if (parts.hasAxis)
    shape[shape.size() - 2] = 1;
  Value heads = reshaped(b, slice, shape);
  auto transpose = dyn_cast<TransposeOp>(parts.sliced);
  return transpose ? TransposeOp::create(b, heads, transpose.getDim0(), transpose.getDim1()) : heads;
}

// Makes `slice`, which slices some columns of a part, or all of them, read `heads`, the heads of that part, which
// begins at index `begin` of the sliced axis.
static void readHeads(IndexOp slice, Value heads, int64_t begin, PatternRewriter &rewriter) {
  if (heads.getType() == slice.getType()) {
    takeTrace(heads, slice);
    rewriter.replaceOp(slice, heads);
    return;
  }
  rewriter.modifyOpInPlace(slice, [&] {
    slice.getOperandAMutable().assign(heads);
    slice.setStart(slice.getStart() - begin);
    slice.setStop(slice.getStop() - begin);
  });
}

// The columns are those of a product with a weight, maybe with a bias per column, which is permuted, too.
LogicalResult forge::permuteHeadColumns(ReshapeOp op, PatternRewriter &rewriter) {
  std::optional<HeadParts> parts = partsOf(op);
  std::optional<WeightProduct> projection = parts ? WeightProduct::withSum(op.getOperandA()) : std::nullopt;
  if (!projection || !isa<MatmulOp>(projection->op()) || !projection->mayReplaceBias())
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  Value permuted =
      withColumns(b, *projection, [&](Value weight, int64_t) { return permuteColumns(weight, *parts, b); });
  SmallVector<Value> headsByPart(parts->count);
  SmallVector<Operation *> users(parts->sliced->getUsers());
  // MLIR lists the last use first. Reversed, the heads are built in the order in which the program slices them.
  for (Operation *user : llvm::reverse(users)) {
    auto slice = cast<IndexOp>(user);
    int64_t part = *partOf(slice, *parts);
    if (!headsByPart[part])
      headsByPart[part] = headsOf(part, permuted, op, *parts, b);
    readHeads(slice, headsByPart[part], part * parts->extent(), rewriter);
  }
  // The old columns have no users any more.
  llvm::SmallSetVector<Operation *, 4> dead;
  for (Operation *old : {parts->sliced, op.getOperation(), op.getOperandA().getDefiningOp(), projection->op()})
    dead.insert(old);
  for (Operation *old : dead)
    rewriter.eraseOp(old);
  return success();
}
