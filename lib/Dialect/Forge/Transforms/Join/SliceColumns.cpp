//===- SliceColumns.cpp - slices of columns instead of heads --------------===//
//
//     [B, S, H D] -> reshape [B, S, H, D] -> transpose [B, H, S, D] -> slices [B, h, S, D]
//
// is the fewest calls for queries, keys and values. But tt-mlir moves the transpose to the results of the slices, which
// then read and write [B, S, H, D], where H is padded to whole tiles: 9 heads take the memory of 32. Where that takes
// longer than the calls that it saves, as in the windows of a Swin transformer, the columns are sliced first:
//
//     [B, S, H D] -> slices [B, S, h D] -> reshapes [B, S, h, D] -> transposes [B, h, S, D]
//
// Needs: all users of the transpose are slices of heads with stride 1, and the transpose is the only user of the
// reshape, so that neither remains. Other users of the columns read them as before.
//
//===----------------------------------------------------------------------===//

#include "Join/SliceColumns.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace {
struct SlicedHeads {
  Value columns; ///< [..., H * D]
  ReshapeOp split;
  TransposeOp transpose;
  SmallVector<IndexOp> slices;

  int64_t headSize() const { return shapeOf(split->getResult(0)).back(); }
};
} // namespace

static std::optional<SlicedHeads> slicedHeads(TransposeOp transpose) {
  auto split = transpose.getOperandA().getDefiningOp<ReshapeOp>();
  // What a model's input costs depends on all that read it.
  if (!split || !split->hasOneUse() || !split.getOperandA().getDefiningOp() || isWeight(transpose))
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(split.getOperandA()), to = split.getShape();
  int64_t rank = to.size();
  if (from.size() < 2 || rank != static_cast<int64_t>(from.size()) + 1 || from.drop_back() != to.drop_back(2) ||
      std::minmax({fromFront(transpose.getDim0(), rank), fromFront(transpose.getDim1(), rank)}) !=
          std::pair(rank - 3, rank - 2))
    return std::nullopt;
  SlicedHeads heads{split.getOperandA(), split, transpose, {}};
  for (Operation *user : transpose->getUsers()) {
    auto slice = dyn_cast<IndexOp>(user);
    if (!slice || slice.getStride() != 1 || fromFront(slice.getDim(), rank) != rank - 3)
      return std::nullopt;
    heads.slices.push_back(slice);
  }
  return heads.slices.size() > 1 ? std::optional(heads) : std::nullopt;
}

static RankedTensorType withTrailing(Value columns, ArrayRef<int64_t> trailing) {
  SmallVector<int64_t> shape(shapeOf(columns).drop_back());
  llvm::append_range(shape, trailing);
  return tensorType(columns).clone(shape);
}

// What one slice of columns, its reshape and its transpose cost.
static void addCost(OpCost &cost, const SlicedHeads &heads, IndexOp slice) {
  int64_t count = slice.getStop() - slice.getStart();
  RankedTensorType columns = withTrailing(heads.columns, {count * heads.headSize()});
  RankedTensorType split = withTrailing(heads.columns, {count, heads.headSize()});
  cost.addMove(tensorType(heads.columns), columns);
  cost.addMove(columns, split);
  cost.addMove(split, slice.getType());
}

// By time alone: the calls become more.
static bool paysAsColumns(const SlicedHeads &heads) {
  OpCost before, after;
  auto add = [&](Operation *op) {
    OpCost cost = costOf(op, DeviceLayout());
    before.time = addCounts(before.time, cost.time);
  };
  add(heads.split);
  add(heads.transpose);
  for (IndexOp slice : heads.slices) {
    add(slice);
    addCost(after, heads, slice);
  }
  return pays(before, after);
}

void forge::sliceColumns(Block &block, ReportingPass &pass) {
  for (TransposeOp transpose : llvm::make_early_inc_range(block.getOps<TransposeOp>())) {
    std::optional<SlicedHeads> heads = slicedHeads(transpose);
    if (!heads || !paysAsColumns(*heads) || !pass.mayRewrite(transpose, "columns-sliced"))
      continue;
    for (IndexOp slice : heads->slices) {
      ImplicitLocOpBuilder b(withoutTrace(slice.getLoc()), slice);
      int64_t count = slice.getStop() - slice.getStart(), size = heads->headSize();
      Value columns =
          IndexOp::create(b, heads->columns, int64_t(-1), slice.getStart() * size, slice.getStop() * size, int64_t(1));
      RankedTensorType type = withTrailing(columns, {count, size});
      Value split = ReshapeOp::create(b, type, columns, type.getShape());
      b.setLoc(slice.getLoc());
      Value transposed = TransposeOp::create(b, split, transpose.getDim0(), transpose.getDim1());
      slice.replaceAllUsesWith(transposed);
      slice.erase();
    }
    transpose.erase();
    heads->split.erase();
  }
}
