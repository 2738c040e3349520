//===- TilePaddingRow.h - how kernels treat tile padding --------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_TILEPADDINGROW_H
#define FORGE_DIALECT_FORGE_IR_TILEPADDINGROW_H

namespace forge {

/// How the kernel of an op treats the padding of tiles. What each row requires of its operands and leaves in its result
/// is told by forge/Dialect/Forge/Analysis/TilePadding.h.
enum class TilePaddingRow {
  /// Reads elements only, leaves anything in the padding: convolutions, pooling and resampling, which the device runs
  /// on
  /// sticks of channels that it lays out itself, and ops nobody has looked at.
  Opaque,
  Retile,          ///< reads elements only and writes new tiles: gathers, permutations across tiles
  Elementwise,     ///< applies its function to the padding too
  IntegerDivision, ///< elementwise, and integers trap on a zero divisor
  View,            ///< the same tiles under another shape, else Retile
  Transpose,
  Index,
  Concatenate,
  Stack,
  Repeat,
  Pad,
  Sum, ///< reductions along `dim`
  Mean,
  Max,
  ArgMax,
  CumSum,
  Softmax, ///< along `dim`
  LogSoftmax,
  LayerNorm, ///< over the last axis
  Matmul,
  CacheWrite, ///< writes the rows of operand 1 into operand 0
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_TILEPADDINGROW_H
