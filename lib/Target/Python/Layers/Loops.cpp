//===- Loops.cpp - layers that follow each other become a loop ------------===//

#include "EmissionPlan.h"
#include "Layers/NameTemplate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace forge;

// Fewer calls are as short.
static constexpr size_t kFewestCalls = 3;

namespace {
/// The statements of `forward`, some of which become loops.
class LoopPlanner {
public:
  explicit LoopPlanner(EmissionPlan &plan) : plan(plan), calls(plan.forward.calls) {}

  void run();

private:
  size_t endOfChain(size_t first) const;
  bool isNext(const PlannedCall &call, const PlannedCall &next, unsigned slot) const;
  std::optional<unsigned> carriedSlot(size_t first) const;
  bool isReadOnce(StringRef variable) const { return uses.lookup(variable) == 1; }
  void makeLoop(size_t first, size_t end, std::vector<PlannedCall> &result);
  void rename(std::string &variable) const;

  EmissionPlan &plan;
  std::vector<PlannedCall> &calls;
  llvm::StringMap<size_t> uses; ///< in `forward`
  llvm::StringSet<> set;        ///< by calls in `forward`, but for constants
  llvm::StringSet<> results;    ///< of loops
  std::string number;
};
} // namespace

static bool takesNumber(const PlannedCall &call) {
  return !call.operands.empty() && llvm::isDigit(call.operands.front()[0]);
}

// The operand of call `first` + 1 that is the result of call `first`, if that is its one result and it is read once.
std::optional<unsigned> LoopPlanner::carriedSlot(size_t first) const {
  if (first + 1 >= calls.size() || calls[first].targets.size() != 1 || !isReadOnce(calls[first].targets.front()))
    return std::nullopt;
  for (auto [slot, operand] : llvm::enumerate(calls[first + 1].operands))
    if (operand == calls[first].targets.front())
      return slot;
  return std::nullopt;
}

// Whether `next` differs from `call` in its number only, but that it reads the result of `call`.
bool LoopPlanner::isNext(const PlannedCall &call, const PlannedCall &next, unsigned slot) const {
  if (call.method != next.method || call.operands.size() != next.operands.size() ||
      next.operands[slot] != call.targets.front() || !isReadOnce(call.targets.front()))
    return false;
  for (unsigned i = takesNumber(call) ? 1 : 0; i < call.operands.size(); ++i)
    if (i != slot && call.operands[i] != next.operands[i])
      return false;
  return true;
}

size_t LoopPlanner::endOfChain(size_t first) const {
  std::optional<unsigned> slot = calls[first].op ? std::nullopt : carriedSlot(first);
  size_t end = first + 1;
  while (slot && end < calls.size() && isNext(calls[end - 1], calls[end], *slot))
    ++end;
  return end;
}

void LoopPlanner::rename(std::string &variable) const {
  if (auto found = plan.renamed.find(variable); found != plan.renamed.end())
    variable = found->second;
}

void LoopPlanner::makeLoop(size_t first, size_t end, std::vector<PlannedCall> &result) {
  unsigned slot = *carriedSlot(first);
  // The variable is set before the loop by what makes its first value.
  std::string variable = plan.newVariable("x");
  plan.renamed[calls[first].operands[slot]] = variable;
  if (number.empty())
    number = plan.newVariable(kLayerNumber);
  PlannedCall loop = calls[first];
  loop.callsOfMethod.clear();
  SmallVector<int64_t> &numbers = loop.loopNumbers;
  for (size_t i = first; i < end; ++i) {
    llvm::append_range(loop.callsOfMethod, calls[i].callsOfMethod);
    numbers.push_back(takesNumber(calls[i]) ? std::stoll(calls[i].operands.front()) : i - first);
    plan.placesInLoops[calls[i].targets.front()] = variable + "[" + std::to_string(numbers.back()) + "]";
  }
  plan.renamed[calls[end - 1].targets.front()] = variable;
  results.insert(calls[end - 1].targets.front());
  if (takesNumber(loop))
    loop.operands.front() = number;
  loop.operands[slot] = variable;
  loop.targets = {variable};
  loop.loopVariable = number;
  result.push_back(std::move(loop));
}

void LoopPlanner::run() {
  for (const PlannedCall &call : calls) {
    for (StringRef operand : call.operands)
      ++uses[operand];
    if (!isa_and_nonnull<ScalarConstantOp>(call.op))
      for (StringRef target : call.targets)
        set.insert(target);
  }
  for (StringRef variable : plan.forward.returned)
    uses[variable] += 2; // It is no call that reads it.
  std::vector<PlannedCall> result;
  for (size_t first = 0; first < calls.size();) {
    size_t end = endOfChain(first);
    // An input keeps its name, and so does what is read elsewhere too; two loops never share a variable.
    if (end - first > 1) {
      const std::string &source = calls[first].operands[*carriedSlot(first)];
      if (!set.contains(source) || !isReadOnce(source) || results.contains(source))
        result.push_back(calls[first++]);
    }
    if (end - first >= kFewestCalls)
      makeLoop(first, end, result);
    else
      result.insert(result.end(), calls.begin() + first, calls.begin() + end);
    first = end;
  }
  calls = std::move(result);
  for (PlannedCall &call : calls) {
    llvm::for_each(call.targets, [&](std::string &variable) { rename(variable); });
    llvm::for_each(call.operands, [&](std::string &variable) { rename(variable); });
  }
  llvm::for_each(plan.forward.returned, [&](std::string &variable) { rename(variable); });
}

void forge::planLoops(EmissionPlan &plan) { LoopPlanner(plan).run(); }
