//===- MapElements.h - constants mapped element by element ------*- C++ -*-===//
//
// Helpers of the `evaluate` methods of the ops (ConstantEvaluationOpInterface).
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_OPS_MAPELEMENTS_H
#define FORGE_LIB_DIALECT_FORGE_IR_OPS_MAPELEMENTS_H

#include "forge/Dialect/Forge/IR/Constants/HostTensor.h"
#include "forge/Dialect/Forge/IR/Inference.h"

namespace forge {

using HostTensors = llvm::SmallVector<HostTensor>;

/// Signed integers wrap around, as in numpy.
inline int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

/// Applies `function` to each element of a tensor of floats; empty for integers.
template <typename Function>
HostTensors mapFloats(llvm::ArrayRef<HostTensor> operands, Function function) {
  if (!operands[0].isFloat())
    return {};
  HostTensor result = operands[0];
  for (double &element : result.floats)
    element = function(element);
  return {result};
}

/// Applies `onFloat` or `onInt` to the pairs of elements that broadcast to each element of `result`.
template <typename OnFloat, typename OnInt>
HostTensors mapPairs(mlir::Value result, llvm::ArrayRef<HostTensor> operands, OnFloat onFloat, OnInt onInt) {
  const HostTensor &a = operands[0], &b = operands[1];
  HostTensor mapped{tensorType(result), {}, {}};
  std::vector<int64_t> indicesA = a.broadcastIndices(mapped.shape()), indicesB = b.broadcastIndices(mapped.shape());
  for (auto [i, j] : llvm::zip_equal(indicesA, indicesB)) {
    if (a.isFloat())
      mapped.floats.push_back(onFloat(a.floats[i], b.floats[j]));
    else
      mapped.ints.push_back(onInt(a.ints[i], b.ints[j]));
  }
  return {mapped};
}
/// The same with one generic function for both kinds of elements.
template <typename Function>
HostTensors mapPairs(mlir::Value result, llvm::ArrayRef<HostTensor> operands, Function function) {
  return mapPairs(result, operands, function, function);
}
/// As mapPairs; empty for integers.
template <typename Function>
HostTensors mapFloatPairs(mlir::Value result, llvm::ArrayRef<HostTensor> operands, Function function) {
  if (!operands[0].isFloat())
    return {};
  return mapPairs(result, operands, function, [](int64_t, int64_t) { return int64_t(0); });
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_OPS_MAPELEMENTS_H
