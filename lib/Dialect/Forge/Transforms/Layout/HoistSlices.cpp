//===- HoistSlices.cpp - slices up through reshapes and transposes --------===//
//
// Legal: through a transpose always, the axis changes. Through a reshape where the sliced elements are a box of the
// source that cuts one axis only; or where one item of an inner digit is taken, which is a strided slice.
//
//===----------------------------------------------------------------------===//

#include "Rewrites.h"

using namespace mlir;
using namespace forge;

static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

// x[..., i] of a reshape that splits an axis of `source` into (..., b): every b-th item from i.
static std::optional<AxisSlice> innerDigit(Value source, const AxisSlice &slice) {
  int64_t size = slice.extent(), inner = product(shapeOf(slice.source).drop_front(slice.axis + 1));
  if (slice.range.length() != 1 || size == 1)
    return std::nullopt;
  int64_t after = 1;
  for (int64_t axis = tensorType(source).getRank() - 1; axis >= 0; after *= shapeOf(source)[axis--]) {
    int64_t extent = shapeOf(source)[axis];
    if (after == inner && extent % size == 0 && extent > size)
      return AxisSlice{source, axis, {slice.range.begin, extent - size + slice.range.begin + 1, size}};
  }
  return std::nullopt;
}

static std::optional<AxisSlice> aboveReshape(ReshapeOp reshape, const AxisSlice &slice) {
  Value source = reshape.getOperandA();
  if (!slice.isContiguous())
    return std::nullopt;
  llvm::Expected<std::optional<itd::Box>> box =
      itd::sliceThroughReshape(reshape.getType().getShape(), slice.axis, slice.range, shapeOf(source));
  if (!box) {
    llvm::consumeError(box.takeError());
    return std::nullopt;
  }
  if (!*box)
    return innerDigit(source, slice);
  std::optional<AxisSlice> above;
  for (auto [axis, size] : llvm::enumerate(shapeOf(source))) {
    itd::SliceSpec range{(*box)->lo[axis], (*box)->hi[axis]};
    if (range.length() == size)
      continue;
    if (above)
      return std::nullopt;
    above = AxisSlice{source, static_cast<int64_t>(axis), range};
  }
  return above;
}

// The slice of the operand of `op` that holds the elements of `slice`, which is one of its result.
static std::optional<AxisSlice> above(Operation *op, const AxisSlice &slice) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return aboveReshape(reshape, slice);
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose)
    return std::nullopt;
  int64_t rank = transpose.getType().getRank();
  int64_t dim0 = fromFront(transpose.getDim0(), rank), dim1 = fromFront(transpose.getDim1(), rank);
  AxisSlice moved = slice;
  moved.source = transpose.getOperandA();
  moved.axis = slice.axis == dim0 ? dim1 : slice.axis == dim1 ? dim0 : slice.axis;
  return moved;
}

static void hoistSlice(StridedSliceOp op, const RewriteContext &context) {
  constexpr size_t kMostOps = 8;
  std::optional<AxisSlice> slice = AxisSlice::of(op);
  std::optional<itd::SliceTraffic> here = slice ? context.layout.traffic(*slice) : std::nullopt;
  // Ops above die with their last slice, and each slice then saves its share of them.
  if (!here || !areAllSlicesOf(slice->source, slice->axis))
    return;
  auto sharers = static_cast<int64_t>(std::distance(slice->source.user_begin(), slice->source.user_end()));

  SmallVector<Operation *> passed;
  SmallVector<AxisSlice> slices{*slice};
  // Against the slice where it is, with its share of the ops that die.
  int64_t saved = 0, pieces = 0, gain = 0, before = 0;
  size_t bestPlace = 0;
  while (passed.size() < kMostOps) {
    const AxisSlice &current = slices.back();
    Operation *producer = current.source.getDefiningOp();
    if (!producer || (!passed.empty() && !current.source.hasOneUse()))
      break;
    std::optional<AxisSlice> next = above(producer, current);
    if (!next)
      break;
    RankedTensorType type = tensorType(current.source);
    std::optional<int64_t> whole = moveTraffic(context.layout, producer, tensorType(producer->getOperand(0)), type);
    std::optional<int64_t> piece =
        moveTraffic(context.layout, producer, type.clone(next->shape()), type.clone(current.shape()));
    std::optional<itd::SliceTraffic> moved = context.layout.traffic(*next);
    if (!whole || !piece || !moved)
      break;
    saved += *whole / sharers;
    pieces += *piece;
    passed.push_back(producer);
    slices.push_back(*next);
    if (int64_t less = here->ttnn + saved - moved->ttnn - pieces; less > gain) {
      gain = less;
      before = here->ttnn + saved;
      bestPlace = passed.size();
    }
  }
  if (bestPlace == 0)
    return;

  OpBuilder builder(op);
  Value value = slices[bestPlace].build(builder, op.getLoc());
  for (size_t i = bestPlace; i-- > 0;) {
    RankedTensorType type = op.getType().clone(slices[i].shape());
    if (auto transpose = dyn_cast<TransposeOp>(passed[i]))
      value = TransposeOp::create(builder, passed[i]->getLoc(), type, value, transpose.getDim0(), transpose.getDim1());
    else
      value = ReshapeOp::create(builder, passed[i]->getLoc(), type, value, type.getShape());
  }
  context.explain(op.getLoc(), "hoist", "the slice is taken " + llvm::Twine(bestPlace) + " ops earlier", before,
                  before - gain);
  op.replaceAllUsesWith(value);
}

void forge::hoistSlices(func::FuncOp func, const RewriteContext &context) {
  SmallVector<StridedSliceOp> slices;
  func.walk([&](StridedSliceOp op) { slices.push_back(op); });
  for (StridedSliceOp op : slices)
    hoistSlice(op, context);
}
