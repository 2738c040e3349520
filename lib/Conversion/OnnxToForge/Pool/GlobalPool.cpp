//===- GlobalPool.cpp - ONNX GlobalAveragePool and GlobalMaxPool ----------===//

#include "Pool.h"

using namespace mlir;
using namespace forge;

SmallVector<int64_t> forge::spatialAxes(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, rankOf(x))));
}

// GlobalAveragePool and GlobalMaxPool (since 1, 22): reductions over all spatial axes.
template <typename OpTy>
static Values globalPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  if (llvm::is_contained(shapeOf(x).drop_front(std::min<int64_t>(2, rankOf(x))), 0))
    return n.refuse(Code::EmptyAxis, "a pool over an empty axis is not supported");
  return {b.reduce<OpTy>(x, spatialAxes(x), /*keepDims=*/true)};
}

Values forge::convertGlobalMaxPool(OnnxNode &n, ForgeBuilder &b) { return globalPool<ReduceMaxOp>(n, b); }
Values forge::convertGlobalAveragePool(OnnxNode &n, ForgeBuilder &b) { return globalPool<ReduceAvgOp>(n, b); }
