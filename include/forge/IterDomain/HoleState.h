//===- HoleState.h - what holes hold, and what readers need -----*- C++ -*-===//
//
// A reader that does not check its indices reads holes too. It is right if the holes hold what it requires.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_ITERDOMAIN_HOLESTATE_H
#define FORGE_ITERDOMAIN_HOLESTATE_H

#include "forge/IterDomain/TileLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace forge::itd {

/// What is known of the values of a set of holes: none (there are no holes) below one constant, below finite, below
/// undefined (anything, NaN included). An infinite constant is below undefined only.
struct HoleVal {
  enum Kind { None, Const, Finite, Undef } kind = Undef;
  double constant = 0; ///< for Const; never NaN
  bool live = false;   ///< the storage belongs to items of another tensor: it must not be written

  static HoleVal none() { return {None}; }
  /// Undefined for NaN.
  static HoleVal of(double constant);
  static HoleVal finite() { return {Finite}; }
  static HoleVal undef() { return {Undef}; }

  bool isZero() const { return kind == Const && constant == 0; }
  /// No infinity and no NaN, or no hole at all.
  bool isFinite() const;
  /// Whether a hole may hold `value`.
  bool contains(double value) const;
  /// Whether every value that this allows is allowed by `other`.
  bool implies(const HoleVal &other) const;
  /// "none", "finite", "undef" or the constant; with "live " before it.
  std::string str() const;

  friend bool operator==(const HoleVal &a, const HoleVal &b);
};
/// The least state that both imply.
HoleVal join(const HoleVal &a, const HoleVal &b);

/// The three hole regions of a tiled matrix.
struct HoleState {
  HoleVal rows;   ///< row tail x valid columns
  HoleVal cols;   ///< valid rows x column tail
  HoleVal corner; ///< both tails

  /// The same in all regions that a matrix of this shape (rank 1: one row) has.
  static HoleState all(HoleVal value, llvm::ArrayRef<int64_t> shape, Tile tile = {});
  std::string str() const;

  friend bool operator==(const HoleState &a, const HoleState &b);
};
HoleState join(const HoleState &a, const HoleState &b);

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

/// What the holes behind the reduced (normalised, contracted, written) axis must hold.
struct FillRequirement {
  enum Kind {
    DontCare,        ///< anything
    Fill,            ///< `want`
    FillOrReplicate, ///< `want`, or copies of a valid item of the same fibre
    ReplicateOrCast, ///< block floats, whose groups an infinity or a one destroys: copies of valid items, or a cast
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
/// Whether holes in state `value` can be read as they are. For OneSideZero use `matmulHolesSafe`.
bool satisfies(const HoleVal &value, const FillRequirement &requirement);
/// Whether the contracted tails (columns of the left, rows of the right operand) can be read as they are.
bool matmulHolesSafe(const HoleState &lhs, const HoleState &rhs);

// Transfer functions: the holes of a result from those of the operands. Valid items count as finite.

/// Elementwise: exact on constants; finite stays finite if `keepsFinite`: for a function that cannot overflow or give
/// NaN on finite operands.
HoleVal mapHoles(const HoleVal &value, llvm::function_ref<double(double)> function, bool keepsFinite);
HoleVal mapHoles(const HoleVal &a, const HoleVal &b, llvm::function_ref<double(double, double)> function,
                 bool keepsFinite);
HoleState mapHoles(const HoleState &state, llvm::function_ref<double(double)> function, bool keepsFinite);
HoleState mapHoles(const HoleState &a, const HoleState &b, llvm::function_ref<double(double, double)> function,
                   bool keepsFinite);
/// Swaps rows and columns.
HoleState transposeHoles(const HoleState &state);
/// Softmax over the columns: a tail of -inf becomes 0.
HoleState softmaxHoles(const HoleState &state);
HoleState matmulHoles(const HoleState &lhs, const HoleState &rhs);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_HOLESTATE_H
