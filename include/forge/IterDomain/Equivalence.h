//===- Equivalence.h - do two schedules lay out the same buffer -*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_EQUIVALENCE_H
#define FORGE_ITERDOMAIN_EQUIVALENCE_H

#include "forge/IterDomain/PositionCursor.h"

namespace forge::itd {

/// ModuloPadding: the buffers are equal, but the root indices of some padding positions differ.
enum class Equiv { No, ModuloPadding, Yes, Unknown };

struct EquivResult {
  Equiv kind = Equiv::Unknown;
  /// For No with equal extents: the first position that differs, and the element at it in each buffer (-1 for padding).
  std::optional<int64_t> position;
  int64_t elementA = 0, elementB = 0;
  /// For No and Unknown.
  std::string reason;
};

/// Compares the extents of the leaves, then normal forms, then all positions, up to `limit` evaluations. Normalisation
/// uses identities that hold for all sizes: Split(Split(x, n).outer, m) equals Split(x, m * n), and a split of a merge
/// by a divisor of the inner extent equals a split of the inner ID.
EquivResult equivalent(const TensorDomain &a, const TensorDomain &b, int64_t limit = kEnumerationLimit);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_EQUIVALENCE_H
