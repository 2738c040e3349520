//===- MoveSlices.cpp - slices past reshapes and transposes ---------------===//
//
// A slice of the result of a reshape or a transpose is that op on a slice of its operand, and conversely, if both have
// the same index map. All slices of an axis of a value move together: up (hoist), so that the ops above them are done
// on the slices alone, or down (sink), so that the same ops on the slices are done once on the whole. Of all positions
// on the way, the one that saves most tiles is chosen.
//
// Besides, x[b:e] can be computed as (x[down(b):up(e)])[b - down(b) : e - down(b)], where down and up round to
// multiples of the tile size (a window). The first slice copies whole tiles, so that only those are untilized for the
// second, and not all of x.
//
//===----------------------------------------------------------------------===//

#include "Layout/Rewrites.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// A position of slices of one axis of a value: where they are, or where they could be moved to.
struct Place {
  RankedTensorType whole;
  SmallVector<AxisRange> slices;
  SmallVector<Value> pieces; ///< the results of these slices; empty for positions above the present one

  RankedTensorType piece(size_t i) const {
    SmallVector<int64_t> shape(whole.getShape());
    shape[slices[i].axis] = slices[i].range.length();
    return whole.clone(shape);
  }
};
} // namespace

// The slices of a function, grouped by the value and the axis, in order. More than 64 slices of one axis are left out,
// because their search takes too long.
static std::vector<Place> slicesByAxis(func::FuncOp func) {
  constexpr size_t kMost = 64;
  llvm::MapVector<std::pair<Value, int64_t>, Place> places;
  func.walk([&](StridedSliceOp op) {
    std::optional<AxisSlice> slice = AxisSlice::of(op);
    if (!slice)
      return;
    Place &place = places[{slice->source, slice->axis}];
    place.whole = tensorType(slice->source);
    place.slices.push_back({slice->axis, slice->range});
    place.pieces.push_back(op);
  });
  std::vector<Place> found;
  for (auto &[key, place] : places)
    if (place.slices.size() <= kMost)
      found.push_back(std::move(place));
  return found;
}

// Hoists `slice`, of the result of a reshape or a transpose `op`: the slice of the operand of which the same op
// computes the sliced result. None if that is no slice along a single axis. The index maps of slice(op(x)) and
// op(slice(x)) are compared at the end.
static std::optional<AxisRange> sliceAbove(Operation *op, AxisRange slice) {
  RankedTensorType from = tensorType(op->getOperand(0));
  IndexMap map(from.getShape()), rest(from.getShape());
  if (!map.apply(op) || !map.slice(toSlice(slice)))
    return std::nullopt;
  std::optional<SmallVector<SliceRange>> ranges = map.slices(from.getShape(), &rest);
  if (!ranges)
    return std::nullopt;
  std::optional<AxisRange> found;
  for (auto [axis, range] : llvm::enumerate(*ranges)) {
    if (range.count() == from.getDimSize(axis))
      continue;
    if (found)
      return std::nullopt;
    found = AxisRange{static_cast<int64_t>(axis), toSpec(range)};
  }
  if (!found)
    return std::nullopt;
  IndexMap moved(Place{from, {*found}, {}}.piece(0).getShape());
  return moved.move(op, Place{tensorType(op->getResult(0)), {slice}, {}}.piece(0).getShape()) && moved == rest
             ? found
             : std::nullopt;
}

// Sinks `slice`, of a value of type `source`, past its user `op`. If an op like `first` were applied to the whole
// value, the result of `op` would be a slice of its result along `axis`: the shape of that result, and the slice.
static std::optional<std::pair<Shape, AxisRange>> sliceBelow(Operation *op, int64_t axis, Operation *first,
                                                             RankedTensorType source, AxisRange slice) {
  RankedTensorType type = tensorType(op->getResult(0));
  int64_t length = slice.range.length(), size = type.getDimSize(axis), extent = source.getDimSize(slice.axis);
  // The axis has the same fraction of its size as the slice has of the source.
  int64_t total, begin;
  if (llvm::MulOverflow(size, extent, total) || llvm::MulOverflow(size, slice.range.begin, begin) ||
      total % length != 0 || begin % length != 0)
    return std::nullopt;
  Shape shape(type.getShape());
  shape[axis] = total / length;
  AxisRange below{axis, size == length ? slice.range : itd::SliceSpec{begin / length, begin / length + size}};
  IndexMap now(source.getShape()), later(source.getShape());
  bool isSame = now.slice(toSlice(slice)) && now.apply(op) && later.move(first, shape) && later.slice(toSlice(below)) &&
                now == later;
  return isSame ? std::optional(std::pair(shape, below)) : std::nullopt;
}

// The position of the slices if they are hoisted past `op`, the producer of the sliced value.
static std::optional<Place> hoisted(const Place &place, Operation *op) {
  if (!isa_and_nonnull<ReshapeOp, TransposeOp>(op))
    return std::nullopt;
  Place next{tensorType(op->getOperand(0)), {}, {}};
  for (const AxisRange &slice : place.slices) {
    std::optional<AxisRange> up = sliceAbove(op, slice);
    if (!up)
      return std::nullopt;
    next.slices.push_back(*up);
  }
  return next;
}

// The position of the slices if they are sunk past their users, one each: slices of the result that the first of these
// users would have for the whole value.
static std::optional<Place> sunk(const Place &place) {
  SmallVector<Operation *> users;
  for (Value piece : place.pieces) {
    if (!piece.hasOneUse() || !isa<ReshapeOp, TransposeOp>(*piece.user_begin()))
      return std::nullopt;
    users.push_back(*piece.user_begin());
  }
  int64_t rank = tensorType(users.front()->getResult(0)).getRank();
  for (int64_t axis = 0; axis < rank; ++axis) {
    Place next;
    for (auto [user, slice] : llvm::zip_equal(users, place.slices)) {
      if (tensorType(user->getResult(0)).getRank() != rank)
        return std::nullopt;
      auto found = sliceBelow(user, axis, users.front(), place.whole, slice);
      if (!found || (next.whole && next.whole.getShape() != ArrayRef(found->first)))
        break;
      next.whole = place.whole.clone(found->first);
      next.slices.push_back(found->second);
      next.pieces.push_back(user->getResult(0));
    }
    if (next.slices.size() == users.size())
      return next;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

// The same reshape (to `type`) or transpose of another value, which is no ONNX value.
static Value rebuild(OpBuilder &builder, Operation *op, Value operand, RankedTensorType type) {
  Location loc = withoutTrace(op->getLoc());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return TransposeOp::create(builder, loc, type, operand, transpose.getDim0(), transpose.getDim1());
  return ReshapeOp::create(builder, loc, type, operand, type.getShape());
}

namespace {
/// The places of some slices in one direction, each one op away from the one before.
class SliceMotion {
public:
  SliceMotion(const Place &here, bool isDown, const DeviceLayout &layout)
      : places{here}, isDown(isDown), layout(layout) {}

  /// Looks at a few places, and moves the slices to the one where most tiles are saved, if there is one.
  void run(const RewriteContext &context);

private:
  // Whoever replaces the source replaces it for all slices.
  Value source() const { return places.front().pieces.front().getDefiningOp<StridedSliceOp>().getOperandA(); }
  bool mayMove() const;
  bool advance();
  void hoist(size_t place);
  void sink(size_t place);

  SmallVector<Place> places;
  SmallVector<Operation *> ops; ///< between each place and the next; of those on the pieces the first
  bool isDown;
  const DeviceLayout &layout;
  int64_t before = 0, after = 0; ///< tiles that these ops move as they are, and when the slices are past them
};
} // namespace

// The ops above slices must have no other reader. Slices that are cut into heads stay.
bool SliceMotion::mayMove() const {
  ArrayRef<Value> pieces = places.front().pieces;
  return isDown ? llvm::none_of(pieces, isHeadSplit) : source().hasNUses(pieces.size());
}

bool SliceMotion::advance() {
  constexpr size_t kMostOps = 8;
  if (ops.size() == kMostOps)
    return false;
  Value whole = ops.empty() || isDown ? source() : ops.back()->getOperand(0);
  if (!isDown && !ops.empty() && !whole.hasOneUse())
    return false;
  std::optional<Place> next = isDown ? sunk(places.back()) : hoisted(places.back(), whole.getDefiningOp());
  if (!next)
    return false;
  Operation *op = isDown ? next->pieces.front().getDefiningOp() : whole.getDefiningOp();
  const Place &upper = isDown ? places.back() : *next, &lower = isDown ? *next : places.back();
  std::optional<int64_t> once = layout.moveTraffic(op, upper.whole, lower.whole);
  int64_t each = 0;
  for (size_t i = 0; i < upper.slices.size(); ++i) {
    std::optional<int64_t> piece = layout.moveTraffic(op, upper.piece(i), lower.piece(i));
    if (!once || !piece)
      return false;
    each += *piece;
  }
  before += isDown ? each : *once;
  after += isDown ? *once : each;
  ops.push_back(op);
  places.push_back(std::move(*next));
  return true;
}

void SliceMotion::run(const RewriteContext &context) {
  std::optional<int64_t> here = layout.traffic(places[0].whole, places[0].slices);
  if (!here || !mayMove())
    return;
  size_t best = 0;
  int64_t gain = 0, now = 0;
  while (advance()) {
    std::optional<int64_t> slices = layout.traffic(places.back().whole, places.back().slices);
    int64_t saved = slices ? *here + before - after - *slices : 0;
    // Where two places are as good, the lower one leaves fewer ops.
    if (saved < gain || saved == 0 || (saved == gain && !isDown))
      continue;
    best = ops.size();
    gain = saved;
    now = *here + before;
  }
  std::string what =
      llvm::formatv("{0} slices are taken {1} ops {2}", places[0].slices.size(), best, isDown ? "later" : "earlier");
  if (best > 0 &&
      context.mayRewrite(places[0].pieces[0].getDefiningOp(), isDown ? "sink" : "hoist", what, now, now - gain))
    isDown ? sink(best) : hoist(best);
}

void SliceMotion::hoist(size_t place) {
  Value top = ops[place - 1]->getOperand(0);
  for (auto [i, slice] : llvm::enumerate(places[0].pieces)) {
    OpBuilder builder(slice.getDefiningOp());
    const AxisRange &highest = places[place].slices[i];
    Value value = AxisSlice{top, highest.axis, highest.range}.build(builder, withoutTrace(slice.getLoc()));
    for (size_t below = place; below-- > 0;)
      value = rebuild(builder, ops[below], value, places[below].piece(i));
    takeTrace(value, slice);
    slice.getDefiningOp()->replaceAllUsesWith(ValueRange(value));
  }
}

void SliceMotion::sink(size_t place) {
  Value whole = source();
  OpBuilder builder(whole.getContext());
  builder.setInsertionPointAfterValue(whole);
  for (size_t next = 0; next < place; ++next)
    whole = rebuild(builder, ops[next], whole, places[next + 1].whole);
  for (auto [piece, slice] : llvm::zip_equal(places[place].pieces, places[place].slices)) {
    builder.setInsertionPoint(piece.getDefiningOp());
    piece.replaceAllUsesWith(AxisSlice{whole, slice.axis, slice.range}.build(builder, piece.getLoc()));
  }
}

void forge::hoistSlices(func::FuncOp func, const RewriteContext &context) {
  for (const Place &place : slicesByAxis(func))
    SliceMotion(place, /*isDown=*/false, context.layout).run(context);
}

void forge::sinkSlices(func::FuncOp func, const RewriteContext &context) {
  for (const Place &place : slicesByAxis(func))
    SliceMotion(place, /*isDown=*/true, context.layout).run(context);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

void forge::windowSlices(func::FuncOp func, const RewriteContext &context) {
  SmallVector<StridedSliceOp> slices;
  func.walk([&](StridedSliceOp op) { slices.push_back(op); });
  for (StridedSliceOp op : slices) {
    std::optional<AxisSlice> slice = AxisSlice::of(op);
    std::optional<itd::SliceTraffic> whole = slice ? context.layout.traffic(*slice) : std::nullopt;
    if (!whole || !context.mayRewrite(op, "window", "the slice takes apart the tiles that it touches only", whole->ttnn,
                                      whole->windowed))
      continue;
    itd::SliceSpec window = itd::sliceWindow(shapeOf(slice->source), slice->axis, slice->range), range = slice->range;
    range.begin -= window.begin;
    range.end -= window.begin;
    OpBuilder builder(op);
    Value tiles = AxisSlice{slice->source, slice->axis, window}.build(builder, op.getLoc());
    op.replaceAllUsesWith(AxisSlice{tiles, slice->axis, range}.build(builder, op.getLoc()));
  }
}
