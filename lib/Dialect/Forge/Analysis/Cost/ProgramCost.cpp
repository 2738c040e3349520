//===- ProgramCost.cpp - costs of ops, their sum and comparison -----------===//

#include "forge/Dialect/Forge/Analysis/Cost.h"

#include <limits>

using namespace mlir;
using namespace forge;

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
