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

// What `op` makes of `slice` of a value of type `source`, as a slice along `axis` of what an op like `first` makes of
// all of the value: the shape of that, and the slice.
static std::optional<std::pair<Shape, AxisRange>> wholeOf(Operation *op, int64_t axis, Operation *first,
                                                          RankedTensorType source, AxisRange slice) {
  RankedTensorType type = tensorType(op->getResult(0));
  int64_t length = slice.range.length(), size = type.getDimSize(axis), extent = source.getDimSize(slice.axis);
  // As the source shrank, so did this axis.
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

// What the only users of the pieces make of them, as slices of what the first would make of the whole.
static std::optional<Place> past(const Place &place, SmallVectorImpl<Operation *> &users) {
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
      auto found = wholeOf(user, axis, users.front(), place.whole, slice);
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
