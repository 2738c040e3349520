//===- FastMath.h - the kinds of --fast-math --------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H

#include "mlir/IR/Location.h"

namespace forge {

/// What passes may assume about floats; docs/fast-math.md has a section for each kind.
struct FastMath {
  bool noNans = false;       ///< values that are tested for NaN are not NaN
  bool noInfs = false;       ///< values that are compared with an infinity are not infinite
  bool reciprocal = false;   ///< x / c may be computed as x * (1 / c)
  bool reassociate = false;  ///< scalar factors may be moved across other ops, and merged
  bool zeroProducts = false; ///< 0 * x is 0 for every x

  /// Parses names of kinds, or "all". Reports other names at `loc`.
  static llvm::FailureOr<FastMath> parse(mlir::Location loc, llvm::ArrayRef<std::string> kinds);
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
