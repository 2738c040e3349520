//===- Loops.cpp - loops over calls of a method ---------------------------===//

#include "EmissionPlan.h"
#include "Layers/NameTemplate.h"

using namespace mlir;
using namespace forge;

// A shorter sequence of calls is as short as a loop.
static constexpr size_t kFewestCalls = 3;

static bool takesNumber(const PlannedCall &call) {
  return !call.operands.empty() && llvm::isDigit(call.operands.front()[0]);
}

namespace {
/// Replaces sequences of statements of `forward` by loops.
class LoopPlanner {
public:
  explicit LoopPlanner(EmissionPlan &plan) : plan(plan), calls(plan.forward.calls) {}

  void run() {
    for (const PlannedCall &call : calls) {
      for (StringRef operand : call.operands)
        ++uses[operand];
      if (!isa_and_nonnull<ScalarConstantOp>(call.op))
        for (StringRef target : call.targets)
          made.insert(target);
    }
    for (StringRef variable : plan.forward.returned)
      uses[variable] += 2; // A returned variable is not only read by the next call.
    std::vector<PlannedCall> result;
    for (size_t first = 0; first < calls.size();) {
      size_t end = endOfChain(first);
      // The first call stays before the loop if the variable of the loop cannot replace that of its initial value.
      if (end - first > 1 && !mayBeRenamed(calls[first].operands[*carriedSlot(first)]))
        result.push_back(calls[first++]);
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

private:
  size_t endOfChain(size_t first) const {
    std::optional<unsigned> slot = calls[first].op ? std::nullopt : carriedSlot(first);
    size_t end = first + 1;
    while (slot && end < calls.size() && isNext(calls[end - 1], calls[end], *slot))
      ++end;
    return end;
  }

  // Whether `next` reads the result of `call` in operand `slot`, and otherwise differs from it only in the layer
  // number.
  bool isNext(const PlannedCall &call, const PlannedCall &next, unsigned slot) const {
    if (call.method != next.method || call.operands.size() != next.operands.size() ||
        next.operands[slot] != call.targets.front() || !isReadOnce(call.targets.front()))
      return false;
    for (unsigned i = takesNumber(call) ? 1 : 0; i < call.operands.size(); ++i)
      if (i != slot && call.operands[i] != next.operands[i])
        return false;
    return true;
  }

  // The operand of call `first` + 1 that is the only result of call `first`, if nothing else reads it.
  std::optional<unsigned> carriedSlot(size_t first) const {
    if (first + 1 >= calls.size() || calls[first].targets.size() != 1 || !isReadOnce(calls[first].targets.front()))
      return std::nullopt;
    for (auto [slot, operand] : llvm::enumerate(calls[first + 1].operands))
      if (operand == calls[first].targets.front())
        return slot;
    return std::nullopt;
  }

  bool isReadOnce(StringRef variable) const { return uses.lookup(variable) == 1; }

  // Whether a loop may give its initial value another name: a value that only the loop reads, and that is neither an
  // argument nor the result of another loop.
  bool mayBeRenamed(StringRef variable) const {
    return made.contains(variable) && isReadOnce(variable) && !results.contains(variable);
  }

  void makeLoop(size_t first, size_t end, std::vector<PlannedCall> &result) {
    unsigned slot = *carriedSlot(first);
    // The producer of the initial value sets the variable before the loop.
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
      plan.pathsInLoops[calls[i].targets.front()] = variable + "[" + std::to_string(numbers.back()) + "]";
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

  void rename(std::string &variable) const {
    if (auto found = plan.renamed.find(variable); found != plan.renamed.end())
      variable = found->second;
  }

  EmissionPlan &plan;
  std::vector<PlannedCall> &calls;
  llvm::StringMap<size_t> uses; ///< reads of each variable in `forward`
  llvm::StringSet<> made;       ///< results of calls in `forward`, except constants
  llvm::StringSet<> results;    ///< results of loops
  std::string number;
};
} // namespace

void forge::planLoops(EmissionPlan &plan) { LoopPlanner(plan).run(); }
