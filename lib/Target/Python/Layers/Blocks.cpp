//===- Blocks.cpp - what is written several times becomes a method --------===//
//
// A layer norm is seven calls; it stands twice in a layer and once behind the last one. Such blocks are found in the
// text of `forward` and of the methods for layers: they are equal when their lines are, but for names, whatever shapes
// they have in their places. A block has one result.
//
//===----------------------------------------------------------------------===//

#include "EmissionPlan.h"
#include "Layers/BlockNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <map>

using namespace mlir;
using namespace forge;

// Calls of a block. Fewer are read as easily as its name, and more are a layer.
static constexpr size_t kFewestCalls = 5, kMostCalls = 24;
// Lines that a block must save, and those of a method besides its calls.
static constexpr size_t kLeastSaved = 2, kMethodLines = 5;
// Parameters of a block that are no weights, and all of them.
static constexpr size_t kMostValues = 5, kMostParameters = 8;
static constexpr size_t kMostBlocks = 6;
// Nobody reads a longer file from one end to the other.
static constexpr size_t kLongestText = 4096;

static PlannedBody &bodyOf(EmissionPlan &plan, size_t body) {
  return body == 0 ? plan.forward : plan.methods[body - 1].body;
}

namespace {
/// A line of a body.
struct Line {
  size_t body, index;
  uint64_t kind;                             ///< equal for lines that are equal but for names
  SmallVector<uint64_t> operands;            ///< a number for each text
  SmallVector<std::optional<size_t>> makers; ///< of operands: the line that sets it
  size_t lastRead = 0;
};

/// Equal windows of lines.
struct Windows {
  size_t length;
  std::vector<size_t> starts;

  /// Lines that a method for them saves.
  size_t saved() const {
    size_t together = (starts.size() - 1) * length;
    return together > kMethodLines ? together - kMethodLines : 0;
  }
};

/// The method that equal windows are written as, and its calls.
class BlockMethod {
public:
  BlockMethod(EmissionPlan &plan, const std::vector<Line> &lines, const Windows &windows);

  /// Decides the method. False where it would be hard to read.
  bool build();
  /// Whether the calls of each window come from one node, or from nodes of one scope.
  bool isOneScope() const { return !isTuple; }
  /// Replaces the windows by calls of it.
  void apply(Namespace &methodNames);

private:
  PlannedCall &callAt(size_t window, size_t position) const {
    const Line &line = lines[windows.starts[window] + position];
    return bodyOf(plan, line.body).calls[line.index];
  }
  std::string operandCode(size_t position, unsigned operand);
  std::string parameter(StringRef name, llvm::function_ref<std::string(size_t)> argument);
  void nameNodes();
  std::string wantedName() const;

  EmissionPlan &plan;
  const std::vector<Line> &lines;
  const Windows &windows;
  Namespace names;
  PlannedMethod method;
  bool isTuple = false; ///< what tells the nodes
  size_t values = 0;    ///< parameters that are no weights
  std::vector<std::string> locals;
  std::map<uint64_t, std::string> codes; ///< of what the first window reads from outside
  std::vector<SmallVector<std::string>> arguments;
};

/// Finds blocks, one after another.
class BlockFinder {
public:
  explicit BlockFinder(EmissionPlan &plan) : plan(plan), bodies(plan.methods.size() + 1) {}

  void run();

private:
  void read();
  void readBody(size_t body);
  uint64_t numberOf(const std::string &text) { return numbers.try_emplace(text, numbers.size()).first->second; }
  std::optional<std::vector<uint64_t>> shapeOf(size_t start, size_t length) const;
  std::vector<Windows> candidates() const;
  bool replaceBest();

  EmissionPlan &plan;
  const size_t bodies; ///< those of blocks are no place to look for others
  std::vector<Line> lines;
  llvm::StringMap<uint64_t> numbers;
  Namespace methodNames;
};
} // namespace

static bool isWeight(StringRef operand) { return operand.starts_with("self."); }

// What a parameter for weights is called: `conv1_weight` for "layer3.{n}.conv1.weight".
static std::string weightName(StringRef operand) {
  auto [scope, name] = operand.split('"').second.rsplit('"').first.rsplit('.');
  StringRef owner = scope.substr(scope.find_last_of('.') + 1);
  bool isNamed = !name.empty() && !name.contains('{') && !owner.contains('{');
  return isNamed ? pyIdentifier((owner + "_" + name).str(), "weight") : "weight";
}

//===----------------------------------------------------------------------===//
// The text, and what is equal in it
//===----------------------------------------------------------------------===//

// All that is printed of a call but for names.
static std::string kindOf(const PlannedCall &call) {
  auto op = cast<ForgeCallOpInterface>(call.op);
  std::string text = (op.getCallee() + (call.node.empty() ? "|" : "|node")).str();
  for (StringRef name : op.getArgumentOrder())
    if (Attribute value = call.op->getInherentAttr(name).value_or(Attribute()))
      text += ("|" + name + "=" + pyAttribute(op, name, value)).str();
  return text + "|" + std::to_string(call.operands.size());
}

void BlockFinder::readBody(size_t body) {
  const PlannedBody &text = bodyOf(plan, body);
  llvm::StringMap<size_t> makers;
  for (auto [index, call] : llvm::enumerate(text.calls)) {
    bool isPlain = call.op && !isa<ScalarConstantOp>(call.op);
    // Constants and calls of methods are equal to nothing.
    Line line{body, index, numberOf(isPlain ? kindOf(call) : "line " + std::to_string(lines.size())), {}, {}};
    for (const std::string &operand : call.operands) {
      auto maker = makers.find(operand);
      line.operands.push_back(numberOf(operand));
      line.makers.push_back(maker == makers.end() ? std::nullopt : std::optional(maker->second));
      if (maker != makers.end())
        lines[maker->second].lastRead = lines.size();
    }
    for (const std::string &target : call.targets)
      makers[target] = lines.size();
    lines.push_back(std::move(line));
  }
  for (const std::string &variable : text.returned)
    if (auto maker = makers.find(variable); maker != makers.end())
      lines[maker->second].lastRead = SIZE_MAX;
}

void BlockFinder::read() {
  lines.clear();
  for (size_t body = 0; body < bodies; ++body) {
    readBody(body);
    lines.push_back({bodies, 0, numberOf("end " + std::to_string(body)), {}, {}}); // Nothing is equal to it.
  }
}

// What windows have in common that one method can stand for; nullopt where more than the last line is read outside.
std::optional<std::vector<uint64_t>> BlockFinder::shapeOf(size_t start, size_t length) const {
  size_t end = start + length;
  for (size_t i = start; i + 1 < end; ++i)
    if (lines[i].lastRead >= end || lines[i].lastRead == 0)
      return std::nullopt;
  std::vector<uint64_t> result;
  SmallVector<uint64_t> outside;
  for (size_t i = start; i < end; ++i) {
    result.push_back(lines[i].kind);
    const PlannedCall &call = bodyOf(plan, lines[i].body).calls[lines[i].index];
    for (auto [operand, maker, text] : llvm::zip_equal(lines[i].operands, lines[i].makers, call.operands)) {
      if (maker && *maker >= start) {
        result.push_back(*maker - start);
        continue;
      }
      auto *known = llvm::find(outside, operand);
      result.push_back(length + 2 * (known - outside.begin()) + isWeight(text));
      if (known == outside.end())
        outside.push_back(operand);
    }
  }
  return result;
}

std::vector<Windows> BlockFinder::candidates() const {
  std::vector<Windows> result;
  for (size_t length = kFewestCalls; length <= kMostCalls; ++length) {
    std::map<std::vector<uint64_t>, size_t> known;
    size_t first = result.size();
    for (size_t start = 0; start + length <= lines.size(); ++start) {
      // A block stands in one body.
      if (lines[start].body == bodies || lines[start].body != lines[start + length - 1].body)
        continue;
      std::optional<std::vector<uint64_t>> shape = shapeOf(start, length);
      if (!shape)
        continue;
      auto [found, isNew] = known.try_emplace(std::move(*shape), result.size());
      if (isNew)
        result.push_back({length, {}});
      std::vector<size_t> &starts = result[found->second].starts;
      if (starts.empty() || starts.back() + length <= start)
        starts.push_back(start);
    }
    result.erase(std::remove_if(result.begin() + first, result.end(),
                                [](const Windows &windows) { return windows.saved() < kLeastSaved; }),
                 result.end());
  }
  llvm::stable_sort(result, [](const Windows &a, const Windows &b) { return a.saved() > b.saved(); });
  return result;
}

// What comes from one node or scope goes before what happens to be equal.
bool BlockFinder::replaceBest() {
  std::vector<Windows> found = candidates();
  for (bool isOneScope : {true, false})
    for (const Windows &windows : found) {
      BlockMethod block(plan, lines, windows);
      if (!block.build() || (isOneScope && !block.isOneScope()))
        continue;
      block.apply(methodNames);
      return true;
    }
  return false;
}

void BlockFinder::run() {
  for (const PlannedMethod &method : plan.methods)
    methodNames.reserve(method.name);
  for (size_t round = 0; round < kMostBlocks; ++round) {
    read();
    if (lines.size() > kLongestText)
      return;
    if (!replaceBest())
      return;
  }
}

//===----------------------------------------------------------------------===//
// The method
//===----------------------------------------------------------------------===//

BlockMethod::BlockMethod(EmissionPlan &plan, const std::vector<Line> &lines, const Windows &windows)
    : plan(plan), lines(lines), windows(windows), arguments(windows.starts.size()) {
  for (StringRef taken : {"self", "forge", "torch", "release"})
    names.reserve(taken);
}

std::string BlockMethod::parameter(StringRef name, llvm::function_ref<std::string(size_t)> argument) {
  method.parameters.push_back(names.unique(name));
  for (auto [window, given] : llvm::enumerate(arguments))
    given.push_back(argument(window));
  return method.parameters.back();
}

std::string BlockMethod::operandCode(size_t position, unsigned operand) {
  const Line &line = lines[windows.starts.front() + position];
  if (std::optional<size_t> maker = line.makers[operand]; maker && *maker >= windows.starts.front())
    return locals[*maker - windows.starts.front()];
  auto [code, isNew] = codes.try_emplace(line.operands[operand]);
  if (!isNew)
    return code->second;
  auto textOf = [&](size_t window) { return callAt(window, position).operands[operand]; };
  const std::string first = textOf(0);
  bool isSame = llvm::all_of(llvm::seq(windows.starts.size()), [&](size_t window) { return textOf(window) == first; });
  if (isSame && isWeight(first) && first.find('{') == std::string::npos && first.find('"') != std::string::npos)
    return code->second = first;
  values += !isWeight(first);
  std::string name = isWeight(first) ? weightName(first) : isSame ? first : method.parameters.empty() ? "x" : "y";
  return code->second = parameter(name, textOf);
}

void BlockMethod::nameNodes() {
  std::vector<NodeCodes> given;
  for (size_t window = 0; window < windows.starts.size(); ++window)
    given.push_back(llvm::map_to_vector(llvm::seq(windows.length), [&](size_t i) { return callAt(window, i).node; }));
  BlockNodes nodes = nodesOfBlock(given);
  if (!nodes.parameter.empty())
    parameter(nodes.parameter, [&](size_t window) { return nodes.arguments[window]; });
  for (auto [call, code] : llvm::zip_equal(method.body.calls, nodes.codes))
    call.node = code;
  method.name = nodes.blockName;
  isTuple = nodes.parameter == "nodes";
}

bool BlockMethod::build() {
  auto targets = llvm::map_to_vector(llvm::seq(windows.length), [&](size_t i) { return callAt(0, i).targets.front(); });
  auto kinds = llvm::map_to_vector(llvm::seq(windows.length),
                                   [&](size_t i) { return callAt(0, i).op->getName().stripDialect(); });
  // The name of the parameter for nodes is taken before locals are named.
  for (StringRef taken : {"x", "y", "weight", "node", "scope", "nodes"})
    names.reserve(taken);
  locals = localNames(targets, kinds, names);
  names = Namespace();
  for (StringRef taken : {"self", "forge", "torch", "release"})
    names.reserve(taken);
  for (StringRef local : locals)
    names.reserve(local);
  for (size_t i = 0; i < windows.length; ++i) {
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

void BlockMethod::apply(Namespace &methodNames) {
  method.name = methodNames.unique(method.name);
  method.purpose = "A block that " + std::to_string(windows.starts.size()) + " places have in common.";
  // From the last one: the places of those before stay.
  for (size_t window = windows.starts.size(); window-- > 0;) {
    const Line &line = lines[windows.starts[window]];
    PlannedBody &body = bodyOf(plan, line.body);
    std::string result = callAt(window, windows.length - 1).targets.front();
    for (size_t i = 0; i < windows.length; ++i)
      body.moved[callAt(window, i).targets.front()] = result + "." + locals[i];
    auto begin = body.calls.begin() + line.index;
    *begin = PlannedCall{nullptr, method.name, "", {result}, arguments[window], "", {}};
    body.calls.erase(begin + 1, begin + windows.length);
  }
  plan.methods.push_back(std::move(method));
}

void forge::planBlocks(EmissionPlan &plan) { BlockFinder(plan).run(); }
