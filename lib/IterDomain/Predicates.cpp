//===- Predicates.cpp - the bounds checks that a loop needs ---------------===//
//
// Why one walk is exact. Index ranges follow from the predicates alone. From the roots to the leaves: if the inputs of
// an expression are in bounds then so are its outputs, because each output has a predicate, or is in range, or is
// deferred:
//   Split    x and i in bounds => o in bounds; if i is out of bounds then x, or an ancestor of x, may be so too.
//   Merge    o in bounds <=> z in bounds, if |I| > 0.
//   Resize   x in bounds => z >= 0 if L >= 0, and z < |Z| if R >= 0.
//   Swizzle  x in bounds <=> x' in bounds. Not used if sigma leaves the bounds of y for x' out of bounds: a later
//            expression could map y back into bounds.
//
//===----------------------------------------------------------------------===//

#include "forge/IterDomain/Predicates.h"

#include "forge/IterDomain/PositionCursor.h"
#include "forge/IterDomain/Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

namespace forge::itd {

namespace {

using rules::Wide;

// Bounds from here on count as infinite. Extents are smaller, and the product of two such bounds fits Wide.
constexpr Wide kInfinity = Wide(1) << 63;

/// The range of indices of an ID. `hi` is infinite for a dynamic ID; `below` then says whether it is below the extent.
struct Range {
  Wide lo = -kInfinity, hi = kInfinity;
  bool below = false; ///< index < extent

  static Wide saturated(Wide bound) { return std::max(-kInfinity, std::min(kInfinity, bound)); }
};

// Rounding a lower bound down, or an upper bound up, keeps it valid.
Wide scaledLower(Wide outer, int64_t scale, Wide inner) {
  if (outer <= -kInfinity || inner <= -kInfinity)
    return -kInfinity;
  return Range::saturated(outer * scale + inner);
}
Wide scaledUpper(Wide outer, int64_t scale, Wide inner) {
  if (outer >= kInfinity || inner >= kInfinity)
    return kInfinity;
  return Range::saturated(outer * scale + inner);
}

/// Removes predicates all of whose excluded positions are excluded by other predicates too.
void dropRedundant(const TensorDomain &domain, llvm::SmallVectorImpl<Predicate> &predicates) {
  constexpr int64_t kLimit = int64_t(1) << 20;
  if (!rules::dropsRedundantGuards() || predicates.size() < 2 || predicates.size() > 64 || !domain.isStatic())
    return;
  if (llvm::Error tooLarge = PositionCursor::enumerable(domain, kLimit)) {
    llvm::consumeError(std::move(tooLarge));
    return;
  }
  // The sets of predicates that fail at some padding position, as bit masks. There are few distinct sets.
  llvm::SmallSet<uint64_t, 16> failing;
  for (PositionCursor cursor(domain); cursor; cursor.next()) {
    if (!cursor.isPadding())
      continue;
    if (cursor.overflowed())
      return;
    uint64_t fails = 0;
    for (auto [bit, guard] : llvm::enumerate(predicates)) {
      int64_t index = cursor.index(guard.id);
      bool holds = guard.lower ? index >= 0 : index < domain.graph.extent(guard.id).value;
      fails |= uint64_t(!holds) << bit;
    }
    failing.insert(fails);
  }
  uint64_t kept = ~uint64_t(0) >> (64 - predicates.size());
  for (size_t bit = 0; bit < predicates.size(); ++bit) {
    uint64_t without = kept & ~(uint64_t(1) << bit);
    if (llvm::all_of(failing, [&](uint64_t fails) { return (fails & without) != 0; }))
      kept = without;
  }
  llvm::SmallVector<Predicate> rest;
  for (auto [bit, guard] : llvm::enumerate(predicates))
    if (kept >> bit & 1)
      rest.push_back(guard);
  predicates.assign(rest.begin(), rest.end());
}

class PredicateWalk {
public:
  explicit PredicateWalk(const TensorDomain &domain) : graph(domain.graph), domain(domain) {}

  llvm::SmallVector<Predicate> run() {
    for (IdRef id : domain.allocation)
      if (extent(id).is(0))
        return {};
    // Ranges that hold without any predicate, for all IDs, before the walk starts.
    propagate(/*guarding=*/false);
    unguarded = ranges;
    propagate(/*guarding=*/true);
    return guards;
  }

private:
  Extent extent(IdRef id) const { return graph.extent(id); }

  void propagate(bool guarding) {
    ranges.assign(graph.size(), Range());
    for (IdRef id : domain.allocation)
      ranges[id] = inBound(id);
    auto guardAll = [&](std::initializer_list<IdRef> ids) {
      for (IdRef id : ids)
        if (guarding && !impossible)
          guard(id);
    };
    for (const Expr &expr : llvm::reverse(graph.exprs())) {
      if (const auto *split = std::get_if<Split>(&expr)) {
        guardAll({split->inner, split->outer});
        ranges[split->in] = through(*split);
      } else if (const auto *merge = std::get_if<Merge>(&expr)) {
        guardAll({merge->out});
        ranges[merge->outer] = through(*merge);
        ranges[merge->inner] = inBound(merge->inner);
      } else if (const auto *resize = std::get_if<Resize>(&expr)) {
        guardAll({resize->out});
        ranges[resize->in] = through(*resize);
      } else {
        const auto &swizzle = std::get<Swizzle>(expr);
        guardAll({swizzle.outY, swizzle.outX});
        ranges[swizzle.inX] = ranges[swizzle.outX];
        // Without predicates y can have any value.
        ranges[swizzle.inY] = guarding ? inBound(swizzle.inY) : Range();
      }
    }
    for (IdRef id : domain.root)
      guardAll({id});
  }

  Range inBound(IdRef id) const {
    return {0, extent(id).isStatic() ? Wide(extent(id).value) - 1 : kInfinity, /*below=*/true};
  }

  Range through(const Split &split) const {
    const Range &outer = ranges[split.outer], &inner = ranges[split.inner];
    Range in;
    if (Extent width = extent(split.inner); width.isStatic()) {
      in.lo = scaledLower(outer.lo, width.value, inner.lo);
      in.hi = scaledUpper(outer.hi, width.value, inner.hi);
    } else if (outer.lo >= 0) {
      in.lo = inner.lo;
    }
    in.below = outer.below && inner.below && isDivisible(graph, split) == Tri::Yes;
    return in;
  }

  Range through(const Merge &merge) const {
    const Range &out = ranges[merge.out];
    Range outer;
    if (Extent width = extent(merge.inner); width.isStatic() && width.value > 0) {
      outer.lo = out.lo <= -kInfinity ? out.lo : rules::mergeOuter(out.lo, width.value);
      outer.hi = out.hi >= kInfinity ? out.hi : rules::mergeOuter(out.hi, width.value);
    } else if (out.lo >= 0) {
      outer.lo = 0;
    }
    if (out.below) {
      outer.below = true;
      outer.hi = std::min(outer.hi, inBound(merge.outer).hi);
    }
    return outer;
  }

  Range through(const Resize &resize) const {
    const Range &out = ranges[resize.out];
    Wide shift = -Wide(resize.left);
    return {scaledLower(out.lo, 1, shift), scaledUpper(out.hi, 1, shift), out.below && resize.right <= 0};
  }

  /// Adds predicates for the bounds of `id` that it may violate while all of its ancestors are in bounds.
  void guard(IdRef id) {
    Range &range = ranges[id];
    Extent size = extent(id);
    if (range.lo < 0 && !isDeferred(id, /*lower=*/true)) {
      if (unguarded[id].hi < 0)
        return excludeAll({id, true});
      guards.push_back({id, true});
      range.lo = 0;
    }
    bool fits = range.below || (size.isStatic() && range.hi < size.value);
    if (!fits && !isDeferred(id, /*lower=*/false)) {
      if (size.isStatic() && unguarded[id].lo >= size.value)
        return excludeAll({id, false});
      guards.push_back({id, false});
      range.hi = inBound(id).hi;
      fits = true;
    }
    range.below = fits;
    impossible = range.hi < range.lo;
  }

  /// For an empty domain: every position is padding, and this predicate excludes it.
  void excludeAll(Predicate predicate) {
    guards.assign(1, predicate);
    impossible = true;
  }

  bool isDeferred(IdRef id, bool lower) const {
    std::optional<ExprRef> definition = graph.definition(id);
    if (!definition)
      return false;
    const Expr &expr = graph.exprs()[*definition];
    if (const auto *split = std::get_if<Split>(&expr))
      return id == split->outer || rules::isInnerDeferred(leavesAncestor(id, lower));
    if (const auto *merge = std::get_if<Merge>(&expr))
      return extent(merge->inner).isStatic() && extent(merge->inner).value > 0;
    if (const auto *resize = std::get_if<Resize>(&expr);
        resize && rules::isResizeDeferred(lower ? resize->left : resize->right))
      return true;
    if (const auto *swizzle = std::get_if<Swizzle>(&expr))
      return id == swizzle->outX && rules::isSwizzleDeferred(swizzle->kind);
    return leavesAncestor(id, lower);
  }

  /// Whether some ancestor of `id` is out of bounds whenever `id` is: below 0 (`lower`) or at or above the extent.
  bool leavesAncestor(IdRef id, bool lower) const {
    if (!lower && !extent(id).isStatic())
      return false;
    // The index closest to the bounds: an upper bound of all negative ones, or a lower bound of those above the extent.
    Wide closest = lower ? Wide(-1) : Wide(extent(id).value);
    auto scaled = lower ? scaledUpper : scaledLower;
    while (std::optional<ExprRef> definition = graph.definition(id)) {
      const Expr &expr = graph.exprs()[*definition];
      if (const auto *split = std::get_if<Split>(&expr)) {
        Extent width = extent(split->inner);
        if (!width.isStatic())
          return false;
        closest = id == split->outer ? scaled(closest, width.value, sibling(split->inner, lower))
                                     : scaled(sibling(split->outer, lower), width.value, closest);
        id = split->in;
      } else if (const auto *merge = std::get_if<Merge>(&expr)) {
        Extent width = extent(merge->inner);
        if (!width.isStatic() || width.value == 0)
          return false;
        closest = rules::mergeOuter(closest, width.value);
        id = merge->outer;
      } else if (const auto *resize = std::get_if<Resize>(&expr)) {
        closest = scaled(closest, 1, -Wide(resize->left));
        id = resize->in;
      } else {
        const auto &swizzle = std::get<Swizzle>(expr);
        if (id != swizzle.outX)
          return false;
        id = swizzle.inX;
      }
      bool unknown = lower ? closest >= kInfinity : closest <= -kInfinity || !extent(id).isStatic();
      if (unknown)
        return false;
      if (lower ? closest < 0 : rules::isBeyond(closest, extent(id).value))
        return true;
    }
    return false;
  }

  /// The bound that is known for another output of the expression, whether or not the walk has visited it.
  Wide sibling(IdRef id, bool highest) const {
    return highest ? std::min(unguarded[id].hi, ranges[id].hi) : std::max(unguarded[id].lo, ranges[id].lo);
  }

  const IterGraph &graph;
  const TensorDomain &domain;
  llvm::SmallVector<Range, 0> ranges, unguarded;
  llvm::SmallVector<Predicate> guards;
  bool impossible = false; ///< no position satisfies the predicates so far
};

} // namespace

static void sortPredicates(llvm::SmallVectorImpl<Predicate> &predicates) {
  llvm::sort(predicates,
             [](Predicate a, Predicate b) { return std::pair(a.id, !a.lower) < std::pair(b.id, !b.lower); });
}

llvm::SmallVector<Predicate> minimalPredicates(const TensorDomain &domain) {
  // Tries the predicates near the leaves first: of two equivalent ones, the one nearer to the roots is kept.
  llvm::SmallVector<Predicate> predicates = PredicateWalk(domain).run();
  dropRedundant(domain, predicates);
  sortPredicates(predicates);
  return predicates;
}

llvm::SmallVector<Predicate> naivePredicates(const TensorDomain &domain) {
  llvm::SmallVector<Predicate> predicates;
  for (IdRef id : paddingCreating(domain)) {
    predicates.push_back({id, true});
    predicates.push_back({id, false});
  }
  return predicates;
}

std::string predicateString(const TensorDomain &domain, llvm::ArrayRef<Predicate> predicates) {
  if (predicates.empty())
    return "none";
  auto text = [&](Predicate predicate) {
    std::string id = "I" + std::to_string(predicate.id);
    if (predicate.lower)
      return id + " >= 0";
    Extent extent = domain.graph.extent(predicate.id);
    return id + " < " + (extent.isStatic() ? extent.str() : "|" + id + "|");
  };
  return llvm::join(llvm::map_range(predicates, text), ", ");
}

} // namespace forge::itd
