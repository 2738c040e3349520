//===- Cost.cpp - the cost model of ops and programs ----------------------===//
//
// Multiply-adds, and bytes and tiles of tensors. DeviceKernels.cpp has the kernels of each op and their bytes,
// ProgramCost.cpp the times.
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

//===----------------------------------------------------------------------===//
// Multiply-adds and bytes
//===----------------------------------------------------------------------===//

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

// Rank 0 counts as the shape [1].
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

std::optional<itd::LayoutReport> DeviceLayout::report(RankedTensorType type) const {
  return known(itd::layoutReport(shapeInTiles(type), format(type.getElementType())));
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
