//===- Monomial.h - normal form of products ---------------------*- C++ -*-===//
//
// A product can be written in many ways, such as x * 0.5 and x / 2, or x * y * 0.5 in any order. All of them have the
// same monomial.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The value of a float constant with one element; none for other values, and for splats of several elements.
std::optional<double> scalarValue(mlir::Value value);

/// A product as coefficient * value^power * ..., computed by multiplications, divisions, powers and roots. It has the
/// value of the product for all values of its factors, including NaN for roots of negative numbers. Operands with
/// several users are factors themselves.
class Monomial {
public:
  explicit Monomial(mlir::Value product);

  /// Whether the coefficient is `expected`, up to the rounding of the constants of which it is the product. Always
  /// false for products of integers.
  bool hasCoefficient(double expected) const;
  /// The value x if this is `expected` * x^`power`; else null.
  mlir::Value powerOf(double expected, double power) const;
  /// The values that are factors with this power.
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
  double roundings = 0;     // how many constants of the coefficient are rounded; one that is squared counts twice
  double constantError = 0; // the largest relative error of such a constant; 0 for products of integers
  llvm::SmallVector<Factor, 4> factors;
  // How many further ops may be expanded. It bounds the time for long chains of products.
  int budget = 8;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_MONOMIAL_H
