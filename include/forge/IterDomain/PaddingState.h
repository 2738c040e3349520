//===- PaddingState.h - padding, and what its readers need ------*- C++ -*-===//
//
// A reader that does not check its indices reads padding too. It is right if the padding holds what it requires.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_ITERDOMAIN_PADDINGSTATE_H
#define FORGE_ITERDOMAIN_PADDINGSTATE_H

#include "forge/IterDomain/TileLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace forge::itd {

/// What is known of the values in some padding: none (there is no padding) below one constant, below finite, below
/// undefined (anything, NaN included). An infinite constant is below undefined only.
struct PaddingValue {
  enum Kind { None, Const, Finite, Undef } kind = Undef;
  double constant = 0; ///< for Const; never NaN
  bool live = false;   ///< the storage belongs to elements of another tensor: it must not be written

  static PaddingValue none() { return {None}; }
  /// Undefined for NaN.
  static PaddingValue of(double constant);
  static PaddingValue finite() { return {Finite}; }
  static PaddingValue undef() { return {Undef}; }

  bool isZero() const { return kind == Const && constant == 0; }
  /// No infinity and no NaN, or no padding at all.
  bool isFinite() const;
  /// Whether the padding may hold `value`.
  bool contains(double value) const;
  /// Whether every value that this allows is allowed by `other`.
  bool implies(const PaddingValue &other) const;
  /// "none", "finite", "undef" or the constant; with "live " before it.
  std::string str() const;

  friend bool operator==(const PaddingValue &a, const PaddingValue &b);
};
/// The least state that both imply.
PaddingValue join(const PaddingValue &a, const PaddingValue &b);

/// The three regions of padding of a tiled matrix.
struct PaddingState {
  PaddingValue rows;   ///< row tail x valid columns
  PaddingValue cols;   ///< valid rows x column tail
  PaddingValue corner; ///< both tails

  /// The same in all regions that a matrix of this shape (rank 1: one row) has.
  static PaddingState all(PaddingValue value, llvm::ArrayRef<int64_t> shape, Tile tile = {});
  std::string str() const;

  friend bool operator==(const PaddingState &a, const PaddingState &b);
};
PaddingState join(const PaddingState &a, const PaddingState &b);

/// Readers with a requirement of their own.
enum class Consumer {
  Elementwise,
  IntegerDivision,
  Sum,
  L1,
  L2,
  SumSquare,
  Mean,
  Prod,
  Max,
  ArgMax,
  TopKLargest,
  Min,
  ArgMin,
  TopKSmallest,
  Any,
  All,
  LogSumExp,
  Softmax,
  LogSoftmax,
  LayerNorm,
  Var,
  Median,
  Welford,
  CumSum,
  CumSumReverse,
  Matmul,
  CacheWrite
};
/// "softmax", "topk_largest", ...: the names of the enumerators in snake case.
llvm::StringRef name(Consumer consumer);
std::optional<Consumer> consumer(llvm::StringRef name);

/// What the padding after the reduced (normalised, contracted, written) axis must hold.
struct FillRequirement {
  enum Kind {
    DontCare,        ///< anything
    Fill,            ///< `want`
    FillOrReplicate, ///< `want`, or copies of a valid element of the same fibre
    ReplicateOrCast, ///< block floats, whose groups an infinity or a one destroys: copies of valid elements, or a cast
    NonZero,         ///< a finite divisor that is not zero
    OneSideZero,     ///< a contraction: zero on one side, finite on the other
    NoneExists       ///< no constant is neutral: predicates, or another decomposition
  } kind = DontCare;
  double want = 0;
  bool logicalCount = false; ///< and the divisor is the logical count
  bool refill = false;       ///< and zero again after the mean is subtracted

  bool needed() const { return kind != DontCare; }
  /// "0", "1", "-inf", "+inf", "dont-care", "replicate-or-cast", "non-zero", "one-side-zero" or "none-exists".
  std::string str() const;
};
/// Integers take the lowest and highest value of their type for the infinities: `want` stays infinite. Block floats
/// know no other constant than zero.
FillRequirement requiredFill(Consumer consumer, const ElementFormat &format);
/// Whether padding in state `value` can be read as they are. For OneSideZero use `isMatmulPaddingSafe`.
bool satisfies(const PaddingValue &value, const FillRequirement &requirement);
/// Whether the contracted tails (columns of the left, rows of the right operand) can be read as they are.
bool isMatmulPaddingSafe(const PaddingState &lhs, const PaddingState &rhs);

// Transfer functions: the padding of a result from those of the operands. Valid elements count as finite.

/// Elementwise: exact on constants; finite stays finite if `keepsFinite`: for a function that cannot overflow or give
/// NaN on finite operands.
PaddingValue mapPadding(const PaddingValue &value, llvm::function_ref<double(double)> function, bool keepsFinite);
PaddingValue mapPadding(const PaddingValue &a, const PaddingValue &b,
                        llvm::function_ref<double(double, double)> function, bool keepsFinite);
PaddingState mapPadding(const PaddingState &state, llvm::function_ref<double(double)> function, bool keepsFinite);
PaddingState mapPadding(const PaddingState &a, const PaddingState &b,
                        llvm::function_ref<double(double, double)> function, bool keepsFinite);
/// Swaps rows and columns.
PaddingState transposePadding(const PaddingState &state);
/// Softmax over the columns: a tail of -inf becomes 0.
PaddingState softmaxPadding(const PaddingState &state);
PaddingState matmulPadding(const PaddingState &lhs, const PaddingState &rhs);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_PADDINGSTATE_H
