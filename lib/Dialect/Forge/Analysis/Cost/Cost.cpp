//===- Cost.cpp - the cost model of ops and programs ----------------------===//
//
// Multiply-adds, and the time of given bytes and multiply-adds. DeviceKernels.cpp has the kernels of each op.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

int64_t forge::addCounts(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

int64_t forge::multiplyCounts(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? INT64_MAX : product;
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
