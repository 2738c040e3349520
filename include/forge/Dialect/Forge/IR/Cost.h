//===- Cost.h - how much an op computes and moves ---------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_COST_H
#define FORGE_DIALECT_FORGE_IR_COST_H

#include "mlir/IR/Operation.h"

namespace forge {

// Counts are not negative, and stay at INT64_MAX instead of overflowing.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

/// Multiply-adds of a matrix product or a convolution, 0 for any other op.
int64_t multiplyAdds(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_COST_H
