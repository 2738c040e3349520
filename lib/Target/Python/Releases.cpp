//===- Releases.cpp - releases variables after their last reads -----------===//
//
// A module releases variables after their last reads. One statement per variable would double the file, so that
// variables are released in groups, as long as a group is small in comparison with the largest value. Releases are
// planned last, because blocks and loops change the variables.
//
//===----------------------------------------------------------------------===//

#include "EmissionPlan.h"

using namespace mlir;
using namespace forge;

// The variables whose last read is in each call. Constants and returned variables are not released.
static std::vector<SmallVector<StringRef>> lastReads(const PlannedBody &body) {
  llvm::StringMap<size_t> lastUse;
  for (auto [i, call] : llvm::enumerate(body.calls))
    for (StringRef operand : call.operands)
      lastUse[operand] = i;
  // Variables that are returned, and variables that were seen before: a loop sets a variable again.
  llvm::StringSet<> done;
  for (StringRef variable : body.returned)
    done.insert(variable);
  std::vector<SmallVector<StringRef>> result(body.calls.size());
  for (auto [i, call] : llvm::enumerate(body.calls)) {
    if (isa_and_nonnull<ScalarConstantOp>(call.op))
      continue;
    for (StringRef variable : call.targets) {
      auto last = lastUse.find(variable);
      if (!done.insert(variable).second)
        continue;
      if (last != lastUse.end())
        result[last->second].push_back(variable);
      else if (!call.op) // A result of this method that is only read for another call of it.
        result[i].push_back(variable);
    }
  }
  return result;
}

void PlannedBody::planReleases(int64_t most, const llvm::StringMap<int64_t> &elements) {
  constexpr size_t kMostAtOnce = 8;
  llvm::StringMap<int64_t> sizes;
  for (const PlannedCall &call : calls)
    for (StringRef variable : call.targets)
      sizes[variable] = std::max(sizes[variable], call.op ? tensorType(call.op->getResult(0)).getNumElements()
                                                          : elements.lookup(variable));
  SmallVector<std::string> waiting;
  int64_t waitingElements = 0;
  for (auto [i, variables] : llvm::enumerate(lastReads(*this)))
    for (StringRef variable : variables) {
      waiting.push_back(variable.str());
      waitingElements += sizes.lookup(variable);
      if (waiting.size() < kMostAtOnce && waitingElements <= 2 * most)
        continue;
      calls[i].releases.append(waiting);
      waiting.clear();
      waitingElements = 0;
    }
  if (!calls.empty())
    calls.back().releases.append(waiting);
}

void EmissionPlan::planReleases() {
  llvm::StringMap<int64_t> elements;
  int64_t most = 0;
  for (const auto &[value, variable] : variables) {
    elements[variable] = tensorType(value).getNumElements();
    most = std::max(most, elements[variable]);
  }
  forward.planReleases(most, elements);
  for (PlannedMethod &method : methods)
    method.body.planReleases(most, elements);
}
