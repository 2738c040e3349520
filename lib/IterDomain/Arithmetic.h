//===- Arithmetic.h - checked arithmetic, and errors ------------*- C++ -*-===//

#ifndef FORGE_LIB_ITERDOMAIN_ARITHMETIC_H
#define FORGE_LIB_ITERDOMAIN_ARITHMETIC_H

#include "forge/IterDomain/Error.h"
#include "forge/IterDomain/TensorDomain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <cassert>

// Returns the error of an llvm::Error, if it is one.
#define FORGE_RETURN_IF_ERROR(expression)                                                                              \
  if (llvm::Error failed = (expression))                                                                               \
  return failed
// Defines or sets a variable as the value of an llvm::Expected; returns its error if it has no value.
#define FORGE_ASSIGN_OR_RETURN(variable, expression)                                                                   \
  FORGE_ASSIGN_OR_RETURN_IMPL(FORGE_UNIQUE_NAME(__LINE__), variable, expression)
#define FORGE_ASSIGN_OR_RETURN_IMPL(expected, variable, expression)                                                    \
  auto expected = (expression);                                                                                        \
  if (!expected)                                                                                                       \
    return expected.takeError();                                                                                       \
  variable = std::move(*expected)
#define FORGE_UNIQUE_NAME(line) FORGE_CONCATENATED(expected, line)
#define FORGE_CONCATENATED(a, b) a##b

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

/// The elements of a tile along `axis` of a tensor with `rank` axes: 1 unless it is one of the last two.
inline int64_t tileEdge(size_t rank, size_t axis, Tile tile) {
  return axis + 1 == rank ? tile.width : axis + 2 == rank ? tile.height : 1;
}

/// Fails if an extent is negative.
inline llvm::Error checkShape(llvm::ArrayRef<int64_t> shape) {
  for (int64_t extent : shape)
    if (extent < 0)
      return error("expected an extent that is not negative, but got " + llvm::Twine(extent));
  return llvm::Error::success();
}

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
