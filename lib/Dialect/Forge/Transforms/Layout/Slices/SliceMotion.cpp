//===- SliceMotion.cpp - slices past reshapes and transposes --------------===//

#include "Layout/Slices/SliceMotion.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace forge;

// Whoever replaces the source replaces it for all of them.
Value SliceGroup::source() const { return slices.front().getDefiningOp<StridedSliceOp>().getOperandA(); }

bool forge::isHeadSplit(Value piece) {
  return llvm::any_of(piece.getUsers(), [&](Operation *user) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    if (!reshape || reshape.getType().getRank() < 2)
      return false;
    int64_t size = reshape.getType().getShape().back();
    return size < shapeOf(piece).back() && size % kTile == 0;
  });
}

SmallVector<AxisRange> SliceGroup::axisRanges() const {
  return llvm::map_to_vector(ranges, [&](const itd::SliceSpec &range) { return AxisRange{axis, range}; });
}

bool SliceGroup::isOnlyReader() const {
  return static_cast<size_t>(std::distance(source().user_begin(), source().user_end())) == slices.size();
}

std::vector<SliceGroup> forge::sliceGroups(func::FuncOp func) {
  constexpr size_t kMost = 64;
  llvm::MapVector<std::pair<Value, int64_t>, SliceGroup> groups;
  func.walk([&](StridedSliceOp op) {
    std::optional<AxisSlice> slice = AxisSlice::of(op);
    if (!slice)
      return;
    SliceGroup &group = groups[{slice->source, slice->axis}];
    group.axis = slice->axis;
    group.slices.push_back(op);
    group.ranges.push_back(slice->range);
  });
  std::vector<SliceGroup> found;
  for (auto &[key, group] : groups)
    if (group.slices.size() <= kMost)
      found.push_back(std::move(group));
  return found;
}

void SliceMotion::run(const RewriteContext &context) {
  constexpr size_t kMostOps = 8;
  std::optional<int64_t> here = trafficHere();
  if (!here)
    return;
  int64_t opsBefore = 0, opsAfter = 0, gain = 0, before = 0;
  size_t best = 0;
  for (size_t place = 1; place <= kMostOps; ++place) {
    std::optional<Step> step = advance();
    if (!step)
      break;
    opsBefore += step->opsBefore;
    opsAfter += step->opsAfter;
    int64_t saved = *here + opsBefore - opsAfter - step->slices;
    if (saved > gain || (best > 0 && saved == gain && prefersFarther())) {
      best = place;
      gain = saved;
      before = *here + opsBefore;
    }
  }
  if (best > 0 && context.mayRewrite(group.slices.front().getDefiningOp(), rule,
                                     Twine(group.slices.size()) + " slices are taken " + Twine(best) + " ops " + where,
                                     before, before - gain))
    build(best);
}

Value forge::rebuild(OpBuilder &builder, Operation *op, Value operand, RankedTensorType type) {
  Location loc = withoutTrace(op->getLoc());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return TransposeOp::create(builder, loc, type, operand, transpose.getDim0(), transpose.getDim1());
  return ReshapeOp::create(builder, loc, type, operand, type.getShape());
}
