//===- MoveSlices.cpp - slices past reshapes and transposes ---------------===//
//
// A slice of the result of a reshape or a transpose is that op on a slice of its operand, and conversely, if both have
// the same index map (from elements of the result to those of the source). All slices of an axis of a value move
// together: up (hoist), so that the ops above them are done on the slices alone, or down (sink), so that the same ops
// on the slices are done once on the whole. Of all positions on the way, the one that saves most tiles is chosen.
//
// Besides, x[b:e] can be computed as (x[down(b):up(e)])[b - down(b) : e - down(b)], where down and up round to
// multiples of the tile size (a window). The first slice copies whole tiles, so that only these, and not all of x, are
// untilized (converted from tiles to rows) for the second.
//
// A trace (Location.h) records which ONNX value a result holds.
//
//===----------------------------------------------------------------------===//

#include "Layout/Rewrites.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// The type of a slice of a value of type `whole`.
static RankedTensorType sliceType(RankedTensorType whole, const AxisRange &slice) {
  SmallVector<int64_t> shape(whole.getShape());
  shape[slice.axis] = slice.range.length();
  return whole.clone(shape);
}

namespace {
/// A position in the program where slices of one value along one axis are, or to which they could be moved.
struct Position {
  RankedTensorType wholeType; ///< the type of the sliced value
  SmallVector<AxisRange> slices;
  SmallVector<Value> results; ///< the values of the program that the slices compute here; empty for hoisted slices

  /// The type of the result of slice `i`.
  RankedTensorType resultType(size_t i) const { return sliceType(wholeType, slices[i]); }
};
} // namespace

// The slices of a block, grouped by value and axis, in program order. Groups of more than 64 slices are left out,
// because the search would take too long.
static std::vector<Position> slicesByAxis(Block &block) {
  constexpr size_t kMost = 64;
  llvm::MapVector<std::pair<Value, int64_t>, Position> positions;
  for (StridedSliceOp op : block.getOps<StridedSliceOp>()) {
    std::optional<AxisSlice> slice = AxisSlice::of(op);
    if (!slice)
      continue;
    Position &position = positions[{slice->source, slice->axis}];
    position.wholeType = tensorType(slice->source);
    position.slices.push_back({slice->axis, slice->range});
    position.results.push_back(op);
  }
  std::vector<Position> found;
  for (auto &[key, position] : positions)
    if (position.slices.size() <= kMost)
      found.push_back(std::move(position));
  return found;
}

// For hoisting: `below` slices the result of `op`, a reshape or a transpose. Returns the slice `above` of the operand x
// of `op` with op(above(x)) = below(op(x)), where a reshape on the left gets the shape of the right side: for a reshape
// of [12, 5] to [4, 3, 5] and `below` [2:4], `above` is [6:12]. None if the index maps of both sides differ for all
// slices along a single axis, or if `above` is all of x.
static std::optional<AxisRange> sliceAbove(Operation *op, AxisRange below) {
  RankedTensorType from = tensorType(op->getOperand(0));
  IndexMap map(from.getShape()), rest(from.getShape());
  if (!map.apply(op) || !map.slice(toSlice(below)))
    return std::nullopt;
  // The elements of x that below(op(x)) contains, as a range of each axis.
  std::optional<SmallVector<SliceRange>> ranges = map.slices(from.getShape(), &rest);
  if (!ranges)
    return std::nullopt;
  std::optional<AxisRange> above;
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    const SliceRange &range = (*ranges)[axis];
    if (range.count() == from.getDimSize(axis))
      continue;
    if (above)
      return std::nullopt;
    above = AxisRange{axis, toSpec(range)};
  }
  if (!above)
    return std::nullopt;
  // `rest` is the map from above(x) to below(op(x)). `op` has to be the same map.
  IndexMap moved(sliceType(from, *above).getShape());
  RankedTensorType result = sliceType(tensorType(op->getResult(0)), below);
  return moved.move(op, result.getShape()) && moved == rest ? above : std::nullopt;
}

// For sinking: `op`, a reshape or a transpose, uses the slice `above` of a value x of type `source`. It can be sunk if
//
//     op(above(x)) = below(moved(x))
//
// where `moved` is a movement like `mover` (one for all slices of x) with a larger result than `op`, and `below` is a
// slice of that result along `axis`. Returns the shape of moved(x), and `below`. None if the index maps of both sides
// differ. If `op` reshapes x[6:12] of x : [12, 5] to [2, 3, 5], `moved` reshapes x to [4, 3, 5], and `below` is [2:4].
static std::optional<std::pair<Shape, AxisRange>> sliceBelow(Operation *op, int64_t axis, Operation *mover,
                                                             RankedTensorType source, AxisRange above) {
  RankedTensorType type = tensorType(op->getResult(0));
  int64_t length = above.range.length(), size = type.getDimSize(axis), extent = source.getDimSize(above.axis);
  // `below` is the same fraction of its axis as `above` is of its axis.
  int64_t total, begin;
  if (llvm::MulOverflow(size, extent, total) || llvm::MulOverflow(size, above.range.begin, begin) ||
      total % length != 0 || begin % length != 0)
    return std::nullopt;
  Shape shape(type.getShape());
  shape[axis] = total / length;
  // An axis of the same size has the same range, maybe with a step. Otherwise `below` can only be contiguous.
  AxisRange below{axis, size == length ? above.range : itd::SliceSpec{begin / length, begin / length + size}};
  IndexMap before(source.getShape()), after(source.getShape());
  bool isSame = before.slice(toSlice(above)) && before.apply(op) && after.move(mover, shape) &&
                after.slice(toSlice(below)) && before == after;
  return isSame ? std::optional(std::pair(shape, below)) : std::nullopt;
}

// The position of the slices after hoisting all of them across `op`, which may be null; none if one cannot be hoisted.
static std::optional<Position> hoisted(const Position &position, Operation *op) {
  if (!isa_and_nonnull<ReshapeOp, TransposeOp>(op))
    return std::nullopt;
  Position next{tensorType(op->getOperand(0)), {}, {}};
  for (const AxisRange &slice : position.slices) {
    std::optional<AxisRange> up = sliceAbove(op, slice);
    if (!up)
      return std::nullopt;
    next.slices.push_back(*up);
  }
  return next;
}

// The position of the slices after sinking them across their users, one for each slice: a single op, like the first of
// these users, is applied to the whole value instead, and its result is sliced. None if one of them cannot be sunk. The
// new slices have to be of the same result and along the same axis: the first such axis is chosen.
static std::optional<Position> sunk(const Position &position) {
  SmallVector<Operation *> users;
  for (Value result : position.results) {
    if (!result.hasOneUse() || !isa<ReshapeOp, TransposeOp>(*result.user_begin()))
      return std::nullopt;
    users.push_back(*result.user_begin());
  }
  int64_t rank = tensorType(users.front()->getResult(0)).getRank();
  for (int64_t axis = 0; axis < rank; ++axis) {
    Position next;
    for (auto [user, slice] : llvm::zip_equal(users, position.slices)) {
      if (tensorType(user->getResult(0)).getRank() != rank)
        return std::nullopt;
      auto found = sliceBelow(user, axis, users.front(), position.wholeType, slice);
      if (!found || (next.wholeType && next.wholeType.getShape() != ArrayRef(found->first)))
        break;
      next.wholeType = position.wholeType.clone(found->first);
      next.slices.push_back(found->second);
      next.results.push_back(user->getResult(0));
    }
    if (next.slices.size() == users.size())
      return next;
  }
  return std::nullopt;
}

// An op like `op`, a reshape or a transpose, of `operand`, with a result of `type`, which is no ONNX value.
static Value rebuild(OpBuilder &builder, Operation *op, Value operand, RankedTensorType type) {
  Location loc = withoutTrace(op->getLoc());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return TransposeOp::create(builder, loc, type, operand, transpose.getDim0(), transpose.getDim1());
  return ReshapeOp::create(builder, loc, type, operand, type.getShape());
}

namespace {
/// The positions to which slices can be sunk (`isDown`) or hoisted, each one op away from the one before.
class SliceMotion {
public:
  SliceMotion(const Position &current, bool isDown, const RewriteContext &context)
      : positions{current}, isDown(isDown), context(context) {}

  /// Walks over all positions within a few ops, and moves the slices to the one that saves the most tiles: the tiles
  /// that slices and crossed ops move in the program, minus those that they move after the rewrite.
  void run() {
    int64_t tilesOfSlicesBefore = tilesOfSlices();
    if (tilesOfSlicesBefore == INT64_MAX || !mayMove())
      return;
    size_t crossed = 0; // The number of ops up to the best position.
    int64_t mostSaved = 0, tilesBefore = 0;
    while (advance()) {
      int64_t before = tilesOfSlicesBefore + tilesOfOpsBefore, after = addCounts(tilesOfOpsAfter, tilesOfSlices());
      int64_t saved = before - after;
      // Of two positions that save the same, the lower one leaves fewer ops.
      bool isBest = isDown ? saved >= mostSaved : saved > mostSaved;
      if (saved <= 0 || !isBest)
        continue;
      crossed = ops.size();
      mostSaved = saved;
      tilesBefore = before;
    }
    ArrayRef<Value> results = positions[0].results;
    std::string what =
        llvm::formatv("{0} slices are taken {1} ops {2}", results.size(), crossed, isDown ? "later" : "earlier");
    if (crossed > 0 && context.mayRewrite(results[0].getDefiningOp(), isDown ? "sink" : "hoist", what, tilesBefore,
                                          tilesBefore - mostSaved))
      isDown ? sink(crossed) : hoist(crossed);
  }

private:
  /// The value that is sliced. Read from the IR, because it may have been replaced since the slices were collected.
  Value source() const { return positions[0].results[0].getDefiningOp<StridedSliceOp>().getOperandA(); }

  /// Slices are hoisted only if the source has no other users: for these, the ops above would remain. Slices that are
  /// reshaped to heads are not sunk, because the device's compiler fuses them with these reshapes.
  bool mayMove() const {
    ArrayRef<Value> results = positions[0].results;
    return isDown ? llvm::none_of(results, isHeadSplit) : source().hasNUses(results.size());
  }

  /// The tiles of the slices at the last position.
  int64_t tilesOfSlices() const { return context.layout.traffic(positions.back().wholeType, positions.back().slices); }

  /// Adds the next position, one op further; returns false if there is none, or if its cost is unknown.
  bool advance() {
    constexpr size_t kMostOps = 8; // Bounds the time of the search.
    if (ops.size() == kMostOps)
      return false;
    // Hoisting crosses the producer of this value, which other users would keep alive. (mayMove() checks the source's.)
    Value sliced = ops.empty() ? source() : ops.back()->getOperand(0);
    if (!isDown && !ops.empty() && !sliced.hasOneUse())
      return false;
    std::optional<Position> next = isDown ? sunk(positions.back()) : hoisted(positions.back(), sliced.getDefiningOp());
    if (!next)
      return false;
    // Above the slices, the crossed op moves the whole value. Below them, an op like it moves each slice.
    Operation *op = isDown ? next->results.front().getDefiningOp() : sliced.getDefiningOp();
    const Position &upper = isDown ? positions.back() : *next, &lower = isDown ? *next : positions.back();
    int64_t whole = context.layout.moveTraffic(op, upper.wholeType, lower.wholeType), parts = 0;
    for (size_t i = 0; i < upper.slices.size(); ++i)
      parts = addCounts(parts, context.layout.moveTraffic(op, upper.resultType(i), lower.resultType(i)));
    if (whole == INT64_MAX || parts == INT64_MAX)
      return false;
    // In the program, the crossed ops are below slices that are sunk, and above slices that are hoisted.
    auto [before, after] = isDown ? std::pair(parts, whole) : std::pair(whole, parts);
    tilesOfOpsBefore += before;
    tilesOfOpsAfter += after;
    ops.push_back(op);
    positions.push_back(std::move(*next));
    return true;
  }

  /// slice(op1(op0(%x))) -> op1(op0(slice(%x))), for each slice, across `crossed` ops. The new result gets the trace of
  /// the slice, and the ops in between, which compute parts of ONNX values, have none.
  void hoist(size_t crossed) {
    Value top = ops[crossed - 1]->getOperand(0);
    for (auto [i, slice] : llvm::enumerate(positions[0].results)) {
      OpBuilder builder(slice.getDefiningOp());
      const AxisRange &highest = positions[crossed].slices[i];
      Value value = AxisSlice{top, highest.axis, highest.range}.build(builder, withoutTrace(slice.getLoc()));
      for (size_t below = crossed; below-- > 0;)
        value = rebuild(builder, ops[below], value, positions[below].resultType(i));
      takeTrace(value, slice);
      slice.replaceAllUsesWith(value);
    }
  }

  /// op1(op0(slice(%x))) -> slice(op1(op0(%x))), across `crossed` ops, which are applied once to all of %x.
  void sink(size_t crossed) {
    Value whole = source();
    OpBuilder builder(whole.getContext());
    builder.setInsertionPointAfterValue(whole);
    for (size_t next = 0; next < crossed; ++next)
      whole = rebuild(builder, ops[next], whole, positions[next + 1].wholeType);
    for (auto [result, slice] : llvm::zip_equal(positions[crossed].results, positions[crossed].slices)) {
      builder.setInsertionPoint(result.getDefiningOp());
      result.replaceAllUsesWith(AxisSlice{whole, slice.axis, slice.range}.build(builder, result.getLoc()));
    }
  }

  SmallVector<Position> positions;
  SmallVector<Operation *> ops; ///< the op between each position and the next one; if sinking, that of the first slice
  bool isDown;
  const RewriteContext &context;
  int64_t tilesOfOpsBefore = 0, tilesOfOpsAfter = 0; ///< that `ops` move in the program, and after the rewrite
};
} // namespace

static void moveSlices(Block &block, bool isDown, const RewriteContext &context) {
  for (const Position &position : slicesByAxis(block))
    SliceMotion(position, isDown, context).run();
}

void forge::hoistSlices(Block &block, const RewriteContext &context) { moveSlices(block, /*isDown=*/false, context); }
void forge::sinkSlices(Block &block, const RewriteContext &context) { moveSlices(block, /*isDown=*/true, context); }

// slice(%x, 5, 40) -> slice(slice(%x, 0, 64), 5, 40), if that moves fewer tiles: the window of whole tiles is copied as
// tiles, and only the window is untilized.
void forge::windowSlices(Block &block, const RewriteContext &context) {
  for (StridedSliceOp op : llvm::to_vector(block.getOps<StridedSliceOp>())) {
    std::optional<AxisSlice> slice = AxisSlice::of(op);
    std::optional<itd::SliceTraffic> traffic = slice ? context.layout.traffic(*slice) : std::nullopt;
    if (!traffic || !context.mayRewrite(op, "window", "only the tiles that the slice overlaps are untilized",
                                        traffic->ttnn, traffic->windowed))
      continue;
    itd::SliceSpec window = itd::sliceWindow(shapeOf(slice->source), slice->axis, slice->range);
    itd::SliceSpec rangeInWindow = slice->range;
    rangeInWindow.begin -= window.begin;
    rangeInWindow.end -= window.begin;
    OpBuilder builder(op);
    Value tiles = AxisSlice{slice->source, slice->axis, window}.build(builder, withoutTrace(op.getLoc()));
    op.replaceAllUsesWith(AxisSlice{tiles, slice->axis, rangeInWindow}.build(builder, op.getLoc()));
  }
}
