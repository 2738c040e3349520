//===- BlockNames.cpp - names in the method for a block -------------------===//

#include "Layers/Blocks/BlockNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <optional>

using namespace llvm;
using namespace forge;

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
    if (!all_equal(place))
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
                   map_to_vector(texts, [&](StringRef text) { return text.drop_front(found.size()).str(); }));
}

// Fills `nodes` where those of each place are in one scope.
static bool tellByScope(ArrayRef<NodeCodes> places, BlockNodes &nodes) {
  auto first = splitScope(places.front());
  if (!first || any_of(first->second, [](StringRef rest) { return rest.contains('{'); }))
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
    for (auto [argument, code] : zip_equal(nodes.arguments, codes))
      if (isNew)
        argument += (argument.empty() ? "(" : ", ") + code.str();
  }
  for (std::string &argument : nodes.arguments)
    argument += known.size() == 1 ? ",)" : ")";
}

BlockNodes forge::nodesOfBlock(ArrayRef<NodeCodes> places) {
  BlockNodes nodes;
  bool isNamed = any_of(places.front(), [](StringRef code) { return !code.empty(); });
  if (!isNamed)
    nodes.codes = places.front();
  else if (!tellByNode(places, nodes) && !tellByScope(places, nodes))
    tellByTuple(places, nodes);
  nodes.blockName += nodes.blockName.empty() ? "block" : "_block";
  return nodes;
}

std::vector<std::string> forge::localNames(ArrayRef<std::string> targets, ArrayRef<StringRef> kinds, Namespace &names) {
  StringRef common = targets.front();
  for (StringRef target : targets)
    while (!common.empty() &&
           !(target.starts_with(common) && (target.size() == common.size() || target[common.size()] == '_')))
      common = common.drop_back();
  std::vector<std::string> result;
  for (auto [target, kind] : zip_equal(targets, kinds)) {
    StringRef rest = StringRef(target).drop_front(common.size()).trim('_').rtrim("_0123456789");
    result.push_back(names.unique(pyIdentifier(rest, pyIdentifier(kind, "result"))));
  }
  return result;
}
