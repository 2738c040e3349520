//===- Factors.h - which factors and addends weights may take ---*- C++ -*-===//
//
// A rewrite may multiply a weight by a factor only if each finite element stays finite, and none becomes 0 that was
// not: an infinite weight times an activation of 0 is NaN, and so is a weight of 0 times an infinite activation.
// Elements of constants are known here. Elements in the model's file (forge.parameter) are not: they are assumed to be
// finite, not 0, and of ordinary size.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_FACTORS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_FACTORS_H

#include "forge/Dialect/Forge/Analysis/AffineRegion.h"

namespace forge {

/// Whether the magnitude of `scalar` is between 2^-20 and 2^20, so that it can be applied to another operand of a
/// product without overflow or underflow.
bool isOrdinaryFactor(double scalar);
/// The number of a scalar constant, if isOrdinaryFactor() is true for it; none for other values.
std::optional<float> ordinaryScalar(mlir::Value value);
/// Whether weights may be multiplied by `factor` or, with `divides`, divided by it:
/// - Elements of constants, and of weights computed from them, have to be 0 or between 2^-50 and 2^20 in magnitude.
/// - Scalar constants, which may move to any operand, and constant divisors have to be between 2^-20 and 2^20.
/// - Elements in the model's file may be divisors only with `takesReciprocals` (--fast-math=reciprocal).
bool keepsWeightsFinite(mlir::Value factor, bool divides = false, bool takesReciprocals = false);
/// Whether constants of `addend` are at most 2^20 in magnitude, also what is computed from them.
bool isOrdinaryAddend(mlir::Value addend);
/// Whether `weight` stays finite if it is multiplied by up to three factors that keepsWeightsFinite() accepts. The
/// elements of constants, and of weights computed from them, have to be 0 or between 2^-50 and 2^64 in magnitude:
/// -3.4e38, as in masks, is not.
bool staysFiniteIfScaled(mlir::Value weight);
/// The same for all weights that the regions change.
bool staysFiniteIfScaled(llvm::ArrayRef<AffineRegion> regions);
/// Whether elements of `weight`, a constant or computed from constants, are known to be 0.
bool hasKnownZeros(mlir::Value weight);
/// Whether all elements of `factor` are constants above 0. Other factors may change the sign of a zero: -1 * (0 + 0) is
/// -0, and (-1 * 0) + (-1 * 0) may be +0, as in a product of zeros with negated weights.
bool isPositive(mlir::Value factor);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_FACTORS_H
