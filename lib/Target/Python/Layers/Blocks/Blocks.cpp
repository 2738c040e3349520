//===- Blocks.cpp - outlines equal blocks of calls ----------------------===//
//
// A layer norm is seven calls; it occurs twice in a layer and once after the last layer. Such blocks are found as equal
// runs of lines in `forward` and in the methods for layers (BlockText), where lines are equal if they differ only in
// names; the shapes of their values may differ. A block has one result. The block that saves most lines becomes a
// method; this is repeated until no block saves enough.
//
//===----------------------------------------------------------------------===//

#include "Layers/Blocks/BlockText.h"

#include <map>

using namespace mlir;
using namespace forge;

// Limits of the parameters of a block: those that are not weights, and all.
static constexpr size_t kMostValues = 5, kMostParameters = 8;

namespace {
// The Python expression of each call's node in one occurrence of a block: a literal, an f-string, a name, or "".
using NodeCodes = SmallVector<std::string>;

// How the calls in the method of a block get the names of their ONNX nodes.
struct BlockNodes {
  std::string parameter;              // "" for none: all occurrences have the same nodes
  std::vector<std::string> arguments; // of each occurrence
  NodeCodes codes;                    // of the calls in the method
  std::string blockName;              // the name of the method: `layernormalization_block`
};
} // namespace

// Converts the text of a string literal or an f-string to that of an f-string; nullopt for any other expression.
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

// A string literal for `text`, in which braces are doubled; an f-string if it has any.
static std::string codeOf(StringRef text) {
  bool hasBraces = text.find_first_of("{}") != StringRef::npos;
  return ((hasBraces ? "f\"" : "\"") + text + "\"").str();
}

// A node name without its scope and number: `layer_norm` of "node_layer_norm_3".
static StringRef word(StringRef text) {
  text = text.substr(text.find_last_of("/") + 1).take_until([](char c) { return c == '{' || c == '"'; });
  text.consume_front("node_");
  return text.rtrim("_.0123456789");
}

// The longest common suffix, from a `_` or `.` on: "norm" of "input_norm" and "norm".
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

// Fills `nodes` if all calls of each occurrence belong to one node.
static bool tellByNode(ArrayRef<NodeCodes> occurrences, BlockNodes &nodes) {
  for (const NodeCodes &occurrence : occurrences)
    if (!llvm::all_equal(occurrence))
      return false;
  nodes.parameter = "node";
  std::vector<std::string> words;
  for (const NodeCodes &occurrence : occurrences) {
    nodes.arguments.push_back(occurrence.front());
    words.push_back(word(StringRef(occurrence.front()).split('"').second).str());
  }
  nodes.codes.assign(occurrences.front().size(), "node");
  nodes.blockName = commonEnd(words);
  return true;
}

// Splits node names into their longest common scope, which ends at a "/", and the rest of each.
static std::optional<std::pair<std::string, SmallVector<std::string>>> splitScope(const NodeCodes &occurrence) {
  SmallVector<std::string> texts;
  for (StringRef code : occurrence)
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

// Fills `nodes` if all nodes of each occurrence are in one scope.
static bool tellByScope(ArrayRef<NodeCodes> occurrences, BlockNodes &nodes) {
  auto first = splitScope(occurrences.front());
  if (!first || llvm::any_of(first->second, [](StringRef rest) { return rest.contains('{'); }))
    return false;
  std::vector<std::string> arguments, words;
  for (const NodeCodes &occurrence : occurrences) {
    auto split = splitScope(occurrence);
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

static void tellByTuple(ArrayRef<NodeCodes> occurrences, BlockNodes &nodes) {
  nodes.parameter = "nodes";
  std::map<std::vector<StringRef>, size_t> known;
  nodes.arguments.assign(occurrences.size(), "");
  for (size_t i = 0; i < occurrences.front().size(); ++i) {
    std::vector<StringRef> codes;
    for (const NodeCodes &occurrence : occurrences)
      codes.push_back(occurrence[i]);
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

// The method gets the node as a parameter, or the common scope ("/h.0/norm" for "/h.0/norm/Add"), or a tuple of nodes.
static BlockNodes nodesOfBlock(ArrayRef<NodeCodes> occurrences) {
  BlockNodes nodes;
  bool isNamed = llvm::any_of(occurrences.front(), [](StringRef code) { return !code.empty(); });
  if (!isNamed)
    nodes.codes = occurrences.front();
  else if (!tellByNode(occurrences, nodes) && !tellByScope(occurrences, nodes))
    tellByTuple(occurrences, nodes);
  nodes.blockName += nodes.blockName.empty() ? "block" : "_block";
  return nodes;
}

// Names for the variables of the calls of a block, without numbers and without their common prefix.
static std::vector<std::string> localNames(ArrayRef<PlannedCall> calls, Namespace &names) {
  StringRef common = calls.front().targets.front();
  for (const PlannedCall &call : calls) {
    StringRef target = call.targets.front();
    while (!common.empty() &&
           !(target.starts_with(common) && (target.size() == common.size() || target[common.size()] == '_')))
      common = common.drop_back();
  }
  std::vector<std::string> result;
  for (const PlannedCall &call : calls) {
    StringRef rest = StringRef(call.targets.front()).drop_front(common.size()).trim('_').rtrim("_0123456789");
    result.push_back(names.unique(pyIdentifier(rest, pyIdentifier(call.op->getName().stripDialect(), "result"))));
  }
  return result;
}

// The name of a weight parameter: `conv1_weight` for "layer3.{n}.conv1.weight".
static std::string weightName(StringRef operand) {
  auto [scope, name] = operand.split('"').second.rsplit('"').first.rsplit('.');
  StringRef owner = scope.substr(scope.find_last_of('.') + 1);
  bool isNamed = !name.empty() && !name.contains('{') && !owner.contains('{');
  return isNamed ? pyIdentifier((owner + "_" + name).str(), "weight") : "weight";
}

namespace {
/// Builds the method for equal runs of calls, and replaces each occurrence by a call of it.
class BlockMethod {
public:
  BlockMethod(const BlockText &text, const BlockOccurrences &occurrences)
      : text(text), occurrences(occurrences), arguments(occurrences.starts.size()) {}

  /// Builds the method. False if it would be hard to read.
  bool build() {
    nameLocals();
    method.body.calls = callsOf(0).vec();
    for (auto [i, call] : llvm::enumerate(method.body.calls)) {
      for (unsigned operand = 0; operand < call.operands.size(); ++operand)
        call.operands[operand] = operandCode(i, operand);
      call.targets = {locals[i]};
    }
    nameNodes();
    method.body.returned.push_back(locals.back());
    return values <= kMostValues && method.parameters.size() <= kMostParameters;
  }

  /// Whether the calls of each occurrence belong to one node, or to nodes of one scope.
  bool isOneScope() const { return !isTuple; }
  /// Replaces all occurrences by calls and returns the method. `text` is not updated.
  PlannedMethod apply(Namespace &methodNames) {
    method.name = methodNames.unique(method.name);
    method.purpose = "A block of calls that occurs " + std::to_string(occurrences.starts.size()) + " times.";
    // From the last occurrence to the first, so that the positions of the others stay valid.
    for (size_t occurrence = occurrences.starts.size(); occurrence-- > 0;)
      writeCall(occurrence);
    return std::move(method);
  }

private:
  ArrayRef<PlannedCall> callsOf(size_t occurrence) const {
    size_t start = occurrences.starts[occurrence];
    return ArrayRef(text.bodyOf(start).calls).slice(text[start].index, occurrences.length);
  }

  // Names of locals must not collide with those of parameters.
  void nameLocals() {
    names = functionNames();
    // The codes of BlockNodes contain the name of its parameter.
    for (StringRef taken : {"node", "scope", "nodes"})
      names.reserve(taken);
    Namespace ofLocals = names;
    for (StringRef taken : {"x", "y", "weight"})
      ofLocals.reserve(taken);
    locals = localNames(callsOf(0), ofLocals);
    for (StringRef local : locals)
      names.reserve(local);
  }

  std::string operandCode(size_t position, unsigned operand) {
    size_t start = occurrences.starts.front();
    const BlockText::Line &line = text[start + position];
    if (std::optional<size_t> maker = line.makers[operand]; maker && *maker >= start)
      return locals[*maker - start];
    auto [code, isNew] = codes.try_emplace(line.operands[operand]);
    if (!isNew)
      return code->second;
    auto textOf = [&](size_t occurrence) { return callsOf(occurrence)[position].operands[operand]; };
    const std::string first = textOf(0);
    bool isSame = llvm::all_of(llvm::seq(occurrences.starts.size()),
                               [&](size_t occurrence) { return textOf(occurrence) == first; });
    // A weight that is the same in all occurrences needs no parameter, unless its name depends on the layer number.
    if (isSame && isWeightCode(first) && isPyString(StringRef(first).split('(').second.drop_back()))
      return code->second = first;
    values += !isWeightCode(first);
    std::string name = method.parameters.empty() ? "x" : "y";
    if (isWeightCode(first))
      name = weightName(first);
    else if (isSame)
      name = first;
    return code->second = parameter(name, textOf);
  }

  std::string parameter(StringRef name, llvm::function_ref<std::string(size_t)> argument) {
    method.parameters.push_back(names.unique(name));
    for (auto [occurrence, given] : llvm::enumerate(arguments))
      given.push_back(argument(occurrence));
    return method.parameters.back();
  }

  void nameNodes() {
    std::vector<NodeCodes> given;
    for (size_t occurrence = 0; occurrence < occurrences.starts.size(); ++occurrence)
      given.push_back(llvm::map_to_vector(callsOf(occurrence), [](const PlannedCall &call) { return call.node; }));
    BlockNodes nodes = nodesOfBlock(given);
    if (!nodes.parameter.empty()) {
      method.parameters.push_back(nodes.parameter);
      for (auto [given, argument] : llvm::zip_equal(arguments, nodes.arguments))
        given.push_back(argument);
    }
    for (auto [call, code] : llvm::zip_equal(method.body.calls, nodes.codes))
      call.node = code;
    method.name = nodes.blockName;
    isTuple = nodes.parameter == "nodes";
  }

  // Replaces the calls of an occurrence by a call of the method. Their variables become locals of the method.
  void writeCall(size_t occurrence) const {
    size_t start = occurrences.starts[occurrence];
    PlannedBody &body = text.bodyOf(start);
    std::string result = callsOf(occurrence).back().targets.front();
    SmallVector<Operation *> made;
    for (auto [call, local] : llvm::zip_equal(callsOf(occurrence), locals)) {
      made.push_back(call.op);
      body.moved[call.targets.front()] = result + "." + local;
    }
    auto begin = body.calls.begin() + text[start].index;
    *begin = PlannedCall{nullptr, method.name, "", {}, {result}, arguments[occurrence], "", {}, std::move(made)};
    body.calls.erase(begin + 1, begin + occurrences.length);
  }

  const BlockText &text;
  const BlockOccurrences &occurrences;
  PlannedMethod method;
  std::vector<llvm::SmallVector<std::string>> arguments; ///< of each occurrence
  std::vector<std::string> locals;                       ///< the variable of each line
  Namespace names;                                       ///< of the method
  std::map<uint64_t, std::string> codes;                 ///< of operands that the first occurrence reads from outside
  bool isTuple = false;                                  ///< whether the nodes are passed as a tuple
  size_t values = 0;                                     ///< parameters other than weights
};
} // namespace

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
