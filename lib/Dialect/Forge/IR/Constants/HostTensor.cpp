//===- HostTensor.cpp - small tensors in host memory ----------------------===//

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"

#include <numeric>

using namespace mlir;
using namespace forge;

SmallVector<int64_t> forge::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

static int64_t offsetOf(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t(0));
}

void forge::forEachIndex(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    visit(index);
    int64_t axis = static_cast<int64_t>(shape.size()) - 1;
    while (axis >= 0 && ++index[axis] == shape[axis])
      index[axis--] = 0;
    if (axis < 0)
      return;
  }
}

HostTensor HostTensor::fromAttr(DenseElementsAttr attr) {
  assert(holds(attr) && "elements are neither integers nor floats");
  HostTensor tensor{cast<RankedTensorType>(attr.getType()), {}, {}};
  if (tensor.isFloat()) {
    for (const APFloat &element : attr.getValues<APFloat>())
      tensor.floats.push_back(element.convertToDouble());
    return tensor;
  }
  bool isUnsigned = attr.getElementType().isUnsignedInteger() || attr.getElementType().isInteger(1);
  for (const APInt &element : attr.getValues<APInt>())
    tensor.ints.push_back(isUnsigned ? static_cast<int64_t>(element.getZExtValue()) : element.getSExtValue());
  return tensor;
}

DenseElementsAttr HostTensor::toAttr() const {
  if (auto floatType = dyn_cast<FloatType>(type.getElementType())) {
    auto rounded = [&](double element) {
      APFloat value(element);
      bool losesInfo;
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      return value;
    };
    return DenseElementsAttr::get(type, llvm::map_to_vector(floats, rounded));
  }
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  auto wrapped = [&](int64_t element) { return APInt(width, element, /*isSigned=*/true, /*implicitTrunc=*/true); };
  return DenseElementsAttr::get(type, llvm::map_to_vector(ints, wrapped));
}

HostTensor HostTensor::pick(ArrayRef<int64_t> shape, ArrayRef<int64_t> source) const {
  HostTensor result{type.clone(shape), {}, {}};
  for (int64_t index : source)
    result.append(*this, index);
  return result;
}

HostTensor HostTensor::remap(ArrayRef<int64_t> target,
                             llvm::function_ref<void(SmallVectorImpl<int64_t> &)> moveToSource) const {
  SmallVector<int64_t> strides = stridesOf(shape()), position;
  std::vector<int64_t> source;
  forEachIndex(target, [&](ArrayRef<int64_t> index) {
    position.assign(index.begin(), index.end());
    moveToSource(position);
    source.push_back(offsetOf(position, strides));
  });
  return pick(target, source);
}

std::vector<int64_t> HostTensor::broadcastIndices(ArrayRef<int64_t> target) const {
  SmallVector<int64_t> strides = stridesOf(shape());
  for (auto [stride, size] : llvm::zip_equal(strides, shape()))
    stride = size == 1 ? 0 : stride;
  std::vector<int64_t> indices;
  forEachIndex(target,
               [&](ArrayRef<int64_t> index) { indices.push_back(offsetOf(index.take_back(strides.size()), strides)); });
  return indices;
}
