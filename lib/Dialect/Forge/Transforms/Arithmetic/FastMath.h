//===- FastMath.h - the kinds of --fast-math --------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

namespace forge {

/// Checks the names of kinds in an option fast-math; docs/fast-math.md describes each. Reports an unknown one.
inline llvm::LogicalResult checkFastMath(mlir::Location loc, llvm::ArrayRef<std::string> kinds) {
  static constexpr llvm::StringLiteral kKinds[] = {"no-nans",     "no-infs",       "reciprocal",
                                                   "reassociate", "zero-products", "all"};
  for (const std::string &kind : kinds)
    if (!llvm::is_contained(kKinds, kind))
      return emitError(loc, Code::PassOption)
             << "fast-math must be " << llvm::join(llvm::ArrayRef(kKinds).drop_back(), ", ") << ", or all, but is '"
             << escaped(kind) << "'";
  return mlir::success();
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
