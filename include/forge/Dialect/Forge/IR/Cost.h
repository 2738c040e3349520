//===- Cost.h - how much an op computes and moves ---------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_COST_H
#define FORGE_DIALECT_FORGE_IR_COST_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace forge {

// Counts are not negative, and stay at INT64_MAX instead of overflowing.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

/// Multiply-adds of a matrix product whose terms are `inner` products each.
int64_t matmulMultiplyAdds(mlir::RankedTensorType result, int64_t inner);
/// Multiply-adds of a convolution with `filters` [out, in / groups, window...], whose result is `outer`; of a
/// transposed convolution, which is one with input and output exchanged, where `outer` is its input.
int64_t convolutionMultiplyAdds(mlir::RankedTensorType outer, mlir::RankedTensorType filters);
/// Multiply-adds of a matrix product or a convolution, 0 for any other op.
int64_t multiplyAdds(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_COST_H
