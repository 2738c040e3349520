//===- Methods.cpp - outlines equal layers as methods ---------------------===//
//
// The IR has every op of every layer; this file groups ops into layers. RepeatFinder proposes repeated sequences by the
// kinds of calls; then the operands are compared call by call.
//
//===----------------------------------------------------------------------===//

#include "EmissionPlan.h"
#include "Layers/CallOrder.h"
#include "Layers/NameTemplate.h"
#include "Layers/Repeats.h"

#include "llvm/ADT/Sequence.h"

#include <map>

using namespace mlir;
using namespace forge;

// The most methods for layers in a module.
static constexpr size_t kMostMethods = 8;

namespace {
/// The equal layers of one repeat as a method, and a call of it for each layer.
class Layers {
public:
  Layers(EmissionPlan &plan, const CallOrder &order, const Repeat &repeat)
      : plan(plan), order(order), length(repeat.length), starts(repeat.starts) {}

  /// Drops layers that compute something else than the first. False if fewer than two are left.
  bool keepEqual() {
    std::map<std::vector<int64_t>, std::vector<size_t>> groups;
    for (size_t start : starts)
      groups[wiring(start)].push_back(start);
    auto most = std::max_element(groups.begin(), groups.end(),
                                 [](auto &a, auto &b) { return a.second.size() < b.second.size(); });
    starts = most->second;
    llvm::erase_if(starts, [&](size_t start) {
      return !llvm::all_of(llvm::seq(length),
                           [&](size_t i) { return order.isSameKind(starts.front() + i, start + i); });
    });
    return starts.size() > 1;
  }

  /// Builds the method and its calls. False if it would be hard to read.
  bool build(Namespace &methodNames) {
    names.reserve(kLayerNumber);
    calls.resize(starts.size());
    arguments.resize(starts.size());
    chooseNumbers();
    nameResults();
    buildBody();
    buildReturns();
    if (method.body.returned.empty() || method.parameters.size() > length)
      return false;
    method.name = methodNames.unique(method.name);
    method.purpose = "One of " + std::to_string(starts.size()) + " equal parts of the model.";
    method.weights.numbers = pyNumbers(numbers);
    if (usesNumber)
      method.parameters.insert(method.parameters.begin(), kLayerNumber.str());
    for (auto [layer, call] : llvm::enumerate(calls)) {
      call.method = method.name;
      if (usesNumber)
        call.operands.push_back(std::to_string(numbers[layer]));
      call.operands.append(arguments[layer]);
    }
    return true;
  }

  /// Records where the traced values of the layers are, if the method is the next one of the plan.
  void tracePlaces() const {
    for (size_t layer = 0; layer < starts.size(); ++layer)
      for (size_t i = 0; i < length; ++i)
        if (Operation *op = callAt(layer, i); !tracedValues(op->getLoc()).empty())
          plan.pathsInMethods[op->getResult(0)] = {calls[layer].targets.front(), plan.methods.size(),
                                                   locals.lookup(callAt(i)->getResult(0))};
  }

  EmissionPlan &plan;
  const CallOrder &order;
  const size_t length;
  std::vector<size_t> starts;
  PlannedMethod method;
  std::vector<PlannedCall> calls; ///< one for each of `starts`

private:
  /// An operand or a name in each layer.
  using ByLayer = std::vector<const void *>;

  auto layers() const { return llvm::seq(starts.size()); }
  Operation *callAt(size_t layer, size_t position) const { return order.calls()[starts[layer] + position]; }
  Operation *callAt(size_t position) const { return callAt(0, position); }

  std::optional<size_t> positionIn(size_t start, Value value) const {
    std::optional<size_t> position = order.positionOf(value);
    return position && *position >= start && *position < start + length ? std::optional(*position - start)
                                                                        : std::nullopt;
  }

  // For each operand of a layer, the position of its producer in the layer, or -1.
  std::vector<int64_t> wiring(size_t start) const {
    std::vector<int64_t> result;
    for (Operation *op : order.calls().slice(start, length))
      for (Value operand : op->getOperands()) {
        std::optional<size_t> position = positionIn(start, operand);
        result.push_back(position ? static_cast<int64_t>(*position) : -1);
      }
    return result;
  }

  NamesByLayer nodesAt(size_t position) const {
    return llvm::map_to_vector(layers(), [&](size_t layer) { return nodeName(callAt(layer, position)->getLoc()); });
  }

  NamesByLayer weightsAt(size_t position, unsigned operand) const {
    return llvm::map_to_vector(layers(), [&](size_t layer) -> StringRef {
      return plan.weights.find(callAt(layer, position)->getOperand(operand).getDefiningOp())->second.name;
    });
  }

  // Chooses the numbers of the layers, and the name of the method.
  void chooseNumbers() {
    std::vector<NamesByLayer> found;
    for (size_t i = 0; i < length; ++i) {
      found.push_back(nodesAt(i));
      for (unsigned operand = 0; operand < callAt(i)->getNumOperands(); ++operand)
        if (order.isLoadedWeight(callAt(i)->getOperand(operand)))
          found.push_back(weightsAt(i, operand));
    }
    numbers = layerNumbers(found, starts.size());
    std::map<std::pair<std::string, std::string>, size_t> scopes;
    for (const NamesByLayer &each : found)
      if (std::optional<NameTemplate> text = templateOf(each, numbers); text && !text->scope.empty())
        ++scopes[{text->scope, text->path}];
    auto most = std::max_element(scopes.begin(), scopes.end(), [](auto &a, auto &b) { return a.second < b.second; });
    if (most == scopes.end()) {
      method.name = "layer";
      return;
    }
    path = pyIdentifier(most->first.second, "") + "_";
    std::string scope = pyIdentifier(most->first.first, "block");
    StringRef single = StringRef(scope).ends_with("s") ? StringRef(scope).drop_back() : StringRef(scope);
    // The suffix avoids collisions with names of ForgeModule.
    bool saysLayer = single.ends_with("layer") || single.ends_with("block");
    method.name = saysLayer ? single.str() : (single + "_layer").str();
  }

  void nameResults() {
    std::vector<std::string> stems;
    llvm::DenseMap<Operation *, size_t> positions;
    SmallVector<Operation *> first;
    for (size_t i = 0; i < length; ++i) {
      NamesByLayer nodes = nodesAt(i);
      std::optional<NameTemplate> text = templateOf(nodes, numbers);
      stems.push_back(text ? text->stem : nodes.front().str());
      positions[callAt(i)] = i;
      first.push_back(callAt(i));
    }
    nameResultsOf(first, [&](Operation *op) -> StringRef { return stems[positions.lookup(op)]; }, names, locals);
  }

  // The parameter for an operand that is `key` in the layers, which is added if there is none yet.
  std::string parameter(StringRef name, const ByLayer &key, llvm::function_ref<std::string(size_t)> argument) {
    auto [code, isNew] = codes.try_emplace(key);
    if (isNew) {
      code->second = names.unique(name);
      method.parameters.push_back(code->second);
      for (auto [layer, given] : llvm::enumerate(arguments))
        given.push_back(argument(layer));
    }
    return code->second;
  }

  std::string operandCode(size_t position, unsigned operand) {
    Value value = callAt(position)->getOperand(operand);
    if (std::optional<size_t> inner = positionIn(starts.front(), value))
      return locals.lookup(callAt(*inner)->getResult(0));
    ByLayer key;
    for (size_t layer : layers())
      key.push_back(callAt(layer, position)->getOperand(operand).getAsOpaquePointer());
    if (order.isLoadedWeight(value))
      return weightCode(position, operand, key);
    StringRef name = "x";
    std::string shared = plan.variables.lookup(value);
    if (llvm::all_equal(key)) {
      name = shared;
      name.consume_front(path);
    }
    return parameter(pyIdentifier(name, "x"), key,
                     [&](size_t layer) { return plan.operand(callAt(layer, position)->getOperand(operand)); });
  }

  std::string weightCode(size_t position, unsigned operand, const ByLayer &key) {
    if (auto known = codes.find(key); known != codes.end())
      return known->second;
    auto weightOf = [&](size_t layer) { return callAt(layer, position)->getOperand(operand).getDefiningOp(); };
    const PlannedWeight &first = plan.weights.find(weightOf(0))->second;
    NamesByLayer found = weightsAt(position, operand);
    std::optional<NameTemplate> name = templateOf(found, numbers);
    if (!name)
      return parameter(pyIdentifier(found.front(), "weight"), key,
                       [&](size_t layer) { return plan.operand(weightOf(layer)->getResult(0)); });
    usesNumber |= name->usesNumber;
    // A loop declares one weight per layer, so that a weight that several layers share cannot be declared in it.
    auto weights = llvm::map_to_vector(layers(), weightOf);
    if (llvm::SmallDenseSet<Operation *>(weights.begin(), weights.end()).size() == weights.size())
      method.weights.weights.push_back({name->code, std::move(weights)});
    return codes[key] = pyGetter(name->code, first);
  }

  std::string nodeCode(size_t position) {
    NamesByLayer found = nodesAt(position);
    if (found.front().empty())
      return "";
    if (std::optional<NameTemplate> text = templateOf(found, numbers)) {
      usesNumber |= text->usesNumber;
      return text->code;
    }
    // Equal names can be different objects of the context; they are compared as text.
    ByLayer key;
    for (StringRef name : found)
      key.push_back(StringAttr::get(callAt(0)->getContext(), name).getAsOpaquePointer());
    return parameter(pyIdentifier(found.front(), "node") + "_name", key,
                     [&](size_t layer) { return pyString(found[layer]); });
  }

  void buildBody() {
    for (size_t i = 0; i < length; ++i) {
      Operation *op = callAt(i);
      PlannedCall call;
      call.op = op;
      call.targets.push_back(locals.lookup(op->getResult(0)));
      for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
        call.operands.push_back(operandCode(i, operand));
      call.node = nodeCode(i);
      method.body.calls.push_back(std::move(call));
    }
  }

  // Whether anything outside of a layer, perhaps the return of the function, reads the result of its call `i`.
  bool isReadOutside(size_t layer, size_t i) const {
    return !llvm::all_of(callAt(layer, i)->getUsers(), [&](Operation *user) {
      return user->getNumResults() > 0 && positionIn(starts[layer], user->getResult(0));
    });
  }

  // All layers return the same values: those that are read outside in at least one layer.
  void buildReturns() {
    for (size_t i = 0; i < length; ++i) {
      if (llvm::none_of(layers(), [&](size_t layer) { return isReadOutside(layer, i); }))
        continue;
      method.body.returned.push_back(locals.lookup(callAt(i)->getResult(0)));
      for (auto [layer, call] : llvm::enumerate(calls))
        call.targets.push_back(plan.variables.lookup(callAt(layer, i)->getResult(0)));
    }
  }

  std::vector<int64_t> numbers;
  std::string path;                  ///< the prefix of variables of the first layer
  Namespace names = functionNames(); ///< of the method
  bool usesNumber = false;
  llvm::DenseMap<Value, std::string> locals;
  std::map<ByLayer, std::string> codes; ///< of parameters and weights
  std::vector<SmallVector<std::string>> arguments;
};
} // namespace

// Each weight is declared once, even if several methods read it.
static void declareWeights(EmissionPlan &plan, WeightLoop &loop) {
  llvm::erase_if(loop.weights, [&](const WeightLoop::Slot &slot) {
    bool isTaken = llvm::any_of(slot.ops, [&](Operation *op) { return plan.weightsInLoops.contains(op); });
    if (!isTaken)
      plan.weightsInLoops.insert(slot.ops.begin(), slot.ops.end());
    return isTaken;
  });
}

// Consecutive layers can be cut at any position of the first one. Chooses a cut where the fewest values are live; among
// those, one for which the method has the fewest parameters.
static Repeat withBestCut(EmissionPlan &plan, const CallOrder &order, const Repeat &repeat, ArrayRef<size_t> alive) {
  constexpr size_t kMostTrials = 6, kTrialLayers = 3;
  size_t first = repeat.starts.front();
  size_t least = *std::min_element(&alive[first], &alive[first + repeat.slack] + 1);
  Repeat best = repeat;
  size_t fewest = SIZE_MAX;
  for (size_t shift = 0, trials = 0; shift <= repeat.slack && repeat.slack > 0 && trials < kMostTrials; ++shift) {
    if (alive[first + shift] != least)
      continue;
    ++trials;
    Repeat shifted = repeat;
    for (size_t &start : shifted.starts)
      start += shift;
    Repeat shortened = shifted;
    shortened.starts.resize(std::min(kTrialLayers, shifted.starts.size()));
    Layers trial(plan, order, shortened);
    Namespace scratch;
    if (!trial.keepEqual() || !trial.build(scratch) || trial.method.parameters.size() >= fewest)
      continue;
    fewest = trial.method.parameters.size();
    best = std::move(shifted);
  }
  return best;
}

bool forge::planMethods(EmissionPlan &plan) {
  CallOrder order(plan);
  RepeatFinder finder(order.kinds);
  std::vector<size_t> alive = order.alive();
  Namespace methodNames;
  std::map<size_t, PlannedCall> callsAt;
  for (size_t round = 0; round < kMostMethods; ++round) {
    std::optional<Repeat> repeat = finder.best();
    if (!repeat)
      break;
    repeat = finder.occurrences(withBestCut(plan, order, *repeat, alive));
    Layers layers(plan, order, *repeat);
    bool isUseful = layers.keepEqual() && layers.build(methodNames);
    for (size_t start : isUseful ? layers.starts : repeat->starts)
      finder.exclude(start, repeat->length);
    if (!isUseful)
      continue;
    declareWeights(plan, layers.method.weights);
    layers.tracePlaces();
    for (auto [start, call] : llvm::zip_equal(layers.starts, layers.calls)) {
      llvm::append_range(call.callsOfMethod, order.calls().slice(start, layers.length));
      callsAt[start] = std::move(call);
    }
    plan.methods.push_back(std::move(layers.method));
  }
  for (size_t i = 0; i < order.calls().size() && !plan.methods.empty();) {
    auto call = callsAt.find(i);
    plan.forward.calls.push_back(call != callsAt.end() ? std::move(call->second) : plan.callOf(order.calls()[i]));
    i += plan.forward.calls.back().made().size();
  }
  planLoops(plan);
  return !plan.methods.empty();
}
