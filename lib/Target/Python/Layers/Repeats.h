//===- Repeats.h - repeated subsequences ------------------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace forge {

/// Equal subsequences: `length` items from each of `starts`, which ascend. They do not overlap. If they follow each
/// other without a gap, all of them may be shifted to the right by up to `slack`.
struct Repeat {
  size_t length = 0;
  std::vector<size_t> starts;
  size_t slack = 0;
};

/// Finds repeated subsequences in linear time. Items are represented by numbers. Subsequences are compared by hashes of
/// 64 bits, so that the caller has to compare the items of a repeat.
class RepeatFinder {
public:
  explicit RepeatFinder(std::vector<uint64_t> items);

  /// The repeat that saves the most items, if any saves enough.
  std::optional<Repeat> best() const;
  /// All subsequences that are equal to those of `known`, including these.
  Repeat occurrences(Repeat known) const;
  /// Excludes items from the search.
  void exclude(size_t start, size_t length);

private:
  std::vector<size_t> distances() const;
  Repeat atDistance(size_t distance) const;
  uint64_t hash(size_t start, size_t length) const;
  void updateHashes();

  std::vector<uint64_t> items, prefixHashes, powers;
  uint64_t unequal; ///< an unused item number
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
