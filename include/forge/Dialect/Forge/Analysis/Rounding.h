//===- Rounding.h - sums that round on purpose ------------------*- C++ -*-===//
//
// In float32, x + c - c with c = 1.5 * 2^23 rounds x to an integer, and other constants round to other multiples. The
// sum and the difference must not be merged, and x must not be computed with other roundings: the result could be
// wrong by a whole step.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H
#define FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H

#include "mlir/IR/Value.h"

namespace forge {

/// Whether the weight `term` is computed from constants of which one has a large element.
bool hasLargeConstant(mlir::Value term);
/// Whether a sum with the weight `term` may round the other operand on purpose: hasLargeConstant(), or it is computed
/// from a weight so large that the importer did not look for splats.
bool mayRoundOnPurpose(mlir::Value term);
/// Whether `op` is a sum with a constant that rounds the other operand on purpose.
bool isRoundingSum(mlir::Operation *op);
/// Whether a quantiser rounds `value`: one of its users, maybe after movement, selections, clips and negations, is a
/// sum with a large constant, a remainder, or a cast to integers.
bool isReadByQuantiser(mlir::Value value);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H
