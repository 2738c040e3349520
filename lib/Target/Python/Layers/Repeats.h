//===- Repeats.h - equal pieces of a sequence -------------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace forge {

/// Equal pieces of a sequence: `length` items from each of `starts`, which ascend. Pieces do not overlap. Those that
/// follow each other without a gap may all begin later by up to `slack`.
struct Repeat {
  size_t length = 0;
  std::vector<size_t> starts;
  size_t slack = 0;
};

/// Finds pieces that repeat, in time that grows with the length of the sequence. Items are equal when their numbers
/// are; two different pieces are taken for equal once in 2^64 cases, so whoever acts on a repeat compares the items.
class RepeatFinder {
public:
  explicit RepeatFinder(std::vector<uint64_t> items);

  /// The repeat that saves most items, if any saves enough.
  std::optional<Repeat> best() const;
  /// The pieces that are equal to those of `known`, and these.
  Repeat occurrences(Repeat known) const;
  /// Takes items out of the search.
  void exclude(size_t start, size_t length);

private:
  std::vector<size_t> distances() const;
  Repeat atDistance(size_t distance) const;
  uint64_t hash(size_t start, size_t length) const;
  void updateHashes();

  std::vector<uint64_t> items, prefixHashes, powers;
  uint64_t unequal; ///< the next number that no item has
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
