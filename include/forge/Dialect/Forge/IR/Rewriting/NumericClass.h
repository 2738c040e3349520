//===- NumericClass.h - what a rewrite may do to results --------*- C++ -*-===//
//
// docs/numerics.md says what a compilation keeps; PassTable.inc to which class each rewrite belongs.
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
  Exact,         ///< every bit stays
  Rounding,      ///< factors, terms, means and sums are computed elsewhere or in another order
  ZeroTerms,     ///< 0 * x is added to a sum
  MovesRounding, ///< a factor moves past what rounds
  Assumes,       ///< there is no NaN, or no infinity
};

/// What a pass may do.
class NumericPermissions {
public:
  NumericPermissions() = default;
  /// With `exact` nothing but what keeps every bit, with the kinds `fastMath` of --fast-math more than rounding.
  explicit NumericPermissions(bool exact, llvm::ArrayRef<std::string> fastMath = {})
      : exact(exact), fastMath(fastMath.begin(), fastMath.end()) {}

  /// Whether `pass` may apply its rewrite `name`. One that PassTable.inc does not have may round.
  bool permit(llvm::StringRef pass, llvm::StringRef name) const;

private:
  bool exact = false;
  llvm::SmallVector<std::string, 0> fastMath;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_NUMERICCLASS_H
