//===- Operands.h - operands of elementwise ops -----------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPERANDS_H
#define FORGE_DIALECT_FORGE_IR_OPERANDS_H

#include "mlir/IR/Operation.h"

#include <array>

namespace forge {

/// The highest rank at which the device broadcasts operands of elementwise ops.
inline constexpr size_t kMostBroadcastAxes = 6;

/// The two operands of `op` in both orders, for matchers of commutative ops.
inline std::array<std::pair<mlir::Value, mlir::Value>, 2> inEitherOrder(mlir::Operation *op) {
  mlir::Value a = op->getOperand(0), b = op->getOperand(1);
  return {{{a, b}, {b, a}}};
}

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_OPERANDS_H
