//===- AxisSlice.cpp - slices of one axis, and what tiles make of them ----===//

#include "AxisSlice.h"

#include "forge/Dialect/Forge/IR/SliceRange.h"
#include "forge/Support/Diagnostics.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static AxisSlice withRange(Value source, int64_t axis, itd::SliceSpec range) {
  if (range.length() == 1)
    range = {range.begin, range.begin + 1};
  return {source, axis, range};
}

std::optional<AxisSlice> AxisSlice::of(Value value) {
  if (auto index = value.getDefiningOp<IndexOp>()) {
    int64_t axis = fromFront(index.getDim(), tensorType(value).getRank());
    return withRange(index.getOperandA(), axis, {index.getStart(), index.getStop(), index.getStride()});
  }
  auto slice = value.getDefiningOp<StridedSliceOp>();
  if (!slice || slice.getAxes().size() != 1 || slice.getStrides()[0] < 1)
    return std::nullopt;
  int64_t axis = fromFront(slice.getAxes()[0], tensorType(value).getRank());
  SliceRange range = SliceRange::clamp(slice.getBegin()[0], slice.getEnd()[0], slice.getStrides()[0],
                                       shapeOf(slice.getOperandA())[axis]);
  if (slice.getType().getNumElements() == 0)
    return std::nullopt;
  return withRange(slice.getOperandA(), axis, {range.start, range.stop, range.stride});
}

SmallVector<int64_t> AxisSlice::shape() const {
  SmallVector<int64_t> shape(shapeOf(source));
  shape[axis] = range.length();
  return shape;
}

Value AxisSlice::build(OpBuilder &builder, Location loc) const {
  if (isWhole())
    return source;
  return StridedSliceOp::create(builder, loc, tensorType(source).clone(shape()), source, ArrayRef(axis),
                                ArrayRef(range.begin), ArrayRef(range.end), ArrayRef(range.step));
}

Value forge::sliceOf(OpBuilder &builder, Location loc, Value source, int64_t axis, int64_t begin, int64_t end) {
  return AxisSlice{source, axis, {begin, end}}.build(builder, loc);
}

bool forge::areAllSlicesOf(Value value, int64_t axis) {
  // Each of the slices asks; the limit keeps that linear.
  constexpr unsigned kMost = 64;
  if (llvm::hasNItemsOrMore(value.getUsers(), kMost + 1))
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    std::optional<AxisSlice> slice =
        isa<StridedSliceOp, IndexOp>(user) ? AxisSlice::of(user->getResult(0)) : std::nullopt;
    return slice && slice->axis == axis;
  });
}

bool forge::isElementwise(Operation *op) {
  // Dropout is none: its elements depend on how many were drawn before. Neither is an identity, which names a tensor.
  return isa<AbsOp, ExpOp, LogOp, ReciprocalOp, SqrtOp, ReluOp, SigmoidOp, SineOp, CosineOp, AtanOp, TanhOp, ErfOp,
             LogicalNotOp, CastOp, PowOp, LeakyReluOp, GeluOp, ClipOp, AddOp, SubtractOp, MultiplyOp, MaxOp, MinOp,
             PowerOp, HeavisideOp, RemainderOp, BitwiseAndOp, DivideOp, EqualOp, NotEqualOp, GreaterOp, LessOp,
             GreaterEqualOp, LessEqualOp, WhereOp>(op);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

FailureOr<DeviceLayout> DeviceLayout::parse(Operation *op, StringRef format) {
  DeviceLayout layout;
  if (format.empty())
    return layout;
  layout.floats = itd::elementFormat(format);
  if (layout.floats && !layout.floats->isInteger)
    return layout;
  InFlightDiagnostic diagnostic = emitError(op->getLoc(), Code::PassOption) << "expected a format out of";
  for (const itd::ElementFormat &known : itd::elementFormats())
    if (!known.isInteger)
      diagnostic << " " << known.name;
  return diagnostic << ", but got '" << format << "'";
}

itd::ElementFormat DeviceLayout::format(Type element) const {
  if (!isa<FloatType>(element))
    return *itd::elementFormat("i32");
  if (floats)
    return *floats;
  return *itd::elementFormat(element.isF16() ? "f16" : element.isBF16() ? "bf16" : "f32");
}

// A shape of rank 0 is one of one element.
static SmallVector<int64_t> shapeInTiles(RankedTensorType type) {
  return type.getRank() == 0 ? SmallVector<int64_t>{1} : SmallVector<int64_t>(type.getShape());
}

template <typename T>
static std::optional<T> known(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

std::optional<itd::SliceClass> DeviceLayout::classOf(const AxisSlice &slice) const {
  RankedTensorType type = tensorType(slice.source);
  auto report = known(itd::classifySlice(type.getShape(), slice.axis, slice.range, format(type.getElementType())));
  return report ? std::optional(report->sliceClass) : std::nullopt;
}

std::optional<itd::SliceTraffic> DeviceLayout::traffic(const AxisSlice &slice) const {
  return traffic(tensorType(slice.source), slice.axis, slice.range);
}

std::optional<itd::SliceTraffic> DeviceLayout::traffic(RankedTensorType source, int64_t axis,
                                                       itd::SliceSpec range) const {
  return known(itd::sliceTraffic(source.getShape(), axis, range, format(source.getElementType())));
}

std::optional<itd::LayoutReport> DeviceLayout::report(RankedTensorType type) const {
  return known(itd::layoutReport(shapeInTiles(type), format(type.getElementType())));
}
