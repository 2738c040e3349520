//===- PositionCursor.h - the positions of a buffer one by one --*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_POSITIONCURSOR_H
#define FORGE_ITERDOMAIN_POSITIONCURSOR_H

#include "forge/IterDomain/TensorDomain.h"

namespace forge::itd {

/// The limit of expression evaluations of one query, which take about half a second.
constexpr int64_t kEnumerationLimit = int64_t(1) << 26;

/// Iterates over the positions of a static domain in memory order, and computes the index of each ID.
class PositionCursor {
public:
  /// Starts at the first position. `domain` must outlive the cursor.
  explicit PositionCursor(const TensorDomain &domain);

  /// False after the last position, and at once for an empty buffer.
  explicit operator bool() const { return !done; }
  void next();

  bool isPadding() const { return padding; }
  /// Whether some index overflows 64 bits at this position, so that `index` is undefined. Such a position is padding.
  bool overflowed() const { return overflow; }
  /// The index of an ID; it may be out of bounds at padding.
  int64_t index(IdRef id) const { return indices[id]; }
  /// The row-major index of the element, or -1 at padding. The logical size must fit 64 bits.
  int64_t element() const;

  /// Expression evaluations per position.
  static int64_t cost(const TensorDomain &domain);
  /// Fails if an iteration over all positions needs more than `limit` evaluations.
  static llvm::Error enumerable(const TensorDomain &domain, int64_t limit = kEnumerationLimit);

private:
  void decode();

  const TensorDomain &domain;
  llvm::SmallVector<int64_t> extents; ///< of all IDs
  llvm::SmallVector<int64_t> indices; ///< of all IDs
  bool done = false, padding = false, overflow = false;
};

/// What each position holds, in memory order: "0..4 _x3" is elements 0 to 4, then three positions of padding.
llvm::Expected<std::string> bufferMap(const TensorDomain &domain);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_POSITIONCURSOR_H
