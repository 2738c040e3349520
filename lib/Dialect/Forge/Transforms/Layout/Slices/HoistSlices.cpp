//===- HoistSlices.cpp - slices up through reshapes and transposes --------===//
//
// Legal: through a transpose always, the axis changes; through a reshape where its source has the same slice
// (rangeAboveReshape). All slices of a value move, so that the ops above them have no user left.
//
//===----------------------------------------------------------------------===//

#include "Layout/Slices/SliceMotion.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

// The slice of the operand of `op` that holds the elements of `slice`, which is one of its result.
static std::optional<AxisRange> above(Operation *op, AxisRange slice) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return AxisRange{transposedAxis(transpose, slice.axis), slice.range};
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return rangeAboveReshape(shapeOf(reshape.getOperandA()), reshape.getType().getShape(), slice);
  return std::nullopt;
}

static RankedTensorType sliced(RankedTensorType source, AxisRange slice) {
  SmallVector<int64_t> shape(source.getShape());
  shape[slice.axis] = slice.range.length();
  return source.clone(shape);
}

namespace {
/// The ops above the slices die, and are done on each piece instead.
class Hoist : public SliceMotion {
public:
  Hoist(const SliceGroup &group, const DeviceLayout &layout)
      : SliceMotion("hoist", "earlier", group, layout), source(group.source()) {
    places.push_back(group.axisRanges());
  }

  std::optional<int64_t> trafficHere() override {
    return group.isOnlyReader() ? layout.traffic(tensorType(source), places[0]) : std::nullopt;
  }
  std::optional<Step> advance() override;
  void build(size_t place) override;

private:
  Value source;                   ///< of the slices at the last place
  SmallVector<Operation *> above; ///< between each place and the one before
  SmallVector<SmallVector<AxisRange>> places;
};
} // namespace

std::optional<SliceMotion::Step> Hoist::advance() {
  Operation *producer = source.getDefiningOp();
  if (!producer || (!above.empty() && !source.hasOneUse()))
    return std::nullopt;
  SmallVector<AxisRange> next;
  for (const AxisRange &slice : places.back()) {
    std::optional<AxisRange> up = ::above(producer, slice);
    if (!up)
      return std::nullopt;
    next.push_back(*up);
  }
  RankedTensorType from = tensorType(producer->getOperand(0)), to = tensorType(source);
  std::optional<int64_t> whole = layout.moveTraffic(producer, from, to), slices = layout.traffic(from, next);
  if (!whole || !slices)
    return std::nullopt;
  Step step{*whole, 0, *slices};
  for (auto [up, down] : llvm::zip_equal(next, places.back())) {
    std::optional<int64_t> piece = layout.moveTraffic(producer, sliced(from, up), sliced(to, down));
    if (!piece)
      return std::nullopt;
    step.opsAfter += *piece;
  }
  above.push_back(producer);
  places.push_back(std::move(next));
  source = producer->getOperand(0);
  return step;
}

void Hoist::build(size_t place) {
  Value top = above[place - 1]->getOperand(0);
  for (auto [i, slice] : llvm::enumerate(group.slices)) {
    OpBuilder builder(slice.getDefiningOp());
    const AxisRange &highest = places[place][i];
    Value value = AxisSlice{top, highest.axis, highest.range}.build(builder, withoutTrace(slice.getLoc()));
    for (size_t below = place; below-- > 0;)
      value = rebuild(builder, above[below], value, sliced(tensorType(above[below]->getResult(0)), places[below][i]));
    takeTrace(value, slice);
    slice.getDefiningOp()->replaceAllUsesWith(ValueRange(value));
  }
}

void forge::hoistSlices(func::FuncOp func, const RewriteContext &context) {
  for (const SliceGroup &group : sliceGroups(func))
    Hoist(group, context.layout).run(context);
}
