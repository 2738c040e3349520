//===- TilePaddingRow.h - how kernels treat tile padding --------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_TILEPADDINGROW_H
#define FORGE_DIALECT_FORGE_IR_TILEPADDINGROW_H

namespace forge {

/// How the kernel of an op treats tile padding. forge/Dialect/Forge/Analysis/Padding/TilePadding.h defines for each row
/// what it requires of the padding of its operands, and what the padding of its result contains.
enum class TilePaddingRow {
  /// Reads elements only; the padding of the result is unknown. These are convolutions, pooling and resampling, for
  /// which the device changes the layout itself, and ops that were not examined.
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
