//===- SinkSlices.cpp - slices down through reshapes and transposes -------===//
//
// Pieces that all get the same transpose, or reshapes alike, are cut after it instead: the whole moves once. Legal
// where the index map of the slice and the op is that of the op on the whole and another slice.
//
//===----------------------------------------------------------------------===//

#include "Layout/Slices/SliceMotion.h"

using namespace mlir;
using namespace forge;

namespace {
/// Slices of a value that is not there yet, and what they stand for.
struct Place {
  RankedTensorType whole;
  SmallVector<AxisRange> slices;
  SmallVector<Value> pieces;
};
} // namespace

// Whether `op` makes of `slice` of the source what `below` is of the whole that it makes of all of the source, of shape
// `whole`.
static bool isSliceOf(Operation *op, RankedTensorType source, AxisRange slice, ArrayRef<int64_t> whole,
                      AxisRange below) {
  IndexMap now(source.getShape()), later(source.getShape());
  return now.slice(toSlice(slice)) && now.apply(op) && later.move(op, whole) && later.slice(toSlice(below)) &&
         now == later;
}

// The shape whose slice along `axis` the result of `op` is, and that slice.
static std::optional<std::pair<SmallVector<int64_t>, AxisRange>> wholeOf(ReshapeOp op, int64_t axis,
                                                                         RankedTensorType source, AxisRange slice) {
  int64_t length = slice.range.length(), size = op.getType().getDimSize(axis), extent = source.getDimSize(slice.axis);
  // As the source shrank, so did this axis.
  int64_t total, begin;
  if (llvm::MulOverflow(size, extent, total) || llvm::MulOverflow(size, slice.range.begin, begin) ||
      total % length != 0 || begin % length != 0)
    return std::nullopt;
  SmallVector<int64_t> shape(op.getType().getShape());
  shape[axis] = total / length;
  AxisRange below{axis, {begin / length, begin / length + size}};
  return isSliceOf(op, source, slice, shape, below) ? std::optional(std::pair(shape, below)) : std::nullopt;
}

static std::optional<Place> pastReshapes(const Place &place, ArrayRef<Operation *> users) {
  auto first = cast<ReshapeOp>(users.front());
  for (int64_t axis = 0; axis < first.getType().getRank(); ++axis) {
    Place next;
    SmallVector<int64_t> shape;
    for (auto [user, slice] : llvm::zip_equal(users, place.slices)) {
      auto reshape = dyn_cast<ReshapeOp>(user);
      if (!reshape || reshape.getType().getRank() != first.getType().getRank())
        return std::nullopt;
      auto found = wholeOf(reshape, axis, place.whole, slice);
      if (!found || (!shape.empty() && shape != found->first))
        break;
      shape = found->first;
      next.slices.push_back(found->second);
    }
    if (next.slices.size() == users.size()) {
      next.whole = place.whole.clone(shape);
      return next;
    }
  }
  return std::nullopt;
}

static std::optional<Place> pastTransposes(const Place &place, ArrayRef<Operation *> users) {
  auto first = cast<TransposeOp>(users.front());
  int64_t rank = first.getType().getRank();
  Place next;
  for (auto [user, slice] : llvm::zip_equal(users, place.slices)) {
    auto transpose = dyn_cast<TransposeOp>(user);
    if (!transpose || fromFront(transpose.getDim0(), rank) != fromFront(first.getDim0(), rank) ||
        fromFront(transpose.getDim1(), rank) != fromFront(first.getDim1(), rank))
      return std::nullopt;
    next.slices.push_back({transposedAxis(first, slice.axis), slice.range});
  }
  SmallVector<int64_t> shape(place.whole.getShape());
  std::swap(shape[fromFront(first.getDim0(), rank)], shape[fromFront(first.getDim1(), rank)]);
  next.whole = place.whole.clone(shape);
  return next;
}

// What the only users of the pieces make of them, as slices of what they would make of the whole.
static std::optional<Place> past(const Place &place, SmallVectorImpl<Operation *> &users) {
  for (Value piece : place.pieces) {
    if (!piece.hasOneUse())
      return std::nullopt;
    users.push_back(*piece.user_begin());
  }
  std::optional<Place> next = isa<ReshapeOp>(users.front())     ? pastReshapes(place, users)
                              : isa<TransposeOp>(users.front()) ? pastTransposes(place, users)
                                                                : std::nullopt;
  if (next)
    for (Operation *user : users)
      next->pieces.push_back(user->getResult(0));
  return next;
}

namespace {
/// The ops on the pieces die, and are done once on the whole.
class Sink : public SliceMotion {
public:
  Sink(const SliceGroup &group, const DeviceLayout &layout) : SliceMotion("sink", "later", group, layout) {
    places.push_back({tensorType(group.source()), group.axisRanges(), group.slices});
  }

  std::optional<int64_t> trafficHere() override {
    return llvm::any_of(group.slices, isHeadSplit) ? std::nullopt : layout.traffic(places[0].whole, places[0].slices);
  }
  std::optional<Step> advance() override;
  // Where two places are as good, the later one leaves fewer ops.
  bool prefersFarther() const override { return true; }
  void build(size_t place) override;

private:
  SmallVector<Operation *> below; ///< between each place and the next, one of those on the pieces
  SmallVector<Place> places;
};
} // namespace

std::optional<SliceMotion::Step> Sink::advance() {
  SmallVector<Operation *> users;
  std::optional<Place> next = past(places.back(), users);
  if (!next)
    return std::nullopt;
  std::optional<int64_t> whole = layout.moveTraffic(users.front(), places.back().whole, next->whole);
  std::optional<int64_t> slices = layout.traffic(next->whole, next->slices);
  if (!whole || !slices)
    return std::nullopt;
  Step step{0, *whole, *slices};
  for (Operation *user : users) {
    std::optional<int64_t> piece =
        layout.moveTraffic(user, tensorType(user->getOperand(0)), tensorType(user->getResult(0)));
    if (!piece)
      return std::nullopt;
    step.opsBefore += *piece;
  }
  below.push_back(users.front());
  places.push_back(std::move(*next));
  return step;
}

void Sink::build(size_t place) {
  Value whole = group.source();
  OpBuilder builder(whole.getContext());
  builder.setInsertionPointAfterValue(whole);
  for (size_t next = 0; next < place; ++next)
    whole = rebuild(builder, below[next], whole, places[next + 1].whole);
  for (auto [piece, slice] : llvm::zip_equal(places[place].pieces, places[place].slices)) {
    builder.setInsertionPoint(piece.getDefiningOp());
    piece.replaceAllUsesWith(AxisSlice{whole, slice.axis, slice.range}.build(builder, piece.getLoc()));
  }
}

void forge::sinkSlices(func::FuncOp func, const RewriteContext &context) {
  for (const SliceGroup &group : sliceGroups(func))
    Sink(group, context.layout).run(context);
}
