//===- BulkAccess.h - contiguous boxes over merged axes ---------*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_BULKACCESS_H
#define FORGE_ITERDOMAIN_BULKACCESS_H

#include "forge/IterDomain/TensorDomain.h"

namespace forge::itd {

/// Whether every aligned group of `width` consecutive indices of the merged axes has consecutive addresses.
/// LegalWithTail: yes, but the last group extends beyond the last index.
struct BulkVerdict {
  enum Kind { Illegal, LegalWithTail, Legal } kind;
  int64_t firstBadBox = 0;     ///< for Illegal
  int64_t crossingElement = 0; ///< for Illegal: the first element that does not follow its predecessor in memory
};

/// For all axes of a shape, merged into one. `strides` are in elements, outermost first.
llvm::Expected<BulkVerdict> canBulkAccess(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> strides,
                                          int64_t width);
/// For one ID that is derived from roots by merges and divisible splits only; fails for other expressions. `strides`
/// are per root, in elements.
llvm::Expected<BulkVerdict> canBulkAccess(const TensorDomain &domain, IdRef leaf, int64_t width,
                                          llvm::ArrayRef<int64_t> strides);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_BULKACCESS_H
