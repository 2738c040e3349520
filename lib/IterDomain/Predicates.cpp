//===- Predicates.cpp - which indices a loop over a buffer checks ---------===//
//
// Why the walk is exact. Ranges follow from the guards alone. Going from the roots to the leaves, if the inputs of an
// expression are in bound then so are its outputs: each is guarded, or in range, or deferred by one of these.
//   Split    x and i in bound => o in bound; an i out of bound may push x, or what x is made of, out of bound.
//   Merge    o in bound <=> z in bound, if |I| > 0.
//   Resize   x in bound => z >= 0 if L >= 0, and z < |Z| if R >= 0.
//   Swizzle  x in bound <=> x' in bound. Not used where sigma leaves the range of y for x' out of bound: a later
//            expression could fold y back into range.
//
//===----------------------------------------------------------------------===//

#include "forge/IterDomain/Predicates.h"

#include "Arithmetic.h"
#include "forge/IterDomain/PositionCursor.h"
#include "forge/IterDomain/Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

namespace forge::itd {

namespace {

using rules::Wide;

// Beyond this a bound counts as infinite. Extents are below it, and a product of two such bounds fits Wide.
constexpr Wide kInfinity = Wide(1) << 63;

/// Which indices an ID can have. `hi` of a dynamic ID is infinite; `below` says that they are in bound even so.
struct Range {
  Wide lo = -kInfinity, hi = kInfinity;
  bool below = false; ///< index < extent

  static Wide saturated(Wide bound) { return std::max(-kInfinity, std::min(kInfinity, bound)); }
};

// A lower bound stays one when it is rounded down to infinity, an upper one when it is rounded up.
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

/// Drops guards whose every padding position is excluded by another one.
void dropRedundant(const TensorDomain &domain, llvm::SmallVectorImpl<Predicate> &predicates) {
  constexpr int64_t kLimit = int64_t(1) << 20;
  if (!rules::dropsRedundantGuards() || predicates.size() < 2 || predicates.size() > 64 || !domain.isStatic())
    return;
  if (llvm::Error tooLarge = PositionCursor::enumerable(domain, kLimit)) {
    llvm::consumeError(std::move(tooLarge));
    return;
  }
  // Which guards fail at some padding position, as bits: few sets, however many positions.
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
    // Ranges without any guard are true as well, and all known when the walk begins.
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
        // Without guards y may be anywhere.
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

  /// Guards the halves of `id` that may be out of bound here and that nothing nearer to the root reports.
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

  /// Every position is padding, and this predicate says so.
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

  /// Whether an index of `id` that is negative (`lower`), or at or beyond the extent, puts something that `id` is made
  /// from out of bound on the same side.
  bool leavesAncestor(IdRef id, bool lower) const {
    if (!lower && !extent(id).isStatic())
      return false;
    // The index closest to the bounds: an upper bound of all negative ones, or a lower bound of all those beyond.
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

  /// What is known of another output, which the walk may or may not have come to.
  Wide sibling(IdRef id, bool highest) const {
    return highest ? std::min(unguarded[id].hi, ranges[id].hi) : std::max(unguarded[id].lo, ranges[id].lo);
  }

  const IterGraph &graph;
  const TensorDomain &domain;
  llvm::SmallVector<Range, 0> ranges, unguarded;
  llvm::SmallVector<Predicate> guards;
  bool impossible = false; ///< no position satisfies the guards so far
};

} // namespace

static void sortPredicates(llvm::SmallVectorImpl<Predicate> &predicates) {
  llvm::sort(predicates,
             [](Predicate a, Predicate b) { return std::pair(a.id, !a.lower) < std::pair(b.id, !b.lower); });
}

llvm::SmallVector<Predicate> minimalPredicates(const TensorDomain &domain) {
  // From the leaves on, so that of two guards that say the same the one nearer to the root stays.
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
