//===- IterGraph.h - iteration domains and their expressions ----*- C++ -*-===//
//
// An iteration domain (ID) is a named axis with an extent: the range of a loop or an axis of a buffer. Expressions map
// IDs to IDs; indices are computed backward, from the outputs of an expression to its inputs, with Euclidean division:
//
//   O, I   = Split(X, f)       extents ceil(X/f), f (inner) or f, ceil(X/f) (outer)    x = o * |I| + i
//   Z      = Merge(O, I)       extent |O| * |I|                                        o = z div |I|, i = z mod |I|
//   Z      = Resize(X, L, R)   extent |X| + L + R                                      x = z - L
//   X', Y' = Swizzle(X, Y)     extents |X|, |Y|                                        x = x', y = sigma(x', y')
//
// Extents are 64-bit. An overflow is an llvm::Error, never undefined behaviour.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_ITERDOMAIN_ITERGRAPH_H
#define FORGE_ITERDOMAIN_ITERGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace forge::itd {

/// The answer to a question about extents, some of which may be unknown.
enum class Tri { No, Yes, Unknown };

/// A size that is either known, or unknown but not negative and a multiple of `divisor`.
struct Extent {
  static constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();

  int64_t value = kDynamic;
  int64_t divisor = 1;

  Extent(int64_t value) : value(value) {} // NOLINT: implicit by intention
  static Extent dynamic(int64_t divisor = 1);

  bool isStatic() const { return value != kDynamic; }
  bool is(int64_t known) const { return value == known; }
  /// Whether a positive `factor` divides the extent. Yes or Unknown for a dynamic extent.
  Tri divisibleBy(int64_t factor) const;
  /// The size, or "?" ("?x32" for a multiple of 32).
  std::string str() const;

  friend bool operator==(const Extent &a, const Extent &b) { return a.value == b.value && a.divisor == b.divisor; }
};

using IdRef = uint32_t;   ///< dense: roots first, then in order of creation; printed as I0, I1, ...
using ExprRef = uint32_t; ///< in order of creation

enum class SwizzleKind { Xor, ZShape, Cyclic };

/// "xor", "zshape" or "cyclic".
llvm::StringRef name(SwizzleKind kind);
std::optional<SwizzleKind> swizzleKind(llvm::StringRef name);

struct Split {
  IdRef in, outer, inner;
  int64_t factor;
  bool innerSplit; ///< whether the factor is the extent of `inner`; otherwise it is that of `outer`
};
struct Merge {
  IdRef outer, inner, out;
};
struct Resize {
  IdRef in, out;
  int64_t left, right;
};
struct Swizzle {
  IdRef inX, inY, outX, outY;
  SwizzleKind kind;
};
using Expr = std::variant<Split, Merge, Resize, Swizzle>;

/// IDs and expressions in order of creation, which is a topological order. Each ID has at most one use.
class IterGraph {
public:
  /// The most IDs of a graph, which bounds the time of queries on hostile schedules.
  static constexpr size_t kMaxIds = size_t(1) << 16;

  /// Creates a root. All roots are created before the first expression.
  llvm::Expected<IdRef> root(Extent extent);
  /// Returns the outer and the inner ID. `factor` is the extent of the inner one if `inner`, else of the outer one.
  llvm::Expected<std::pair<IdRef, IdRef>> split(IdRef id, int64_t factor, bool inner = true);
  llvm::Expected<IdRef> merge(IdRef outer, IdRef inner);
  /// Adds `left` and `right` elements at the ends, or removes them if negative.
  llvm::Expected<IdRef> resize(IdRef id, int64_t left, int64_t right);
  /// Fails unless the swizzle is known to map the box of the two extents to itself.
  llvm::Expected<std::pair<IdRef, IdRef>> swizzle(SwizzleKind kind, IdRef x, IdRef y);

  size_t size() const { return ids.size(); }
  Extent extent(IdRef id) const { return ids[id].extent; }
  /// The expression that produces `id`; none for a root.
  std::optional<ExprRef> definition(IdRef id) const { return ids[id].definition; }
  llvm::ArrayRef<Expr> exprs() const { return expressions; }

private:
  struct Id {
    Extent extent;
    std::optional<ExprRef> definition, use;
  };

  llvm::Error usable(llvm::ArrayRef<IdRef> inputs, size_t outputs) const;
  void consume(llvm::ArrayRef<IdRef> inputs);
  IdRef define(Extent extent);

  llvm::SmallVector<Id, 0> ids;
  llvm::SmallVector<Expr, 0> expressions;
};

/// Whether the split has no remainder. If so, its input is in bounds whenever its outputs are.
Tri isDivisible(const IterGraph &graph, const Split &split);
/// The input of an expression whose outputs have more positions than its inputs: a split with a remainder or a resize
/// that grows. A split whose divisibility is unknown counts as one with a remainder.
std::optional<IdRef> paddingCreatingInput(const IterGraph &graph, const Expr &expr);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_ITERGRAPH_H
