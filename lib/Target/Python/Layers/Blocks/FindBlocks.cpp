//===- FindBlocks.cpp - what is written several times becomes a method ----===//
//
// A layer norm is seven calls; it occurs twice in a layer and once after the last one. Such blocks are found in the
// text of `forward` and of the methods for layers (BlockText): they are equal when their lines are, but for names,
// whatever shapes they have in their places. A block has one result. The one that saves most lines becomes a method
// (BlockMethod), then the text is read again, until nothing worth a method is left.
//
//===----------------------------------------------------------------------===//

#include "Layers/Blocks/BlockMethod.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace forge;

// Calls of a block. Fewer are read as easily as its name, and more are a layer.
static constexpr size_t kFewestCalls = 5, kMostCalls = 24;
// Lines that a block must save, and those of a method besides its calls.
static constexpr size_t kLeastSaved = 2, kMethodLines = 5;
static constexpr size_t kMostBlocks = 6;
// Nobody reads a longer file from one end to the other.
static constexpr size_t kLongestText = 4096;

// Lines that a method for these places saves.
static size_t savedBy(const BlockPlaces &places) {
  size_t together = (places.starts.size() - 1) * places.length;
  return together > kMethodLines ? together - kMethodLines : 0;
}

// Runs of `length` calls that one method can replace, where that saves enough.
static void findPlaces(const BlockText &text, size_t length, std::vector<BlockPlaces> &result) {
  std::vector<BlockPlaces> found;
  std::map<std::vector<uint64_t>, size_t> known;
  for (size_t start = 0; start + length <= text.size(); ++start) {
    std::optional<std::vector<uint64_t>> shape = text.shapeOf(start, length);
    if (!shape)
      continue;
    auto [at, isNew] = known.try_emplace(std::move(*shape), found.size());
    if (isNew)
      found.push_back({length, {}});
    std::vector<size_t> &starts = found[at->second].starts;
    if (starts.empty() || starts.back() + length <= start)
      starts.push_back(start);
  }
  llvm::copy_if(found, std::back_inserter(result),
                [](const BlockPlaces &places) { return savedBy(places) >= kLeastSaved; });
}

// Writes the best block as a method. False where there is none.
static bool writeBest(EmissionPlan &plan, const BlockText &text, Namespace &methodNames) {
  std::vector<BlockPlaces> found;
  for (size_t length = kFewestCalls; length <= kMostCalls; ++length)
    findPlaces(text, length, found);
  llvm::stable_sort(found, [](const BlockPlaces &a, const BlockPlaces &b) { return savedBy(a) > savedBy(b); });
  // Calls of one node or scope are preferred to calls that happen to be equal.
  for (bool isOneScope : {true, false})
    for (const BlockPlaces &places : found) {
      BlockMethod block(text, places);
      if (!block.build() || (isOneScope && !block.isOneScope()))
        continue;
      plan.methods.push_back(block.apply(methodNames));
      return true;
    }
  return false;
}

void forge::planBlocks(EmissionPlan &plan) {
  Namespace methodNames;
  for (const PlannedMethod &method : plan.methods)
    methodNames.reserve(method.name);
  // The methods of blocks are no place to look for others.
  size_t bodies = plan.methods.size() + 1;
  for (size_t round = 0; round < kMostBlocks; ++round) {
    BlockText text(plan, bodies);
    if (text.size() > kLongestText || !writeBest(plan, text, methodNames))
      return;
  }
}
