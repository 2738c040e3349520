//===- HostTensor.cpp - small tensors in host memory ----------------------===//

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"

using namespace mlir;
using namespace forge;

SmallVector<int64_t> forge::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
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
    tensor.floats.reserve(attr.getNumElements());
    for (APFloat element : attr.getValues<APFloat>()) {
      bool losesInfo;
      element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
      tensor.floats.push_back(element.convertToDouble());
    }
    return tensor;
  }
  bool isUnsigned = attr.getElementType().isUnsignedInteger() || attr.getElementType().isInteger(1);
  tensor.ints.reserve(attr.getNumElements());
  for (const APInt &element : attr.getValues<APInt>())
    tensor.ints.push_back(isUnsigned ? static_cast<int64_t>(element.getZExtValue()) : element.getSExtValue());
  return tensor;
}

DenseElementsAttr HostTensor::toAttr() const {
  if (auto floatType = dyn_cast<FloatType>(type.getElementType())) {
    SmallVector<APFloat> values;
    values.reserve(floats.size());
    for (double element : floats) {
      APFloat value(element);
      bool losesInfo;
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      values.push_back(value);
    }
    return DenseElementsAttr::get(type, values);
  }
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  SmallVector<APInt> values;
  values.reserve(ints.size());
  for (int64_t element : ints)
    values.push_back(APInt(width, element, /*isSigned=*/true, /*implicitTrunc=*/true));
  return DenseElementsAttr::get(type, values);
}

HostTensor HostTensor::pick(ArrayRef<int64_t> shape, ArrayRef<int64_t> source) const {
  HostTensor result{type.clone(shape), {}, {}};
  for (int64_t index : source) {
    if (isFloat())
      result.floats.push_back(floats[index]);
    else
      result.ints.push_back(ints[index]);
  }
  return result;
}

HostTensor HostTensor::remap(ArrayRef<int64_t> target,
                             llvm::function_ref<void(SmallVectorImpl<int64_t> &)> moveToSource) const {
  SmallVector<int64_t> strides = stridesOf(shape()), position;
  std::vector<int64_t> source;
  forEachIndex(target, [&](ArrayRef<int64_t> index) {
    position.assign(index.begin(), index.end());
    moveToSource(position);
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(position, strides))
      offset += i * stride;
    source.push_back(offset);
  });
  return pick(target, source);
}

std::vector<int64_t> HostTensor::broadcastIndices(ArrayRef<int64_t> target) const {
  SmallVector<int64_t> strides = stridesOf(shape());
  size_t leading = target.size() - shape().size();
  std::vector<int64_t> indices;
  forEachIndex(target, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (size_t axis = 0; axis < shape().size(); ++axis)
      if (shape()[axis] != 1)
        offset += index[leading + axis] * strides[axis];
    indices.push_back(offset);
  });
  return indices;
}
