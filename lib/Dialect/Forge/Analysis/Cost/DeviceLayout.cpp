//===- DeviceLayout.cpp - devices, and tensors in their tiles -------------===//

#include "forge/Dialect/Forge/Analysis/Cost/DeviceLayout.h"

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Support/Diagnostics.h"

using namespace mlir;
using namespace forge;

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

std::optional<itd::SliceClass> DeviceLayout::classOf(const AxisSlice &slice) const {
  RankedTensorType type = tensorType(slice.source);
  auto report = llvm::expectedToOptional(
      itd::classifySlice(type.getShape(), slice.axis, slice.range, format(type.getElementType())));
  return report ? std::optional(report->sliceClass) : std::nullopt;
}

std::optional<itd::LayoutReport> DeviceLayout::report(RankedTensorType type) const {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return llvm::expectedToOptional(itd::layoutReport(shape, format(type.getElementType())));
}

int64_t DeviceLayout::bytes(RankedTensorType type) const {
  std::optional<itd::LayoutReport> known = report(type);
  return known ? known->bytes : INT64_MAX;
}

int64_t DeviceLayout::tiles(RankedTensorType type) const {
  std::optional<itd::LayoutReport> known = report(type);
  return known ? known->tiles : INT64_MAX;
}

std::optional<itd::SliceTraffic> DeviceLayout::traffic(RankedTensorType source, const AxisRange &slice) const {
  return llvm::expectedToOptional(
      itd::sliceTraffic(source.getShape(), slice.axis, slice.range, format(source.getElementType())));
}

int64_t DeviceLayout::traffic(RankedTensorType source, ArrayRef<AxisRange> slices) const {
  int64_t total = 0;
  for (const AxisRange &slice : slices) {
    std::optional<itd::SliceTraffic> one = traffic(source, slice);
    total = addCounts(total, one ? one->windowed : INT64_MAX);
  }
  return total;
}

int64_t DeviceLayout::moveTraffic(Operation *op, RankedTensorType from, RankedTensorType to) const {
  int64_t out = tiles(to), all = multiplyCounts(2, addCounts(tiles(from), out));
  if (all == INT64_MAX)
    return all;
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose)
    return keepsTiles(from, to) ? 0 : all;
  auto isTiled = [&](int64_t dim) { return fromFront(dim, to.getRank()) >= to.getRank() - 2; };
  return isTiled(transpose.getDim0()) == isTiled(transpose.getDim1()) ? 2 * out : all;
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
