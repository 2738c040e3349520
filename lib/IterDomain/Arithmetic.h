//===- Arithmetic.h - checked and Euclidean arithmetic ----------*- C++ -*-===//

#ifndef FORGE_LIB_ITERDOMAIN_ARITHMETIC_H
#define FORGE_LIB_ITERDOMAIN_ARITHMETIC_H

#include "forge/IterDomain/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <cassert>

namespace forge::itd {

/// x / y rounded down, for a positive divisor. `T` is int64_t or __int128.
template <typename T>
T floorDiv(T a, T b) {
  assert(b > 0);
  return a / b - (a % b < 0);
}
template <typename T>
T floorMod(T a, T b) {
  assert(b > 0);
  return a % b < 0 ? a % b + b : a % b;
}
/// a / b rounded up, for a >= 0.
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// The product of factors that are not negative. If one is zero, the result is zero, even if others would overflow.
inline llvm::Expected<int64_t> product(llvm::ArrayRef<int64_t> factors, const llvm::Twine &what) {
  if (llvm::is_contained(factors, 0))
    return 0;
  int64_t result = 1;
  for (int64_t factor : factors) {
    std::optional<int64_t> next = llvm::checkedMul(result, factor);
    if (!next)
      return error(what + " exceeds 64 bits");
    result = *next;
  }
  return result;
}

} // namespace forge::itd

#endif // FORGE_LIB_ITERDOMAIN_ARITHMETIC_H
