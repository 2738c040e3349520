//===- Predicates.h - the bounds checks that a loop needs -------*- C++ -*-===//

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

/// A conjunction that is true exactly at the positions that are not padding; in ID order, lower bounds first.
///
/// One walk from the leaves to the roots computes the index range of each ID. An ID whose range exceeds its bounds gets
/// a predicate, unless an ancestor is then out of bounds too. Predicates that are implied by others are dropped if the
/// buffer is small enough to enumerate its positions.
llvm::SmallVector<Predicate> minimalPredicates(const TensorDomain &domain);

/// Both bounds for the input of each expression that creates padding: the baseline for `minimalPredicates`. It is not
/// sufficient for some schedules.
llvm::SmallVector<Predicate> naivePredicates(const TensorDomain &domain);

/// "I0 >= 0, I0 < 15", or "none".
std::string predicateString(const TensorDomain &domain, llvm::ArrayRef<Predicate> predicates);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_PREDICATES_H
