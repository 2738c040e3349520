//===- Forest.cpp - reads decision trees ----------------------------------===//

#include "Forest.h"

#include "forge/Dialect/Forge/IR/Location.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace mlir;
using namespace forge;

// Adds a value that a split compares with; false if it is invalid. A float64 operand is Float32 on the device, and the
// thresholds are rounded in the same way, which keeps the order of numbers.
static bool addValue(OnnxNode &n, Forest::Split &split, double value) {
  auto narrow = static_cast<float>(value);
  bool rounds = !elementOf(n.input(0)).isF64() && static_cast<double>(narrow) != value;
  if (std::isnan(value) || rounds)
    return n.refuse(Code::AttributeValue,
                    "a split compares with " + std::to_string(value) + ", which is no float32 number");
  split.values.push_back(narrow);
  return true;
}

bool forge::checkLength(OnnxNode &n, size_t count, StringRef name, size_t size) {
  if (!n.failed() && size != count)
    n.refuse(Code::AttributeMismatch,
             "expected " + Twine(count) + " entries in attribute '" + name + "', but got " + Twine(size));
  return !n.failed();
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
  SmallVector<double> numbers;
  if (n.hasAttr(name))
    numbers = n.floatsAttr(name);
  std::string tensor = (name + "_as_tensor").str();
  if (n.since() < 3 || !n.hasAttr(tensor))
    return numbers;
  if (!numbers.empty())
    n.refuse(Code::AttributeMismatch, "attributes '" + name + "' and '" + tensor + "' exclude each other");
  DenseElementsAttr attr = n.tensorAttr(tensor);
  return attr ? numberValues(attr) : SmallVector<double>();
}

// Adds a vote of a leaf; false if it is invalid.
static bool addVote(OnnxNode &n, Forest &forest, int64_t leaf, int64_t target, double weight) {
  if (target < 0 || target >= forest.targets)
    return n.refuse(Code::OutOfRange, "a leaf votes for target " + Twine(target) + " of " + Twine(forest.targets));
  float narrow = static_cast<float>(weight);
  if (!std::isfinite(narrow))
    return n.refuse(Code::AttributeValue, "the weight of a leaf is not finite in float32");
  forest.leaves[leaf].push_back({target, narrow});
  return true;
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

// Checks that trees have no cycles or shared splits, and that all features exist.
static bool checkTrees(OnnxNode &n, Forest &forest) {
  if (!checkLeaves(n, forest))
    return false;
  if (static_cast<int64_t>(forest.roots.size()) > kMostForestElements / std::max<int64_t>(forest.targets, 1))
    return n.refuse(Code::TooMuchToUnroll, Twine(forest.roots.size()) + " trees with " + Twine(forest.targets) +
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
  return true;
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

namespace {
// Maps ids of trees and nodes to the splits and leaves of a forest.
struct NodeTable {
  std::map<std::pair<int64_t, int64_t>, Forest::Next> nodes;

  // The split or leaf with these ids; nullopt, with a reason, if there is none.
  std::optional<Forest::Next> find(OnnxNode &n, int64_t tree, int64_t node, StringRef name) const {
    auto found = nodes.find({tree, node});
    if (found != nodes.end())
      return found->second;
    return n.refuse(Code::OutOfRange, "attribute '" + name + "' names node " + Twine(node) + ", which tree " +
                                          Twine(tree) + " does not have");
  }
};
} // namespace

// Reads the votes of leaves from the attributes with prefix `prefix`.
static bool readVotes(OnnxNode &n, StringRef prefix, const NodeTable &table, Forest &forest) {
  std::string treeName = (prefix + "treeids").str(), nodeName = (prefix + "nodeids").str();
  std::string targetName = (prefix + "ids").str(), weightName = (prefix + "weights").str();
  SmallVector<int64_t> trees = n.intsAttr(treeName);
  SmallVector<int64_t> nodes = intsOf(n, nodeName, trees.size()), targets = intsOf(n, targetName, trees.size());
  SmallVector<double> weights = treeNumbers(n, weightName);
  if (!checkLength(n, trees.size(), weightName, weights.size()))
    return false;
  for (auto [tree, node, target, weight] : llvm::zip_equal(trees, nodes, targets, weights)) {
    std::optional<Forest::Next> leaf = table.find(n, tree, node, nodeName);
    if (leaf && !leaf->isLeaf)
      n.refuse(Code::AttributeMismatch,
               "node " + Twine(node) + " of tree " + Twine(tree) + " has a weight, and is no leaf");
    if (n.failed() || !addVote(n, forest, leaf->index, target, weight))
      return false;
  }
  return true;
}

namespace {
// The attributes of the nodes, one entry per node. Those of a leaf are ignored, besides its ids.
struct NodeLists {
  SmallVector<int64_t> trees, nodes, features, whenTrue, whenFalse, nanHolds;
  SmallVector<std::optional<Test>> tests; // nullopt for a leaf
  SmallVector<double> values;
};
} // namespace

static NodeLists readNodes(OnnxNode &n) {
  n.ignoreAttr("nodes_hitrates"); // Statistics of how often a node is visited.
  n.ignoreAttr("nodes_hitrates_as_tensor");
  NodeLists lists;
  lists.trees = n.intsAttr("nodes_treeids");
  size_t count = lists.trees.size();
  lists.nodes = intsOf(n, "nodes_nodeids", count);
  lists.features = intsOf(n, "nodes_featureids", count);
  lists.whenTrue = intsOf(n, "nodes_truenodeids", count);
  lists.whenFalse = intsOf(n, "nodes_falsenodeids", count);
  lists.nanHolds = readNanHolds(n, count);
  lists.tests = readModes(n);
  lists.values = treeNumbers(n, "nodes_values");
  checkLength(n, count, "nodes_modes", lists.tests.size());
  checkLength(n, count, "nodes_values", lists.values.size());
  return lists;
}

// Adds the nodes as splits, whose children are not set, and leaves without votes; false if they are invalid.
static bool addNodes(OnnxNode &n, const NodeLists &lists, NodeTable &table, Forest &forest) {
  std::set<int64_t> trees;
  for (auto [i, tree] : llvm::enumerate(lists.trees)) {
    bool isLeaf = !lists.tests[i];
    Forest::Next here{static_cast<int64_t>(isLeaf ? forest.leaves.size() : forest.splits.size()), isLeaf};
    if (!table.nodes.insert({{tree, lists.nodes[i]}, here}).second)
      n.refuse(Code::AttributeMismatch, "tree " + Twine(tree) + " has node " + Twine(lists.nodes[i]) + " twice");
    if (i == 0 || tree != lists.trees[i - 1]) {
      forest.roots.push_back(here); // The first node of a tree is the root.
      if (!trees.insert(tree).second)
        n.refuse(Code::AttributeMismatch, "the nodes of tree " + Twine(tree) + " do not stand together");
    }
    if (n.failed())
      return false;
    if (isLeaf) {
      forest.leaves.emplace_back();
      continue;
    }
    forest.splits.push_back({lists.features[i], *lists.tests[i], lists.nanHolds[i] != 0, {}, {}, {}});
    if (!addValue(n, forest.splits.back(), lists.values[i]))
      return false;
  }
  return true;
}

// Sets the children of each split; false if there is no such node.
static bool linkSplits(OnnxNode &n, const NodeLists &lists, const NodeTable &table, Forest &forest) {
  for (auto [i, tree] : llvm::enumerate(lists.trees)) {
    if (!lists.tests[i])
      continue;
    std::optional<Forest::Next> whenTrue = table.find(n, tree, lists.whenTrue[i], "nodes_truenodeids");
    std::optional<Forest::Next> whenFalse = table.find(n, tree, lists.whenFalse[i], "nodes_falsenodeids");
    if (!whenTrue || !whenFalse)
      return false;
    Forest::Split &split = forest.splits[table.nodes.at({tree, lists.nodes[i]}).index];
    split.whenTrue = *whenTrue;
    split.whenFalse = *whenFalse;
  }
  return true;
}

std::optional<Forest> forge::readForest(OnnxNode &n, StringRef votes, int64_t targets) {
  NodeLists lists = readNodes(n);
  Forest forest;
  forest.targets = targets;
  NodeTable table;
  if (n.failed() || !addNodes(n, lists, table, forest) || !linkSplits(n, lists, table, forest) ||
      !readVotes(n, votes, table, forest) || !checkTrees(n, forest))
    return std::nullopt;
  return forest;
}

//===----------------------------------------------------------------------===//
// TreeEnsemble: splits and leaves in lists of their own
//===----------------------------------------------------------------------===//

// The values that each split compares with: a threshold, or the members of a set.
static bool readValues(OnnxNode &n, ArrayRef<double> thresholds, ArrayRef<double> members, Forest &forest) {
  const double *next = members.begin();
  for (auto [split, threshold] : llvm::zip_equal(forest.splits, thresholds)) {
    SmallVector<double> values{threshold};
    if (split.test == Test::Member) {
      const double *end = std::find_if(next, members.end(), [](double value) { return std::isnan(value); });
      values.assign(next, end);
      next = end == members.end() ? end : end + 1;
      if (values.empty())
        return n.refuse(Code::AttributeMismatch, "attribute 'membership_values' has no set for a BRANCH_MEMBER");
    }
    for (double value : values)
      if (!addValue(n, split, value))
        return false;
  }
  if (next != members.end())
    n.refuse(Code::AttributeMismatch, "attribute 'membership_values' has more sets than there are BRANCH_MEMBERs");
  return !n.failed();
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
  if (!checkLength(n, count, "nodes_modes", tests.size()) ||
      !checkLength(n, count, "nodes_splits", thresholds.size()) ||
      !checkLength(n, leafTargets.size(), "leaf_weights", leafWeights.size()))
    return std::nullopt;

  Forest forest;
  forest.targets = targets;
  forest.leaves.resize(leafTargets.size());
  for (auto [i, target, weight] : llvm::enumerate(leafTargets, leafWeights))
    if (!addVote(n, forest, i, target, weight))
      return std::nullopt;
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
  if (n.failed() || !readValues(n, thresholds, members ? numberValues(members) : SmallVector<double>(), forest) ||
      !checkTrees(n, forest))
    return std::nullopt;
  return forest;
}
