//===- MapElements.cpp - constants mapped element by element --------------===//

#include "MapElements.h"

using namespace mlir;
using namespace forge;

HostTensor forge::remap(const HostTensor &operand, ArrayRef<int64_t> shape,
                        llvm::function_ref<void(SmallVectorImpl<int64_t> &)> moveToSource) {
  SmallVector<int64_t> strides = stridesOf(operand.shape()), position;
  std::vector<int64_t> source;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    position.assign(index.begin(), index.end());
    moveToSource(position);
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(position, strides))
      offset += i * stride;
    source.push_back(offset);
  });
  return operand.pick(shape, source);
}
