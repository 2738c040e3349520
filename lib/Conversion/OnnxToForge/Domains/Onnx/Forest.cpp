//===- Forest.cpp - reads decision trees ----------------------------------===//

#include "Onnx.h"

#include "forge/Dialect/Forge/IR/Location.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace mlir;
using namespace forge;

// Adds a value that a split compares with. A float64 operand is Float32 on the device, and the
// thresholds are rounded in the same way, which keeps the order of numbers.
static void addValue(OnnxNode &n, Forest::Split &split, double value) {
  auto narrow = static_cast<float>(value);
  bool rounds = !elementOf(n.input(0)).isF64() && static_cast<double>(narrow) != value;
  if (std::isnan(value) || rounds)
    n.refuse(Code::AttributeUnsupported,
             "a split compares with " + std::to_string(value) + ", which is no float32 number");
  split.values.push_back(narrow);
}

void forge::checkLength(OnnxNode &n, size_t count, StringRef name, size_t size) {
  if (!n.failed() && size != count)
    n.refuse(Code::AttributeMismatch,
             "expected " + Twine(count) + " entries in attribute '" + name + "', but got " + Twine(size));
}

// Attribute `name`, a list with `count` entries.
static SmallVector<int64_t> intsOf(OnnxNode &n, StringRef name, size_t count) {
  SmallVector<int64_t> values = n.intsAttr(name);
  checkLength(n, count, name, values.size());
  return values;
}

// For each of `count` nodes, whether its test is true for NaN; false by default.
static SmallVector<int64_t> readNanHolds(OnnxNode &n, size_t count) {
  constexpr StringLiteral name = "nodes_missing_value_tracks_true";
  SmallVector<int64_t> given = n.intsAttr(name, ArrayRef<int64_t>());
  if (given.empty())
    return SmallVector<int64_t>(count, 0);
  checkLength(n, count, name, given.size());
  return given;
}

SmallVector<double> forge::treeNumbers(OnnxNode &n, StringRef name) {
  SmallVector<double> numbers = n.floatsAttr(name, ArrayRef<double>());
  std::string tensor = (name + "_as_tensor").str();
  if (n.since() < 3 || !n.hasAttr(tensor))
    return numbers;
  if (!numbers.empty())
    n.refuse(Code::AttributeMismatch, "attributes '" + name + "' and '" + tensor + "' exclude each other");
  DenseElementsAttr attr = n.tensorAttr(tensor);
  return attr ? numberValues(attr) : SmallVector<double>();
}

static void addVote(OnnxNode &n, Forest &forest, int64_t leaf, int64_t target, double weight) {
  auto narrow = static_cast<float>(weight);
  if (target < 0 || target >= forest.targets)
    n.refuse(Code::OutOfRange, "a leaf votes for target " + Twine(target) + " of " + Twine(forest.targets));
  else if (!std::isfinite(narrow))
    n.refuse(Code::AttributeUnsupported, "the weight of a leaf is not finite in float32");
  forest.leaves[leaf].push_back({target, narrow});
}

// Sorts the votes of each leaf; false if a leaf has none or two for the same target.
static bool checkLeaves(OnnxNode &n, Forest &forest) {
  auto sameTarget = [](const Forest::Vote &a, const Forest::Vote &b) { return a.target == b.target; };
  for (auto &votes : forest.leaves) {
    llvm::sort(votes, [](const Forest::Vote &a, const Forest::Vote &b) { return a.target < b.target; });
    if (votes.empty())
      n.refuse(Code::AttributeMismatch, "a leaf has no weight");
    else if (const auto *twice = std::adjacent_find(votes.begin(), votes.end(), sameTarget); twice != votes.end())
      n.refuse(Code::AttributeMismatch, "a leaf votes for target " + Twine(twice->target) + " twice");
    if (n.failed())
      return false;
  }
  return true;
}

// `forest` with the facts about its trees. nullopt if the node has failed, or if trees have cycles, shared splits or
// features that do not exist.
static std::optional<Forest> checkedForest(OnnxNode &n, Forest forest) {
  if (n.failed() || !checkLeaves(n, forest))
    return std::nullopt;
  if (static_cast<int64_t>(forest.roots.size()) > kMostForestElements / std::max<int64_t>(forest.targets, 1))
    return n.refuse(Code::TooManyElements, Twine(forest.roots.size()) + " trees with " + Twine(forest.targets) +
                                               " targets are too many; --fallback=cpu runs them on the CPU");
  int64_t features = shapeOf(n.input(0))[1];
  std::vector<bool> seen(forest.splits.size());
  forest.alwaysVoted.assign(forest.targets, false);
  for (Forest::Next root : forest.roots) {
    int64_t splits = 0, leaves = 0;
    SmallVector<int64_t> votes(forest.targets, 0);
    SmallVector<Forest::Next> open{root};
    while (!open.empty()) {
      Forest::Next next = open.pop_back_val();
      if (next.isLeaf) {
        ++leaves;
        for (const Forest::Vote &vote : forest.leaves[next.index])
          ++votes[vote.target];
        continue;
      }
      const Forest::Split &split = forest.splits[next.index];
      if (seen[next.index])
        return n.refuse(Code::AttributeValue, "split " + Twine(next.index) + " is reached twice, so this is no tree");
      if (split.feature < 0 || split.feature >= features)
        return n.refuse(Code::OutOfRange,
                        "a split tests feature " + Twine(split.feature) + " of an operand with " + Twine(features));
      seen[next.index] = true;
      ++splits;
      open.append({split.whenTrue, split.whenFalse});
    }
    for (int64_t target = 0; target < forest.targets; ++target)
      forest.alwaysVoted[target] = forest.alwaysVoted[target] || votes[target] == leaves;
    forest.mostSplits = std::max(forest.mostSplits, splits);
    forest.mostLeaves = std::max(forest.mostLeaves, leaves);
  }
  return forest;
}

//===----------------------------------------------------------------------===//
// TreeEnsembleClassifier and TreeEnsembleRegressor: nodes with ids, leaves among them
//===----------------------------------------------------------------------===//

static constexpr StringRef kModes[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};

// The test of each node; nullopt for a leaf.
static SmallVector<std::optional<Test>> readModes(OnnxNode &n) {
  SmallVector<std::optional<Test>> tests;
  auto list = dyn_cast_or_null<ArrayAttr>(n.rawAttr("nodes_modes"));
  if (!list)
    n.refuse(Code::AttributeMissing, "attribute 'nodes_modes' must be a list of strings");
  for (Attribute element : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto mode = dyn_cast<StringAttr>(element);
    const auto *found = mode ? llvm::find(kModes, mode.getValue()) : std::end(kModes);
    if (found == std::end(kModes) && (!mode || mode.getValue() != "LEAF"))
      return n.refuse(Code::AttributeUnsupported,
                      "attribute 'nodes_modes' names " + (mode ? "'" + escaped(mode.getValue()) + "'" : "no string") +
                          "; LEAF and BRANCH_ with LEQ, LT, GTE, GT, EQ or NEQ are supported");
    bool isLeaf = found == std::end(kModes);
    tests.push_back(isLeaf ? std::nullopt : std::optional(static_cast<Test>(found - std::begin(kModes))));
  }
  return tests;
}

// The splits and leaves of a forest by the ids of their tree and node.
using NodeTable = std::map<std::pair<int64_t, int64_t>, Forest::Next>;

// The split or leaf with these ids. Refused if there is none; `name` is the attribute that has the ids.
static Forest::Next nodeAt(OnnxNode &n, const NodeTable &table, int64_t tree, int64_t node, StringRef name) {
  auto found = table.find({tree, node});
  if (found != table.end())
    return found->second;
  n.refuse(Code::OutOfRange,
           "attribute '" + name + "' names node " + Twine(node) + ", which tree " + Twine(tree) + " does not have");
  return {};
}

// Numbers the splits and the leaves, each in order, and adds the roots.
static NodeTable readTable(OnnxNode &n, ArrayRef<int64_t> trees, ArrayRef<int64_t> nodes,
                           ArrayRef<std::optional<Test>> tests, Forest &forest) {
  NodeTable table;
  std::set<int64_t> seen;
  int64_t splits = 0, leaves = 0;
  for (size_t i = 0; i < trees.size() && !n.failed(); ++i) {
    bool isLeaf = !tests[i];
    Forest::Next here{isLeaf ? leaves++ : splits++, isLeaf};
    if (!table.insert({{trees[i], nodes[i]}, here}).second)
      n.refuse(Code::AttributeMismatch, "tree " + Twine(trees[i]) + " has node " + Twine(nodes[i]) + " twice");
    if (i > 0 && trees[i] == trees[i - 1])
      continue;
    forest.roots.push_back(here); // The first node of a tree is the root.
    if (!seen.insert(trees[i]).second)
      n.refuse(Code::AttributeMismatch, "the nodes of tree " + Twine(trees[i]) + " do not stand together");
  }
  forest.leaves.resize(leaves);
  return table;
}

// Reads the votes of leaves from the attributes with prefix `prefix`.
static void readVotes(OnnxNode &n, StringRef prefix, const NodeTable &table, Forest &forest) {
  std::string treeName = (prefix + "treeids").str(), nodeName = (prefix + "nodeids").str();
  std::string targetName = (prefix + "ids").str(), weightName = (prefix + "weights").str();
  SmallVector<int64_t> trees = n.intsAttr(treeName);
  SmallVector<int64_t> nodes = intsOf(n, nodeName, trees.size()), targets = intsOf(n, targetName, trees.size());
  SmallVector<double> weights = treeNumbers(n, weightName);
  checkLength(n, trees.size(), weightName, weights.size());
  for (size_t i = 0; i < trees.size() && !n.failed(); ++i) {
    Forest::Next leaf = nodeAt(n, table, trees[i], nodes[i], nodeName);
    if (!n.failed() && !leaf.isLeaf)
      n.refuse(Code::AttributeMismatch,
               "node " + Twine(nodes[i]) + " of tree " + Twine(trees[i]) + " has a weight, and is no leaf");
    if (!n.failed())
      addVote(n, forest, leaf.index, targets[i], weights[i]);
  }
}

std::optional<Forest> forge::readForest(OnnxNode &n, StringRef votes, int64_t targets) {
  n.ignoreAttr("nodes_hitrates"); // Statistics of how often a node is visited.
  n.ignoreAttr("nodes_hitrates_as_tensor");
  SmallVector<int64_t> trees = n.intsAttr("nodes_treeids");
  size_t count = trees.size();
  SmallVector<int64_t> nodes = intsOf(n, "nodes_nodeids", count), features = intsOf(n, "nodes_featureids", count);
  SmallVector<int64_t> whenTrue = intsOf(n, "nodes_truenodeids", count);
  SmallVector<int64_t> whenFalse = intsOf(n, "nodes_falsenodeids", count), nanHolds = readNanHolds(n, count);
  SmallVector<std::optional<Test>> tests = readModes(n);
  SmallVector<double> values = treeNumbers(n, "nodes_values");
  checkLength(n, count, "nodes_modes", tests.size());
  checkLength(n, count, "nodes_values", values.size());
  if (n.failed())
    return std::nullopt;
  Forest forest;
  forest.targets = targets;
  NodeTable table = readTable(n, trees, nodes, tests, forest);
  for (size_t i = 0; i < count && !n.failed(); ++i) {
    if (!tests[i]) // Only the ids of a leaf have a meaning.
      continue;
    Forest::Next onTrue = nodeAt(n, table, trees[i], whenTrue[i], "nodes_truenodeids");
    Forest::Next onFalse = nodeAt(n, table, trees[i], whenFalse[i], "nodes_falsenodeids");
    forest.splits.push_back({features[i], *tests[i], nanHolds[i] != 0, {}, onTrue, onFalse});
    addValue(n, forest.splits.back(), values[i]);
  }
  if (!n.failed())
    readVotes(n, votes, table, forest);
  return checkedForest(n, std::move(forest));
}

//===----------------------------------------------------------------------===//
// TreeEnsemble: splits and leaves in lists of their own
//===----------------------------------------------------------------------===//

// The values that each split compares with: a threshold, or the members of a set.
static void readValues(OnnxNode &n, ArrayRef<double> thresholds, ArrayRef<double> members, Forest &forest) {
  const double *next = members.begin();
  for (auto [split, threshold] : llvm::zip_equal(forest.splits, thresholds)) {
    SmallVector<double> values{threshold};
    if (split.test == Test::Member) {
      const double *end = std::find_if(next, members.end(), [](double value) { return std::isnan(value); });
      values.assign(next, end);
      next = end == members.end() ? end : end + 1;
      if (values.empty())
        n.refuse(Code::AttributeMismatch, "attribute 'membership_values' has no set for a BRANCH_MEMBER");
    }
    for (double value : values)
      addValue(n, split, value);
    if (n.failed())
      return;
  }
  if (next != members.end())
    n.refuse(Code::AttributeMismatch, "attribute 'membership_values' has more sets than there are BRANCH_MEMBERs");
}

std::optional<Forest> forge::readTreeEnsemble(OnnxNode &n, int64_t targets) {
  n.ignoreAttr("nodes_hitrates");
  SmallVector<int64_t> featureIds = n.intsAttr("nodes_featureids"), roots = n.intsAttr("tree_roots");
  size_t count = featureIds.size();
  SmallVector<int64_t> whenTrue = intsOf(n, "nodes_truenodeids", count), trueLeaf = intsOf(n, "nodes_trueleafs", count);
  SmallVector<int64_t> whenFalse = intsOf(n, "nodes_falsenodeids", count);
  SmallVector<int64_t> falseLeaf = intsOf(n, "nodes_falseleafs", count), nanHolds = readNanHolds(n, count);
  SmallVector<int64_t> leafTargets = n.intsAttr("leaf_targetids");
  DenseElementsAttr modes = n.tensorAttr("nodes_modes"), splits = n.tensorAttr("nodes_splits");
  DenseElementsAttr weights = n.tensorAttr("leaf_weights");
  DenseElementsAttr members = n.hasAttr("membership_values") ? n.tensorAttr("membership_values") : DenseElementsAttr();
  if (!n.failed() && !isa<IntegerType>(modes.getElementType()))
    n.refuse(Code::AttributeKind, "attribute 'nodes_modes' is no tensor of integers");
  if (n.failed())
    return std::nullopt;
  SmallVector<int64_t> tests = intValues(modes);
  SmallVector<double> thresholds = numberValues(splits), leafWeights = numberValues(weights);
  checkLength(n, count, "nodes_modes", tests.size());
  checkLength(n, count, "nodes_splits", thresholds.size());
  checkLength(n, leafTargets.size(), "leaf_weights", leafWeights.size());
  if (n.failed())
    return std::nullopt;
  Forest forest;
  forest.targets = targets;
  forest.leaves.resize(leafTargets.size());
  for (size_t i = 0; i < leafTargets.size() && !n.failed(); ++i)
    addVote(n, forest, i, leafTargets[i], leafWeights[i]);
  auto next = [&](int64_t index, int64_t isLeaf, StringRef name) -> Forest::Next {
    size_t size = isLeaf ? forest.leaves.size() : count;
    if (index < 0 || index >= static_cast<int64_t>(size) || isLeaf < 0 || isLeaf > 1)
      n.refuse(Code::OutOfRange,
               "attribute '" + name + "' names " + (isLeaf ? "leaf " : "split ") + Twine(index) + " of " + Twine(size));
    return {index, isLeaf != 0};
  };
  for (size_t i = 0; i < count && !n.failed(); ++i) {
    if (tests[i] < 0 || tests[i] >= kTests)
      n.refuse(Code::AttributeValue, "attribute 'nodes_modes' has " + Twine(tests[i]) + "; the last mode is 6");
    forest.splits.push_back({featureIds[i],
                             static_cast<Test>(tests[i]),
                             nanHolds[i] != 0,
                             {},
                             next(whenTrue[i], trueLeaf[i], "nodes_truenodeids"),
                             next(whenFalse[i], falseLeaf[i], "nodes_falsenodeids")});
  }
  for (int64_t root : roots)
    if (!n.failed())
      forest.roots.push_back(next(root, /*isLeaf=*/0, "tree_roots"));
  if (!n.failed())
    readValues(n, thresholds, members ? numberValues(members) : SmallVector<double>(), forest);
  return checkedForest(n, std::move(forest));
}
