//===- Repeats.h - repeated subsequences ------------------------*- C++ -*-===//
//
// In a repeated sequence every window has occurred before, and for consecutive repetitions always at the same distance.
// The most frequent distances between equal windows are the candidates; each is tried in one pass over the sequence.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <vector>

namespace forge {

/// Equal subsequences: `length` items from each of `starts`, which ascend. They do not overlap. If they follow each
/// other without a gap, all of them may be shifted to the right by up to `slack`.
struct Repeat {
  size_t length = 0;
  std::vector<size_t> starts;
  size_t slack = 0;
};

/// Finds repeated subsequences. Items are represented by numbers.
class RepeatFinder {
public:
  explicit RepeatFinder(std::vector<uint64_t> given) : items(std::move(given)) {}

  /// The repeat that saves the most items, if any saves enough.
  std::optional<Repeat> best() const {
    std::optional<Repeat> found;
    size_t most = kLeastSaved - 1;
    for (size_t distance : distances()) {
      Repeat known = atDistance(distance);
      if (known.length < kShortest)
        continue;
      // Consecutive repetitions are layers. Repetitions within a layer count half.
      bool follow = known.starts.size() > 1;
      Repeat repeat = follow ? std::move(known) : occurrences(std::move(known));
      size_t saved = (repeat.starts.size() - 1) * repeat.length / (follow ? 1 : 2);
      if (saved > most || (found && saved == most && repeat.length > found->length)) {
        most = saved;
        found = std::move(repeat);
      }
    }
    return found;
  }

  /// All subsequences that are equal to those of `known`, including these.
  Repeat occurrences(Repeat known) const {
    size_t first = known.starts.front(), end = known.starts.back() + known.length;
    llvm::ArrayRef<uint64_t> wanted = window(first, known.length);
    Repeat result{known.length, {}, 0};
    auto collect = [&](size_t from, size_t to) {
      for (size_t i = from; i + known.length <= to; ++i)
        if (window(i, known.length) == wanted) {
          result.starts.push_back(i);
          i += known.length - 1;
        }
    };
    collect(0, first);
    result.starts.insert(result.starts.end(), known.starts.begin(), known.starts.end());
    collect(end, items.size());
    return result;
  }

  /// Excludes items from the search.
  void exclude(size_t start, size_t length) {
    for (size_t i = start; i < start + length; ++i)
      items[i] = unequal++;
  }

private:
  // A shorter sequence is as readable as a name.
  static constexpr size_t kShortest = 6;
  // The items that a repeat must save.
  static constexpr size_t kLeastSaved = 16;
  static constexpr size_t kDistances = 32;

  // The most frequent distances between equal windows.
  std::vector<size_t> distances() const {
    llvm::DenseMap<llvm::ArrayRef<uint64_t>, size_t> lastWindow;
    llvm::DenseMap<size_t, size_t> counts;
    for (size_t i = 0; i + kShortest <= items.size(); ++i) {
      auto [seen, isNew] = lastWindow.try_emplace(window(i, kShortest), i);
      if (isNew)
        continue;
      ++counts[i - seen->second];
      seen->second = i;
    }
    std::vector<std::pair<size_t, size_t>> ranked(counts.begin(), counts.end());
    llvm::sort(ranked, [](auto a, auto b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    std::vector<size_t> result;
    for (auto [distance, count] : ranked)
      if (distance >= kShortest && result.size() < kDistances)
        result.push_back(distance);
    return result;
  }

  // The longest run of items that each equal the item `distance` before.
  Repeat atDistance(size_t distance) const {
    size_t begin = 0, length = 0;
    for (size_t i = distance, from = distance; i <= items.size(); ++i) {
      if (i < items.size() && items[i] == items[i - distance])
        continue;
      if (i - from > length) {
        begin = from;
        length = i - from;
      }
      from = i + 1;
    }
    size_t first = begin - std::min(begin, distance);
    if (length < distance)
      return {length, {first}, 0};
    Repeat result{distance, {}, length % distance};
    for (size_t k = 0; k <= length / distance; ++k)
      result.starts.push_back(first + k * distance);
    return result;
  }

  llvm::ArrayRef<uint64_t> window(size_t start, size_t length) const {
    return llvm::ArrayRef(items).slice(start, length);
  }

  std::vector<uint64_t> items;
  uint64_t unequal = uint64_t(1) << 63; ///< an unused item number
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_REPEATS_H
