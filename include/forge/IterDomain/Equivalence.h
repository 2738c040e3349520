//===- Equivalence.h - do two schedules lay out the same buffer -*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_EQUIVALENCE_H
#define FORGE_ITERDOMAIN_EQUIVALENCE_H

#include "forge/IterDomain/PositionCursor.h"

namespace forge::itd {

/// ModuloPadding: the same buffer, but the root indices at some padding differ.
enum class Equiv { No, ModuloPadding, Yes, Unknown };

struct EquivResult {
  Equiv kind = Equiv::Unknown;
  /// For No with equal extents: the first position that differs and what it holds in each, -1 for padding.
  std::optional<int64_t> position;
  int64_t elementA = 0, elementB = 0;
  /// For No and Unknown.
  std::string reason;
};

/// Compares the extents of the leaves, then normal forms, then position by position as far as `limit` evaluations go.
/// Rewriting to normal form uses what holds for all sizes: Split(Split(x, n).outer, m) splits as Split(x, m * n) does,
/// and a split of a merge by a divisor of the inner extent is a split of the inner ID.
EquivResult equivalent(const TensorDomain &a, const TensorDomain &b, int64_t limit = kEnumerationLimit);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_EQUIVALENCE_H
