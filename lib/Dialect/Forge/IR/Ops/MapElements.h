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
using Operands = llvm::ArrayRef<HostTensor>;
using Position = llvm::SmallVectorImpl<int64_t>;

/// `function` on signed integers that wrap around, as in numpy.
template <typename Function>
auto wrapping(Function function) {
  return [=](int64_t a, int64_t b) { return static_cast<int64_t>(function(uint64_t(a), uint64_t(b))); };
}

/// Applies `function` to each element of a tensor of floats; empty for integers.
inline HostTensors mapFloats(Operands operands, double (*function)(double)) {
  if (!operands[0].isFloat())
    return {};
  HostTensor result = operands[0];
  llvm::transform(result.floats, result.floats.begin(), function);
  return {result};
}

/// Applies `onFloat` or `onInt` to the pairs of elements that broadcast to each element of `result`.
template <typename OnFloat, typename OnInt>
HostTensors mapPairs(mlir::Value result, Operands operands, OnFloat onFloat, OnInt onInt) {
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
HostTensors mapPairs(mlir::Value result, Operands operands, Function function) {
  return mapPairs(result, operands, function, function);
}
/// As mapPairs; empty for integers.
template <typename Function>
HostTensors mapFloatPairs(mlir::Value result, Operands operands, Function function) {
  return operands[0].isFloat() ? mapPairs(result, operands, function) : HostTensors();
}
/// As mapPairs; empty for floats.
template <typename Function>
HostTensors mapIntPairs(mlir::Value result, Operands operands, Function function) {
  return operands[0].isFloat() ? HostTensors() : mapPairs(result, operands, function);
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_OPS_MAPELEMENTS_H
