//===- Rounding.h - sums that round on purpose ------------------*- C++ -*-===//
//
// x + c - c with c = 1.5 * 2^23 is x rounded to an integer, and other powers of two round to other multiples. Neither
// the sum and the difference may become one, nor may what is rounded be computed with other roundings: the result would
// be off by a whole step.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H
#define FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H

#include "mlir/IR/Value.h"

namespace forge {

/// Whether the weight `term` is made of constants of which one has a large element.
bool hasLargeConstant(mlir::Value term);
/// Whether a sum with the weight `term` may round the other operand on purpose: it is made of constants with a large
/// element, or of a weight too large for the importer to say whether its elements are equal.
bool mayRound(mlir::Value term);
/// Whether a quantiser rounds `value`: among its users are a sum with a large number or a cast to integers, past
/// choices and clips.
bool isQuantised(mlir::Value value);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_ROUNDING_H
