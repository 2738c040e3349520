//===- Cost.h - how much an op computes and moves ---------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_COST_H
#define FORGE_DIALECT_FORGE_IR_COST_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Multiply-adds of a matrix product or a convolution, 0 for any other op.
int64_t multiplyAdds(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_COST_H
