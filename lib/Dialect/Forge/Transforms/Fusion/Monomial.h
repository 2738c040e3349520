//===- Monomial.h - products in one form ------------------------*- C++ -*-===//
//
// x * 0.5, x / 2, or x * y * 0.5 in any order: products have many spellings and one monomial.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The value of a constant with one float. A weight of equal elements is no number: it may be a scale.
std::optional<double> numberOf(mlir::Value value);

/// A product as coefficient * value^power * ..., whatever multiplications, divisions, powers and roots spell it.
///
/// Values with other uses stay whole: they are the variables of a formula, or needed anyway.
class Monomial {
public:
  explicit Monomial(mlir::Value product);

  /// Whether the coefficient is `expected`, up to the rounding of the constants that make it.
  bool hasCoefficient(double expected) const;
  /// Whether this is `expected` * `value`^`power`.
  bool is(double expected, mlir::Value value, double power) const;
  /// The values to this power.
  llvm::SmallVector<mlir::Value> withPower(double power) const;
  /// The number of different values.
  size_t size() const { return factors.size(); }

private:
  struct Factor {
    mlir::Value value;
    double power;
  };

  void expand(mlir::Value value, double power);
  bool expandOperation(mlir::Value value, double power);
  void append(mlir::Value value, double power);

  double coefficient = 1;
  // Relative; nothing matches a product of integers.
  double tolerance = -1;
  llvm::SmallVector<Factor, 4> factors;
  // Ops that may still be looked into. No formula needs more, and no link of a long chain of products may walk it all.
  int budget = 8;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H
