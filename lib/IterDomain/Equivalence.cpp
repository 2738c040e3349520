//===- Equivalence.cpp - whether two schedules are the same layout --------===//

#include "forge/IterDomain/Equivalence.h"

#include "Arithmetic.h"
#include "forge/IterDomain/PositionCursor.h"
#include "forge/IterDomain/Rules.h"

#include <map>
#include <tuple>

namespace forge::itd {

namespace {

/// Value numbering for the IDs of several schedules: equal numbers mean equal index functions, for all integers.
/// Normalisation moves splits as close to the roots as possible, and describes a digit of x by the products of the
/// factors below it and up to it.
class NormalForms {
public:
  llvm::SmallVector<unsigned> leaves(const TensorDomain &domain) {
    llvm::SmallVector<unsigned, 0> number(domain.graph.size());
    for (auto [axis, id] : llvm::enumerate(domain.root)) {
      Extent extent = domain.graph.extent(id);
      number[id] = make({Root, axis, extent.value, extent.divisor}, extent);
    }
    for (const Expr &expr : domain.graph.exprs()) {
      if (const auto *s = std::get_if<Split>(&expr)) {
        Extent outer = domain.graph.extent(s->outer), inner = domain.graph.extent(s->inner);
        unsigned in = number[s->in];
        // An outer split into `factor` chunks is an inner split by the chunk size, unless some chunks are empty.
        bool plain = s->innerSplit || (inner.isStatic() && inner.value > 0 && terms[in].extent.isStatic() &&
                                       ceilDiv(terms[in].extent.value, inner.value) == s->factor);
        int64_t width = s->innerSplit ? s->factor : inner.value;
        number[s->outer] = plain ? quotient(in, width, outer) : make({OuterQuotient, in, s->factor, 0}, outer);
        number[s->inner] = plain ? remainder(in, width, inner) : make({OuterRemainder, in, s->factor, 0}, inner);
      } else if (const auto *m = std::get_if<Merge>(&expr)) {
        number[m->out] = make({Merged, number[m->outer], number[m->inner], 0}, domain.graph.extent(m->out));
      } else if (const auto *r = std::get_if<Resize>(&expr)) {
        number[r->out] = make({Resized, number[r->in], r->left, r->right}, domain.graph.extent(r->out));
      } else {
        const auto &z = std::get<Swizzle>(expr);
        auto kind = static_cast<int64_t>(z.kind);
        number[z.outX] = make({SwizzledX, number[z.inX], number[z.inY], kind}, domain.graph.extent(z.outX));
        number[z.outY] = make({SwizzledY, number[z.inX], number[z.inY], kind}, domain.graph.extent(z.outY));
      }
    }
    return llvm::map_to_vector(domain.allocation, [&](IdRef id) { return number[id]; });
  }

private:
  enum Kind { Root, Quotient, Remainder, OuterQuotient, OuterRemainder, Merged, Resized, SwizzledX, SwizzledY };
  using Key = std::tuple<Kind, int64_t, int64_t, int64_t>;
  struct Term {
    Key key;
    Extent extent;
  };

  unsigned make(Key key, Extent extent) {
    auto [entry, isNew] = numbers.try_emplace(key, terms.size());
    if (isNew)
      terms.push_back({key, extent});
    return entry->second;
  }

  /// The inner operand of a merge if `width` divides its extent: a split of the merge by `width` is then a split of it.
  std::optional<unsigned> mergedInner(unsigned in, int64_t width) const {
    auto [kind, outer, inner, unused] = terms[in].key;
    if (kind != Merged || terms[inner].extent.divisibleBy(width) != Tri::Yes)
      return std::nullopt;
    return static_cast<unsigned>(inner);
  }

  static Extent divided(Extent extent, int64_t width) {
    return extent.isStatic() ? Extent(extent.value / width) : Extent::dynamic(extent.divisor / width);
  }

  /// x div width.
  unsigned quotient(unsigned in, int64_t width, Extent extent) {
    auto [kind, first, factor, unused] = terms[in].key;
    if (std::optional<unsigned> inner = mergedInner(in, width)) {
      unsigned rest = quotient(*inner, width, divided(terms[*inner].extent, width));
      return make({Merged, first, rest, 0}, extent);
    }
    if (kind == Quotient)
      if (std::optional<int64_t> both = llvm::checkedMul(factor, width))
        return quotient(static_cast<unsigned>(first), *both, extent);
    return make({Quotient, in, width, 0}, extent);
  }

  /// x mod width.
  unsigned remainder(unsigned in, int64_t width, Extent extent) {
    auto [kind, first, factor, unused] = terms[in].key;
    if (std::optional<unsigned> inner = mergedInner(in, width))
      return remainder(*inner, width, extent);
    if (kind == Remainder && factor % width == 0)
      return remainder(static_cast<unsigned>(first), width, extent);
    // (x div n) mod m is (x mod (m * n)) div n.
    if (kind == Quotient)
      if (std::optional<int64_t> both = llvm::checkedMul(factor, width))
        return make({Quotient, remainder(static_cast<unsigned>(first), *both, *both), factor, 0}, extent);
    return make({Remainder, in, width, 0}, extent);
  }

  std::map<Key, unsigned> numbers;
  std::vector<Term> terms;
};

EquivResult verdict(Equiv kind, std::string reason = "") { return {kind, std::nullopt, 0, 0, std::move(reason)}; }

/// Whether the root indices are equal; Unknown if they overflow 64 bits.
Tri sameIndices(const TensorDomain &a, const PositionCursor &atA, const TensorDomain &b, const PositionCursor &atB) {
  if (a.root.size() != b.root.size())
    return Tri::No;
  if (atA.overflowed() || atB.overflowed())
    return Tri::Unknown;
  bool same = llvm::all_of(llvm::zip_equal(a.root, b.root),
                           [&](auto ids) { return atA.index(std::get<0>(ids)) == atB.index(std::get<1>(ids)); });
  return same ? Tri::Yes : Tri::No;
}

EquivResult comparePositions(const TensorDomain &a, const TensorDomain &b, int64_t limit) {
  for (const TensorDomain *domain : {&a, &b})
    if (llvm::Error failed = logicalSize(*domain).takeError())
      return verdict(Equiv::Unknown, llvm::toString(std::move(failed)));
  int64_t count = limit / (PositionCursor::cost(a) + PositionCursor::cost(b));
  bool paddingDiffers = false, paddingUnknown = false;
  PositionCursor atA(a), atB(b);
  for (int64_t position = 0; atA && atB; ++position, atA.next(), atB.next()) {
    if (position == count)
      return verdict(Equiv::Unknown,
                     "the first " + std::to_string(count) + " positions are equal, but the buffer is larger");
    int64_t elementA = atA.element(), elementB = atB.element();
    if (elementA != elementB)
      return {Equiv::No, position, elementA, elementB,
              "position " + std::to_string(position) + ": " + std::to_string(elementA) + " vs " +
                  std::to_string(elementB)};
    if (atA.isPadding() && !paddingDiffers) {
      Tri same = sameIndices(a, atA, b, atB);
      paddingDiffers |= same == Tri::No;
      paddingUnknown |= same == Tri::Unknown;
    }
  }
  if (!paddingDiffers && paddingUnknown)
    return verdict(Equiv::Unknown, "indices at padding exceed 64 bits");
  return verdict(rules::equality(paddingDiffers));
}

} // namespace

EquivResult equivalent(const TensorDomain &a, const TensorDomain &b, int64_t limit) {
  llvm::SmallVector<Extent> extentsA = a.extents(a.allocation), extentsB = b.extents(b.allocation);
  auto differ = [](auto extents) {
    auto [x, y] = extents;
    return x.isStatic() && y.isStatic() && x.value != y.value;
  };
  if (extentsA.size() != extentsB.size() || llvm::any_of(llvm::zip_equal(extentsA, extentsB), differ))
    return verdict(Equiv::No, "extents " + shapeString(extentsA) + " vs " + shapeString(extentsB));

  NormalForms forms;
  if (forms.leaves(a) == forms.leaves(b))
    return verdict(Equiv::Yes);
  if (!a.isStatic() || !b.isStatic())
    return verdict(Equiv::Unknown, "an extent is dynamic");
  return comparePositions(a, b, limit);
}

} // namespace forge::itd
