//===- PaddingState.h - padding and what consumers require ------*- C++ -*-===//
//
// A consumer that does not predicate its accesses also reads padding. It is correct if the padding has the right value.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_ITERDOMAIN_PADDINGSTATE_H
#define FORGE_ITERDOMAIN_PADDINGSTATE_H

#include "forge/IterDomain/TileLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace forge::itd {

/// What is known about the values in one region of padding, as a lattice: None (there is no padding) < Const < Finite <
/// Undef (any value, including NaN). An infinite constant is below Undef only.
struct PaddingValue {
  enum Kind { None, Const, Finite, Undef } kind = Undef;
  double constant = 0; ///< for Const; never NaN
  bool live = false;   ///< the storage holds elements of another tensor and must not be written

  static PaddingValue none() { return {None}; }
  /// A constant; Undef for NaN.
  static PaddingValue of(double constant);
  static PaddingValue finite() { return {Finite}; }
  static PaddingValue undef() { return {Undef}; }

  bool isZero() const { return kind == Const && constant == 0; }
  /// Whether the padding has no infinity and no NaN. True without padding.
  bool isFinite() const;
  /// Whether the padding may hold `value`.
  bool contains(double value) const;
  /// Whether every value that this state allows is allowed by `other`.
  bool implies(const PaddingValue &other) const;
  /// "none", "finite", "undef" or the constant, prefixed by "live " if `live`.
  std::string str() const;

  friend bool operator==(const PaddingValue &a, const PaddingValue &b);
};
/// The least upper bound of two states.
PaddingValue join(const PaddingValue &a, const PaddingValue &b);

/// The three regions of padding of a tiled matrix.
struct PaddingState {
  PaddingValue rows;   ///< row tail x valid columns
  PaddingValue cols;   ///< valid rows x column tail
  PaddingValue corner; ///< both tails

  /// `value` in all regions of padding that a matrix of this shape has. A vector is one row, a scalar one element.
  static PaddingState all(PaddingValue value, llvm::ArrayRef<int64_t> shape, Tile tile = {});
  std::string str() const;

  friend bool operator==(const PaddingState &a, const PaddingState &b);
};
PaddingState join(const PaddingState &a, const PaddingState &b);

/// Consumers with a requirement on padding.
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
/// The consumer with this name: "softmax", "topk_largest", ..., the enumerators in snake case.
std::optional<Consumer> consumer(llvm::StringRef name);

/// What the padding after the reduced (normalised, contracted, written) axis has to contain.
struct FillRequirement {
  enum Kind {
    DontCare,        ///< anything
    Fill,            ///< `want`
    FillOrReplicate, ///< `want`, or copies of a valid element of the same fibre
    ReplicateOrCast, ///< copies of valid elements, or a cast: an infinity or a one destroys a group of block floats
    NonZero,         ///< a finite divisor that is not zero
    OneSideZero,     ///< a contraction: zero on one side, finite on the other
    NoneExists       ///< no constant is neutral: predicates, or another decomposition
  } kind = DontCare;
  double want = 0;
  bool logicalCount = false; ///< also divide by the number of logical elements
  bool refill = false;       ///< also fill with zero again after the mean is subtracted

  bool needed() const { return kind != DontCare; }
  /// "0", "1", "-inf", "+inf", "dont-care", "replicate-or-cast", "non-zero", "one-side-zero" or "none-exists".
  std::string str() const;
};
/// For integers an infinite `want` stands for the lowest or highest value of the type. Zero is the only constant for
/// block floats.
FillRequirement requiredFill(Consumer consumer, const ElementFormat &format);
/// Whether padding in state `value` meets the requirement. For OneSideZero use `isMatmulPaddingSafe`.
bool satisfies(const PaddingValue &value, const FillRequirement &requirement);
/// Whether the padding of the contracted axis (columns of the left, rows of the right operand) needs no fill.
bool isMatmulPaddingSafe(const PaddingState &lhs, const PaddingState &rhs);

// Transfer functions: the padding of a result, given that of the operands. Valid elements are assumed to be finite.

/// An elementwise op; exact on constants. `keepsFinite`: the function neither overflows nor gives NaN on finite
/// operands, so that finite padding stays finite.
PaddingState mapPadding(llvm::ArrayRef<PaddingState> operands,
                        llvm::function_ref<double(llvm::ArrayRef<double>)> function, bool keepsFinite);
/// Swaps rows and columns.
PaddingState transposePadding(const PaddingState &state);
/// Softmax over the columns: a tail of -inf becomes 0.
PaddingState softmaxPadding(const PaddingState &state);
PaddingState matmulPadding(const PaddingState &lhs, const PaddingState &rhs);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_PADDINGSTATE_H
