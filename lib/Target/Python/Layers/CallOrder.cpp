//===- CallOrder.cpp - orders calls so that layers repeat -----------------===//

#include "Layers/CallOrder.h"

#include <map>

using namespace mlir;
using namespace forge;

// Calls with this distance may belong to different layers.
static constexpr size_t kFar = 8;

CallOrder::CallOrder(const EmissionPlan &plan) : plan(plan) {
  for (Operation &op : *plan.body)
    if (plan.isCall(op))
      order.push_back(&op);
  index();
  moveSharedUp();
  index();
  findKinds();
}

void CallOrder::index() {
  for (auto [i, op] : llvm::enumerate(order))
    positions[op] = i;
}

std::optional<size_t> CallOrder::positionOf(Value value) const {
  auto found = positions.find(value.getDefiningOp());
  return found == positions.end() ? std::nullopt : std::optional(found->second);
}

// For each call, the position after the last operand of the short chain of calls that ends with it. A call with an
// operand nearby is in no chain: it gets the position after itself.
std::vector<size_t> CallOrder::afterOperands() const {
  std::vector<size_t> after(order.size()), depths(order.size());
  for (auto [i, op] : llvm::enumerate(order)) {
    if (isa<ScalarConstantOp>(op))
      continue;
    for (Value operand : op->getOperands())
      if (std::optional<size_t> position = positionOf(operand)) {
        after[i] = std::max(after[i], after[*position]);
        depths[i] = std::max(depths[i], depths[*position] + (after[*position] <= *position));
      }
    if (after[i] + kFar > i || depths[i] > kFar) {
      after[i] = i + 1;
      depths[i] = 0;
    }
  }
  return after;
}

// Whether each call is in a chain whose users are far from each other: they may be in different layers.
std::vector<bool> CallOrder::findShared() const {
  std::vector<size_t> after = afterOperands();
  std::vector<bool> isShared(order.size());
  for (size_t i = order.size(); i-- > 0;) {
    if (after[i] == i + 1)
      continue;
    size_t first = order.size(), last = 0;
    bool leadsToShared = isa<ScalarConstantOp>(order[i]);
    for (Operation *user : order[i]->getUsers())
      if (auto position = positions.find(user); position != positions.end()) {
        first = std::min(first, position->second);
        last = std::max(last, position->second);
        leadsToShared |= isShared[position->second];
      }
    isShared[i] = leadsToShared || last > first + 2 * kFar;
  }
  return isShared;
}

// Moves shared calls up, to right after their last operands. The other calls keep their order.
void CallOrder::moveSharedUp() {
  std::vector<bool> isShared = findShared();
  std::vector<std::tuple<size_t, bool, size_t>> keys;
  for (size_t i = 0; i < order.size(); ++i) {
    size_t key = isShared[i] ? 0 : i + 1;
    for (Value operand : order[i]->getOperands())
      if (std::optional<size_t> position = positionOf(operand); position && isShared[i])
        key = std::max(key, std::get<0>(keys[*position]));
    keys.push_back({key, isShared[i], i});
  }
  llvm::sort(keys);
  std::vector<Operation *> sorted;
  for (auto [key, shared, i] : keys)
    sorted.push_back(order[i]);
  order = std::move(sorted);
}

bool CallOrder::isLoadedWeight(Value value) const {
  return value.getDefiningOp() && plan.weights.contains(value.getDefiningOp());
}

bool CallOrder::isSameKind(size_t a, size_t b) const {
  return kinds[a] == kinds[b] && nodeName(order[a]->getLoc()).empty() == nodeName(order[b]->getLoc()).empty();
}

void CallOrder::findKinds() {
  std::map<std::vector<const void *>, uint64_t> numbers;
  for (Operation *op : order) {
    std::vector<const void *> parts{op->getName().getAsOpaquePointer(),
                                    op->getResult(0).getType().getAsOpaquePointer()};
    for (StringRef name : cast<ForgeCallOpInterface>(op).getArgumentOrder())
      parts.push_back(op->getInherentAttr(name).value_or(Attribute()).getAsOpaquePointer());
    for (Value operand : op->getOperands()) {
      parts.push_back(operand.getType().getAsOpaquePointer());
      parts.push_back(isLoadedWeight(operand) ? this : nullptr);
    }
    // Constants do not belong to a layer.
    if (isa<ScalarConstantOp>(op))
      parts.push_back(op);
    kinds.push_back(numbers.try_emplace(std::move(parts), numbers.size()).first->second);
  }
}

std::vector<size_t> CallOrder::alive() const {
  std::vector<int64_t> changes(order.size() + 2);
  for (auto [i, op] : llvm::enumerate(order)) {
    size_t last = i;
    for (Operation *user : op->getUsers()) {
      auto position = positions.find(user);
      last = std::max(last, position == positions.end() ? order.size() : position->second);
    }
    ++changes[i + 1];
    --changes[last + 1];
  }
  std::vector<size_t> result;
  int64_t now = 0;
  for (size_t i = 0; i <= order.size(); ++i)
    result.push_back(now += changes[i]);
  return result;
}
