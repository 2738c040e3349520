//===- FindBlocks.cpp - finds equal blocks of calls -----------------------===//
//
// A layer norm is seven calls; it occurs twice in a layer and once after the last layer. Such blocks are found as equal
// runs of lines in `forward` and in the methods for layers (BlockText), where lines are equal if they differ only in
// names; the shapes of their values may differ. A block has one result. The block that saves most lines becomes a
// method (BlockMethod); this is repeated until no block saves enough.
//
//===----------------------------------------------------------------------===//

#include "Layers/Blocks/BlockMethod.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace forge;

// Limits of the calls of a block. Fewer are as readable as a name, and more are a layer.
static constexpr size_t kFewestCalls = 5, kMostCalls = 24;
// The lines that a block must save, and the lines of a method besides its calls.
static constexpr size_t kLeastSaved = 2, kMethodLines = 5;
static constexpr size_t kMostBlocks = 6;
// Longer files are not read as a whole, so that they gain nothing.
static constexpr size_t kLongestText = 4096;

// The lines that a method for these occurrences saves.
static size_t savedBy(const BlockOccurrences &occurrences) {
  size_t together = (occurrences.starts.size() - 1) * occurrences.length;
  return together > kMethodLines ? together - kMethodLines : 0;
}

// Finds runs of `length` calls that one method can replace, if that saves enough.
static void findOccurrences(const BlockText &text, size_t length, std::vector<BlockOccurrences> &result) {
  std::vector<BlockOccurrences> found;
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
                [](const BlockOccurrences &occurrences) { return savedBy(occurrences) >= kLeastSaved; });
}

// Outlines the best block as a method. False if there is none.
static bool writeBest(EmissionPlan &plan, const BlockText &text, Namespace &methodNames) {
  std::vector<BlockOccurrences> found;
  for (size_t length = kFewestCalls; length <= kMostCalls; ++length)
    findOccurrences(text, length, found);
  llvm::stable_sort(found,
                    [](const BlockOccurrences &a, const BlockOccurrences &b) { return savedBy(a) > savedBy(b); });
  // Calls of one node or scope are preferred to calls that are equal by chance.
  for (bool isOneScope : {true, false})
    for (const BlockOccurrences &occurrences : found) {
      BlockMethod block(text, occurrences);
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
  // Methods of blocks are not searched for further blocks.
  size_t bodies = plan.methods.size() + 1;
  for (size_t round = 0; round < kMostBlocks; ++round) {
    BlockText text(plan, bodies);
    if (text.size() > kLongestText || !writeBest(plan, text, methodNames))
      return;
  }
}
