//===- FastMath.h - the kinds of --fast-math --------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H

#include "mlir/IR/Location.h"

namespace forge {

/// What passes may assume about floats; docs/fast-math.md has a section for each kind.
struct FastMath {
  bool noNans = false;       ///< what is tested for NaN is none
  bool noInfs = false;       ///< what is compared with an infinity is none
  bool reciprocal = false;   ///< x / c is x * (1 / c)
  bool reassociate = false;  ///< factors of one element may be applied earlier, later, or as one
  bool zeroProducts = false; ///< 0 * x is 0 for every x

  /// From names of kinds, or "all"; an error at `loc` for another.
  static llvm::FailureOr<FastMath> parse(mlir::Location loc, llvm::ArrayRef<std::string> kinds);
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
