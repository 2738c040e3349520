//===- HoistSlices.cpp - slices up through reshapes and transposes --------===//
//
// Legal where the index map of the op and the slice is one slice of an axis of the operand, and the op on that. All
// slices of a value move, so that the ops above them have no user left.
//
//===----------------------------------------------------------------------===//

#include "Layout/Slices/SliceMotion.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

static RankedTensorType sliced(RankedTensorType source, AxisRange slice) {
  SmallVector<int64_t> shape(source.getShape());
  shape[slice.axis] = slice.range.length();
  return source.clone(shape);
}

// The slice of the operand of `op`, a reshape or a transpose, of which `op` makes `slice`, one of its result.
static std::optional<AxisRange> above(Operation *op, AxisRange slice) {
  RankedTensorType from = tensorType(op->getOperand(0)), to = tensorType(op->getResult(0));
  IndexMap map(from.getShape()), rest(from.getShape());
  if (!isa<ReshapeOp, TransposeOp>(op) || !map.apply(op) || !map.slice(toSlice(slice)))
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
  IndexMap moved(sliced(from, *found).getShape());
  return moved.move(op, sliced(to, slice).getShape()) && moved == rest ? found : std::nullopt;
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
