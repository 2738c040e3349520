//===- BlockMethod.cpp - the method for a block ---------------------------===//

#include "Layers/Blocks/BlockMethod.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

// Parameters of a block that are no weights, and all of them.
static constexpr size_t kMostValues = 5, kMostParameters = 8;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
// Python for the node of each call in one place of a block: literals, f-strings, expressions, or "".
using NodeCodes = SmallVector<std::string>;

// How the method of a block says from which nodes its calls are.
struct BlockNodes {
  std::string parameter;              // "" for none: the nodes are the same in all places
  std::vector<std::string> arguments; // what it is in each place
  NodeCodes codes;                    // in the method
  std::string blockName;              // what the method is called: `layernormalization_block`
};
} // namespace

// The text of a literal or an f-string as that of an f-string; nullopt for any other expression.
static std::optional<std::string> textOf(StringRef code) {
  bool isFormat = code.consume_front("f");
  if (!code.consume_front("\"") || !code.consume_back("\""))
    return std::nullopt;
  std::string text;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '"')
      return std::nullopt;
    bool isBrace = code[i] == '{' || code[i] == '}';
    text += isBrace && !isFormat ? std::string(2, code[i]) : std::string(1, code[i]);
    if (code[i] == '\\' && i + 1 < code.size())
      text += code[++i];
  }
  return text;
}

// A literal, or an f-string where it has braces, which are doubled in `text`.
static std::string codeOf(StringRef text) {
  bool hasBraces = text.find_first_of("{}") != StringRef::npos;
  return ((hasBraces ? "f\"" : "\"") + text + "\"").str();
}

// What a name says without its number: `layer_norm` of "node_layer_norm_3".
static StringRef word(StringRef text) {
  text = text.substr(text.find_last_of("/") + 1).take_until([](char c) { return c == '{' || c == '"'; });
  text.consume_front("node_");
  return text.rtrim("_.0123456789");
}

// The end that words have in common, from a `_` or `.` on: "norm" of "input_norm" and "norm".
static std::string commonEnd(ArrayRef<std::string> words) {
  StringRef common = words.front();
  for (StringRef other : words) {
    size_t length = 0;
    while (length < std::min(common.size(), other.size()) &&
           common[common.size() - 1 - length] == other[other.size() - 1 - length])
      ++length;
    common = common.take_back(length);
  }
  constexpr size_t kShortest = 3;
  std::string name = pyIdentifier(common, "");
  return name.size() < kShortest ? "" : name;
}

// Fills `nodes` where all calls of a place are from one node.
static bool tellByNode(ArrayRef<NodeCodes> places, BlockNodes &nodes) {
  for (const NodeCodes &place : places)
    if (!llvm::all_equal(place))
      return false;
  nodes.parameter = "node";
  std::vector<std::string> words;
  for (const NodeCodes &place : places) {
    nodes.arguments.push_back(place.front());
    words.push_back(word(StringRef(place.front()).split('"').second).str());
  }
  nodes.codes.assign(places.front().size(), "node");
  nodes.blockName = commonEnd(words);
  return true;
}

// The text of each node up to the last "/" that all of them share, and the rest of each.
static std::optional<std::pair<std::string, SmallVector<std::string>>> splitScope(const NodeCodes &place) {
  SmallVector<std::string> texts;
  for (StringRef code : place)
    if (std::optional<std::string> text = textOf(code))
      texts.push_back(*text);
    else
      return std::nullopt;
  StringRef scope = texts.front();
  for (StringRef text : texts)
    while (!text.starts_with(scope) || !scope.ends_with("/")) {
      if (scope.empty())
        return std::nullopt;
      scope = scope.drop_back();
    }
  std::string found = scope.str();
  return std::pair(found.substr(0, found.size() - 1),
                   llvm::map_to_vector(texts, [&](StringRef text) { return text.drop_front(found.size()).str(); }));
}

// Fills `nodes` where those of each place are in one scope.
static bool tellByScope(ArrayRef<NodeCodes> places, BlockNodes &nodes) {
  auto first = splitScope(places.front());
  if (!first || llvm::any_of(first->second, [](StringRef rest) { return rest.contains('{'); }))
    return false;
  std::vector<std::string> arguments, words;
  for (const NodeCodes &place : places) {
    auto split = splitScope(place);
    if (!split || split->second != first->second)
      return false;
    arguments.push_back(codeOf(split->first));
    words.push_back(word(split->first).str());
  }
  nodes.parameter = "scope";
  nodes.arguments = std::move(arguments);
  for (StringRef rest : first->second)
    nodes.codes.push_back(("f\"{scope}/" + rest + "\"").str());
  nodes.blockName = commonEnd(words);
  return true;
}

static void tellByTuple(ArrayRef<NodeCodes> places, BlockNodes &nodes) {
  nodes.parameter = "nodes";
  std::map<std::vector<StringRef>, size_t> known;
  nodes.arguments.assign(places.size(), "");
  for (size_t i = 0; i < places.front().size(); ++i) {
    std::vector<StringRef> codes;
    for (const NodeCodes &place : places)
      codes.push_back(place[i]);
    if (codes.front().empty()) {
      nodes.codes.push_back("");
      continue;
    }
    auto [found, isNew] = known.try_emplace(codes, known.size());
    nodes.codes.push_back("nodes[" + std::to_string(found->second) + "]");
    for (auto [argument, code] : llvm::zip_equal(nodes.arguments, codes))
      if (isNew)
        argument += (argument.empty() ? "(" : ", ") + code.str();
  }
  for (std::string &argument : nodes.arguments)
    argument += known.size() == 1 ? ",)" : ")";
}

// One node is a parameter; nodes of one scope, "/h.0/norm/Add", are told by that scope, and others by a tuple.
static BlockNodes nodesOfBlock(ArrayRef<NodeCodes> places) {
  BlockNodes nodes;
  bool isNamed = llvm::any_of(places.front(), [](StringRef code) { return !code.empty(); });
  if (!isNamed)
    nodes.codes = places.front();
  else if (!tellByNode(places, nodes) && !tellByScope(places, nodes))
    tellByTuple(places, nodes);
  nodes.blockName += nodes.blockName.empty() ? "block" : "_block";
  return nodes;
}

// Names for the variables of a block, by those of the place that is read first, without what these have in common and
// without numbers. `kinds` are those of calls.
static std::vector<std::string> localNames(ArrayRef<std::string> targets, ArrayRef<StringRef> kinds, Namespace &names) {
  StringRef common = targets.front();
  for (StringRef target : targets)
    while (!common.empty() &&
           !(target.starts_with(common) && (target.size() == common.size() || target[common.size()] == '_')))
      common = common.drop_back();
  std::vector<std::string> result;
  for (auto [target, kind] : llvm::zip_equal(targets, kinds)) {
    StringRef rest = StringRef(target).drop_front(common.size()).trim('_').rtrim("_0123456789");
    result.push_back(names.unique(pyIdentifier(rest, pyIdentifier(kind, "result"))));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The method
//===----------------------------------------------------------------------===//

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
