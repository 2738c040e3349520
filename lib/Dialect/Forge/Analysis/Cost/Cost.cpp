//===- Cost.cpp - the cost model of ops and programs ----------------------===//
//
// Sizes of tensors, and the time of given bytes and multiply-adds. DeviceKernels.cpp has the kernels of each op.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Analysis/Cost.h"

#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace forge;

int64_t forge::addCounts(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t forge::multiplyCounts(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t forge::matmulMultiplyAdds(RankedTensorType result, int64_t contracted) {
  return multiplyCounts(result.getNumElements(), contracted);
}

int64_t forge::convolutionMultiplyAdds(RankedTensorType outputs, RankedTensorType filters) {
  int64_t count = filters.getDimSize(0);
  return count == 0 ? 0 : multiplyCounts(outputs.getNumElements(), filters.getNumElements() / count);
}

int64_t forge::multiplyAdds(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](MatmulOp matmul) { return matmulMultiplyAdds(matmul.getType(), shapeOf(matmul.getOperandA()).back()); })
      .Case([](Conv2dOp conv) { return convolutionMultiplyAdds(conv.getType(), tensorType(conv.getWeights())); })
      .Case([](Conv2dTransposeOp conv) {
        return convolutionMultiplyAdds(tensorType(conv.getActivations()), tensorType(conv.getWeights()));
      })
      .Default([](Operation *) { return 0; });
}

int64_t forge::denseBytes(ArrayRef<int64_t> shape, unsigned bits) {
  int64_t bytes = std::max<int64_t>(1, bits / 8);
  for (int64_t size : shape)
    bytes = multiplyCounts(bytes, ShapedType::isDynamic(size) ? 1 : size);
  return bytes;
}

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

std::optional<itd::LayoutReport> DeviceLayout::report(RankedTensorType type) const {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return known(itd::layoutReport(shape, format(type.getElementType())));
}

int64_t DeviceLayout::bytes(RankedTensorType type) const {
  std::optional<itd::LayoutReport> known = report(type);
  return known ? known->bytes : std::numeric_limits<int64_t>::max();
}

std::optional<int64_t> DeviceLayout::tiles(RankedTensorType type) const {
  std::optional<itd::LayoutReport> known = report(type);
  return known ? std::optional(known->tiles) : std::nullopt;
}

std::optional<itd::SliceTraffic> DeviceLayout::traffic(const AxisSlice &slice) const {
  return traffic(tensorType(slice.source), {slice.axis, slice.range});
}

std::optional<itd::SliceTraffic> DeviceLayout::traffic(RankedTensorType source, const AxisRange &slice) const {
  return known(itd::sliceTraffic(source.getShape(), slice.axis, slice.range, format(source.getElementType())));
}

std::optional<int64_t> DeviceLayout::traffic(RankedTensorType source, ArrayRef<AxisRange> slices) const {
  int64_t total = 0;
  for (const AxisRange &slice : slices) {
    std::optional<itd::SliceTraffic> one = traffic(source, slice);
    if (!one)
      return std::nullopt;
    total = addCounts(total, one->windowed);
  }
  return total;
}

std::optional<int64_t> DeviceLayout::moveTraffic(Operation *op, RankedTensorType from, RankedTensorType to) const {
  std::optional<int64_t> in = tiles(from), out = tiles(to);
  if (!in || !out)
    return std::nullopt;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    int64_t rank = to.getRank();
    bool tiled0 = fromFront(transpose.getDim0(), rank) >= rank - 2,
         tiled1 = fromFront(transpose.getDim1(), rank) >= rank - 2;
    return tiled0 == tiled1 ? 2 * *out : 2 * *in + 2 * *out;
  }
  if (!isa<ReshapeOp>(op))
    return std::nullopt;
  return keepsTiles(from, to) ? 0 : 2 * *in + 2 * *out;
}

ArrayRef<Device> Device::all() {
  static const Device devices[] = {
#define DEVICE(...) {__VA_ARGS__},
#include "Devices.def"
#undef DEVICE
  };
  return devices;
}

const Device *Device::find(StringRef name) {
  const Device *found = llvm::find_if(all(), [&](const Device &device) { return device.name == name; });
  return found == all().end() ? nullptr : found;
}

// The time in picoseconds of `count` items at `perNanosecond` items per nanosecond.
static int64_t timeFor(int64_t count, int64_t perNanosecond) { return multiplyCounts(count, 1000) / perNanosecond; }

void OpCost::addKernels(int64_t count, int64_t newBytes, int64_t newMultiplyAdds, const DeviceLayout &layout) {
  const Device &device = *layout.device;
  bool isOf8 = layout.floats && layout.floats->bits <= 8;
  kernels = addCounts(kernels, count);
  bytes = addCounts(bytes, newBytes);
  multiplyAdds = addCounts(multiplyAdds, newMultiplyAdds);
  int64_t work = std::max(timeFor(newBytes, device.bytes),
                          timeFor(newMultiplyAdds, isOf8 ? device.multiplyAddsOf8 : device.multiplyAdds));
  time = addCounts(time, addCounts(multiplyCounts(count, device.launch * 1000), work));
}

void OpCost::addMove(RankedTensorType from, RankedTensorType to, const DeviceLayout &layout) {
  addKernels(1, addCounts(layout.bytes(from), layout.bytes(to)), 0, layout);
}

OpCost &OpCost::operator+=(const OpCost &other) {
  for (auto member : {&OpCost::calls, &OpCost::kernels, &OpCost::bytes, &OpCost::padding, &OpCost::moved,
                      &OpCost::multiplyAdds, &OpCost::time})
    this->*member = addCounts(this->*member, other.*member);
  return *this;
}

bool forge::pays(const OpCost &before, const OpCost &after) {
  return after.time <= before.time && after.calls <= before.calls &&
         (after.time < before.time || after.calls < before.calls);
}
