//===- HoistSlices.cpp - slices up through reshapes and transposes --------===//
//
// Legal: through a transpose always, the axis changes; through a reshape where its source has the same slice
// (rangeAboveReshape). All slices of a value move, so that what they leave behind dies.
//
//===----------------------------------------------------------------------===//

#include "SliceMotion.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

// The slices of the operand of `op` that hold the items of `slices`, which are some of its result.
static std::optional<SmallVector<AxisRange>> above(Operation *op, ArrayRef<AxisRange> slices) {
  SmallVector<AxisRange> found;
  for (AxisRange slice : slices) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      slice.axis = transposedAxis(transpose, slice.axis);
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      std::optional<AxisRange> up =
          rangeAboveReshape(shapeOf(reshape.getOperandA()), reshape.getType().getShape(), slice);
      if (!up)
        return std::nullopt;
      slice = *up;
    } else {
      return std::nullopt;
    }
    found.push_back(slice);
  }
  return found;
}

static SmallVector<int64_t> shapeAfter(RankedTensorType source, AxisRange slice) {
  SmallVector<int64_t> shape(source.getShape());
  shape[slice.axis] = slice.range.length();
  return shape;
}

static void hoist(const SliceGroup &group, const RewriteContext &context) {
  constexpr size_t kMostOps = 8;
  SmallVector<SmallVector<AxisRange>> places(1);
  for (const itd::SliceSpec &range : group.ranges)
    places[0].push_back({group.axis, range});
  std::optional<int64_t> here = trafficOf(context.layout, tensorType(group.source()), places[0]);
  if (!here || !group.isOnlyReader())
    return;

  // The ops above die, and are done on each piece instead.
  SmallVector<Operation *> passed;
  int64_t saved = 0, pieces = 0, gain = 0, before = 0;
  size_t best = 0;
  Value source = group.source();
  while (passed.size() < kMostOps) {
    Operation *producer = source.getDefiningOp();
    if (!producer || (!passed.empty() && !source.hasOneUse()))
      break;
    std::optional<SmallVector<AxisRange>> next = above(producer, places.back());
    if (!next)
      break;
    RankedTensorType from = tensorType(producer->getOperand(0)), to = tensorType(source);
    std::optional<int64_t> whole = moveTraffic(context.layout, producer, from, to);
    std::optional<int64_t> slices = trafficOf(context.layout, from, *next);
    if (!whole || !slices)
      break;
    bool isKnown = true;
    for (auto [up, down] : llvm::zip_equal(*next, places.back())) {
      std::optional<int64_t> piece =
          moveTraffic(context.layout, producer, from.clone(shapeAfter(from, up)), to.clone(shapeAfter(to, down)));
      isKnown &= piece.has_value();
      pieces += piece.value_or(0);
    }
    if (!isKnown)
      break;
    saved += *whole;
    passed.push_back(producer);
    places.push_back(*next);
    source = producer->getOperand(0);
    if (int64_t less = *here + saved - *slices - pieces; less > gain) {
      gain = less;
      before = *here + saved;
      best = passed.size();
    }
  }
  if (best == 0)
    return;

  context.explain(group.slices.front().getLoc(), "hoist",
                  Twine(group.slices.size()) + " slices are taken " + Twine(best) + " ops earlier", before,
                  before - gain);
  Value top = passed[best - 1]->getOperand(0);
  for (auto [i, slice] : llvm::enumerate(group.slices)) {
    OpBuilder builder(slice.getDefiningOp());
    Value value = AxisSlice{top, places[best][i].axis, places[best][i].range}.build(builder, unmarked(slice.getLoc()));
    for (size_t place = best; place-- > 0;) {
      RankedTensorType type = tensorType(passed[place]->getResult(0));
      value = rebuild(builder, passed[place], value, type.clone(shapeAfter(type, places[place][i])));
    }
    takeMarks(value, slice);
    slice.getDefiningOp()->replaceAllUsesWith(ValueRange(value));
  }
}

void forge::hoistSlices(func::FuncOp func, const RewriteContext &context) {
  for (const SliceGroup &group : sliceGroups(func))
    hoist(group, context);
}
