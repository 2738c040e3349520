//===- Predicates.h - which indices a loop over a buffer checks -*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_PREDICATES_H
#define FORGE_ITERDOMAIN_PREDICATES_H

#include "forge/IterDomain/TensorDomain.h"

namespace forge::itd {

/// index(id) >= 0 if `lower`, otherwise index(id) < extent(id).
struct Predicate {
  IdRef id;
  bool lower;

  friend bool operator==(Predicate a, Predicate b) { return a.id == b.id && a.lower == b.lower; }
};

/// A conjunction that is true exactly at the positions that are no padding, in ID order, lower half first.
///
/// One walk from the leaves to the roots keeps an interval per ID. An ID whose interval sticks out is guarded, unless
/// something nearer to the root is then out of bound too. Guards that only exclude what others exclude are dropped when
/// the buffer is small enough to look at each position.
llvm::SmallVector<Predicate> minimalPredicates(const TensorDomain &domain);

/// Both halves for the input of every expression that creates padding: what `minimalPredicates` is measured against. On
/// some schedules it lets padding through.
llvm::SmallVector<Predicate> naivePredicates(const TensorDomain &domain);

/// "I0 >= 0, I0 < 15", or "none".
std::string predicateString(const TensorDomain &domain, llvm::ArrayRef<Predicate> predicates);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_PREDICATES_H
