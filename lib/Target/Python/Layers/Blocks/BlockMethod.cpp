//===- BlockMethod.cpp - the method for a block ---------------------------===//

#include "Layers/Blocks/BlockMethod.h"

#include "Layers/Blocks/BlockNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace forge;

// Parameters of a block that are no weights, and all of them.
static constexpr size_t kMostValues = 5, kMostParameters = 8;

bool BlockMethod::build() {
  nameLocals();
  for (size_t i = 0; i < places.length; ++i) {
    PlannedCall call = callAt(0, i);
    for (unsigned operand = 0; operand < call.operands.size(); ++operand)
      call.operands[operand] = operandCode(i, operand);
    call.targets = {locals[i]};
    method.body.calls.push_back(std::move(call));
  }
  nameNodes();
  method.body.returned.push_back(locals.back());
  return values <= kMostValues && method.parameters.size() <= kMostParameters;
}

// Locals have no name that a parameter may get.
void BlockMethod::nameLocals() {
  auto targets = llvm::map_to_vector(llvm::seq(places.length), [&](size_t i) { return callAt(0, i).targets.front(); });
  auto kinds = llvm::map_to_vector(llvm::seq(places.length),
                                   [&](size_t i) { return callAt(0, i).op->getName().stripDialect(); });
  Namespace ofLocals = functionNames();
  for (StringRef taken : {"x", "y", "weight", "node", "scope", "nodes"})
    ofLocals.reserve(taken);
  locals = localNames(targets, kinds, ofLocals);
  names = functionNames();
  for (StringRef local : locals)
    names.reserve(local);
}

// What a parameter for weights is called: `conv1_weight` for "layer3.{n}.conv1.weight".
static std::string weightName(StringRef operand) {
  auto [scope, name] = operand.split('"').second.rsplit('"').first.rsplit('.');
  StringRef owner = scope.substr(scope.find_last_of('.') + 1);
  bool isNamed = !name.empty() && !name.contains('{') && !owner.contains('{');
  return isNamed ? pyIdentifier((owner + "_" + name).str(), "weight") : "weight";
}

std::string BlockMethod::parameter(StringRef name, llvm::function_ref<std::string(size_t)> argument) {
  method.parameters.push_back(names.unique(name));
  for (auto [place, given] : llvm::enumerate(arguments))
    given.push_back(argument(place));
  return method.parameters.back();
}

std::string BlockMethod::operandCode(size_t position, unsigned operand) {
  size_t start = places.starts.front();
  const BlockText::Line &line = text[start + position];
  if (std::optional<size_t> maker = line.makers[operand]; maker && *maker >= start)
    return locals[*maker - start];
  auto [code, isNew] = codes.try_emplace(line.operands[operand]);
  if (!isNew)
    return code->second;
  auto textOf = [&](size_t place) { return callAt(place, position).operands[operand]; };
  const std::string first = textOf(0);
  bool isSame = llvm::all_of(llvm::seq(places.starts.size()), [&](size_t place) { return textOf(place) == first; });
  // A weight that is the same in all places needs no parameter, unless its name depends on the number of a layer.
  if (isSame && isWeightCode(first) && isPyString(StringRef(first).split('(').second.drop_back()))
    return code->second = first;
  values += !isWeightCode(first);
  std::string name = isWeightCode(first) ? weightName(first) : isSame ? first : method.parameters.empty() ? "x" : "y";
  return code->second = parameter(name, textOf);
}

void BlockMethod::nameNodes() {
  std::vector<NodeCodes> given;
  for (size_t place = 0; place < places.starts.size(); ++place)
    given.push_back(llvm::map_to_vector(llvm::seq(places.length), [&](size_t i) { return callAt(place, i).node; }));
  BlockNodes nodes = nodesOfBlock(given);
  if (!nodes.parameter.empty())
    parameter(nodes.parameter, [&](size_t place) { return nodes.arguments[place]; });
  for (auto [call, code] : llvm::zip_equal(method.body.calls, nodes.codes))
    call.node = code;
  method.name = nodes.blockName;
  isTuple = nodes.parameter == "nodes";
}

// One call instead of those of the block. What they set are variables of the method now.
void BlockMethod::writeCall(size_t place) const {
  size_t start = places.starts[place];
  PlannedBody &body = text.bodyOf(start);
  std::string result = callAt(place, places.length - 1).targets.front();
  SmallVector<Operation *> made;
  for (size_t i = 0; i < places.length; ++i) {
    made.push_back(callAt(place, i).op);
    body.moved[callAt(place, i).targets.front()] = result + "." + locals[i];
  }
  auto begin = body.calls.begin() + text[start].index;
  *begin = PlannedCall{nullptr, method.name, "", {}, {result}, arguments[place], "", {}, std::move(made)};
  body.calls.erase(begin + 1, begin + places.length);
}

PlannedMethod BlockMethod::apply(Namespace &methodNames) {
  method.name = methodNames.unique(method.name);
  method.purpose = "A block that " + std::to_string(places.starts.size()) + " places have in common.";
  // From the last one: the places of those before stay.
  for (size_t place = places.starts.size(); place-- > 0;)
    writeCall(place);
  return std::move(method);
}
