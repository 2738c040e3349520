//===- NumericClass.h - how a rewrite may change results --------*- C++ -*-===//
//
// docs/numerics.md defines the classes; PassTable.inc lists the class of each rewrite.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_REWRITING_NUMERICCLASS_H
#define FORGE_DIALECT_FORGE_IR_REWRITING_NUMERICCLASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace forge {

enum class NumericClass {
  Exact,         ///< results are bitwise equal, except the sign of zeros
  Rounding,      ///< scales, biases, means and sums are applied at another op or in another order
  ZeroTerms,     ///< 0 * x is added to a sum
  MovesRounding, ///< a scale is moved across an op that rounds
  Assumes,       ///< there is no NaN, or no infinity
};

/// Which rewrites a pass may apply.
class NumericPermissions {
public:
  NumericPermissions() = default;
  /// With `exact`, exact rewrites only. Otherwise also those that round, and those of the --fast-math kinds `fastMath`.
  explicit NumericPermissions(bool exact, llvm::ArrayRef<std::string> fastMath = {})
      : exact(exact), fastMath(fastMath.begin(), fastMath.end()) {}

  /// Whether `pass` may apply its rewrite `name`. A rewrite that is not in PassTable.inc counts as `Rounding`.
  bool permit(llvm::StringRef pass, llvm::StringRef name) const;

private:
  bool exact = false;
  llvm::SmallVector<std::string, 0> fastMath;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_NUMERICCLASS_H
