//===- RegroupSlices.cpp - one tile-aligned slice for neighbours ------- ===//
//
// The products f(x[:, a:b]) W and f(x[:, b:c]) V, where a and c are multiples of the tile size and b is not, are
// computed from one slice, f(x[:, a:c]): W is padded with zero rows after its own rows, and V before. Legal if the
// weights are constants and f consists of the same elementwise ops for both slices (EqualBranches). Results are equal
// if all activations are finite, since infinity times a padded zero is NaN.
//
//===----------------------------------------------------------------------===//

#include "Join/EqualBranches.h"
#include "Layout/Rewrites.h"
#include "Layout/Weights/Projection.h"

using namespace mlir;
using namespace forge;

namespace {
/// A product of f(x[:, b:e]), a slice of columns with elementwise ops after it, and a weight [e - b, N].
struct SliceProduct {
  MatmulOp matmul;
  AxisSlice slice; ///< x[:, b:e]

  Value operand() { return matmul.getOperandA(); }
  int64_t columns() { return shapeOf(operand()).back(); }
};
} // namespace

// The contiguous slice of the trailing axis from which `value` is computed, maybe by elementwise ops that keep the
// number of columns; none of these values may have other users. Follows the first operand of each op:
// EqualBranches::addProducers checks the others.
static std::optional<AxisSlice> columnSliceOf(Value value) {
  constexpr int kMostOps = 8; // Bounds the time of the search.
  int64_t columns = shapeOf(value).back();
  for (int i = 0; i < kMostOps; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse())
      return std::nullopt;
    if (isa<StridedSliceOp>(op)) {
      std::optional<AxisSlice> slice = AxisSlice::of(value);
      bool isLast = slice && slice->axis == tensorType(value).getRank() - 1 && slice->isContiguous();
      return isLast && slice->range.length() == columns ? slice : std::nullopt;
    }
    if (!isElementwise(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

// Matches x * W for a matrix W of weights, the right operand (WeightProduct), where x is computed from a slice of
// columns (columnSliceOf). None for other products.
static std::optional<SliceProduct> sliceProductOf(MatmulOp op) {
  if (tensorType(op.getOperandA()).getRank() < 2 || !WeightProduct::of(op.getOperation()))
    return std::nullopt;
  std::optional<AxisSlice> slice = columnSliceOf(op.getOperandA());
  return slice ? std::optional(SliceProduct{op, *slice}) : std::nullopt;
}

// The tiles that the slices of `group` move, and those of operands and weights that the products read: in the program,
// and if all products read one slice with the columns `range`.
static std::pair<int64_t, int64_t> tilesOf(MutableArrayRef<SliceProduct> group, itd::SliceSpec range,
                                           const DeviceLayout &layout) {
  const AxisSlice first = group.front().slice;
  auto tilesOfSlice = [&](itd::SliceSpec range) {
    return layout.traffic(tensorType(first.source), ArrayRef(AxisRange{first.axis, range}));
  };
  int64_t before = 0, after = tilesOfSlice(range);
  for (SliceProduct &reader : group) {
    Value operand = reader.operand(), weight = reader.matmul.getOperandB();
    before = addCounts(before, tilesOfSlice(reader.slice.range));
    before = addCounts(before, addCounts(layout.tiles(tensorType(operand)), layout.tiles(tensorType(weight))));
    RankedTensorType newOperand = withDim(operand, tensorType(operand).getRank() - 1, range.length());
    after = addCounts(after, addCounts(layout.tiles(newOperand), layout.tiles(withDim(weight, 0, range.length()))));
  }
  return {before, after};
}

// Merges the slices of `group`, neighbours of which the first begins at a tile and the last ends at one, into one
// slice, if fewer tiles move then, and pads each weight with zero rows for the columns of the other slices. The
// elementwise ops after the slices are merged, too (EqualBranches).
static void regroup(MutableArrayRef<SliceProduct> group, const RewriteContext &context) {
  int64_t begin = group.front().slice.range.begin, end = group.back().slice.range.end;
  auto [before, after] = tilesOf(group, {begin, end}, context.layout);
  SmallVector<Value> operands = llvm::map_to_vector(group, [](SliceProduct &reader) { return reader.operand(); });
  EqualBranches branches(operands.size());
  // The slices have been matched in pairs; together they may still not be mergeable.
  if (!branches.addProducers(operands, /*axis=*/-1) ||
      !context.mayRewrite(group.front().matmul, "regroup",
                          Twine(group.size()) + " products read one slice of whole tiles", before, after))
    return;
  IRRewriter builder(group.front().matmul);
  Value merged = branches.build(builder).values.back();
  for (SliceProduct &reader : group) {
    builder.setInsertionPoint(reader.matmul);
    // All rows of the weight, as one block that is padded to the rows of the group.
    int64_t size = reader.columns();
    Value weight = deriveWeight(builder, reader.matmul.getOperandB(),
                                {/*axis=*/0, /*begin=*/0, /*end=*/size, /*block=*/size, /*padded=*/end - begin,
                                 /*offset=*/reader.slice.range.begin - begin});
    Value result = MatmulOp::create(builder, reader.matmul.getLoc(), reader.matmul.getType(), merged, weight,
                                    reader.matmul.getBias());
    reader.matmul.replaceAllUsesWith(result);
  }
}

// Sorts the products that read slices of one value by the begin of the slice, and regroups each sequence of neighbours
// that begins at a tile, and ends at one or at the end of the axis.
void forge::regroupSlices(Block &block, const RewriteContext &context) {
  llvm::MapVector<Value, SmallVector<SliceProduct>> readers;
  for (MatmulOp op : block.getOps<MatmulOp>())
    if (std::optional<SliceProduct> reader = sliceProductOf(op))
      readers[reader->slice.source].push_back(*reader);
  for (auto &[source, all] : readers) {
    llvm::stable_sort(
        all, [](const SliceProduct &a, const SliceProduct &b) { return a.slice.range.begin < b.slice.range.begin; });
    // A group begins with a slice whose begin is a multiple of the tile size, and ends before the next such slice.
    for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      for (end = begin + 1; end < all.size() && all[end].slice.range.begin % kTile != 0; ++end) {
        // Two slices can be merged if the second begins where the first ends, and the same ops follow both.
        EqualBranches lastAndNext(/*count=*/2);
        if (!lastAndNext.addProducers({all[end - 1].operand(), all[end].operand()}, /*axis=*/-1))
          break;
      }
      int64_t first = all[begin].slice.range.begin, last = all[end - 1].slice.range.end;
      if (end - begin > 1 && first % kTile == 0 && (last % kTile == 0 || last == all[begin].slice.extent()))
        regroup(MutableArrayRef(all).slice(begin, end - begin), context);
    }
  }
}
