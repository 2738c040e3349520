//===- FastMath.h - the kinds of --fast-math --------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H

#include "mlir/IR/Location.h"

namespace forge {

/// Checks the names of kinds that an option fast-math has; docs/fast-math.md has a section for each. Reports an unknown
/// one at `loc`.
llvm::LogicalResult checkFastMath(mlir::Location loc, llvm::ArrayRef<std::string> kinds);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_FASTMATH_H
