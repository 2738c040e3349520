//===- RunForest.cpp - decision trees as matrix products ------------------===//
//
// A leaf is reached if every split on its path decides as the path requires. With decisions d in {0, 1}, the sum of d
// over the splits that must be true, minus the sum over those that must be false, is at most the number of the former,
// and equal to it for exactly one leaf. The sums of all leaves are a product with a matrix of -1, 0 and 1 (the "GEMM
// strategy" of Nakandala et al., A Tensor Compiler for Unified Machine Learning Prediction Serving, OSDI 2020).
//
//===----------------------------------------------------------------------===//

#include "Onnx.h"

#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

namespace {
// The trees as matrices, each padded to the size of the largest tree.
struct Matrices {
  int64_t trees, splits, leaves, targets, values;
  SmallVector<int64_t> features; // [trees, splits]
  SmallVector<Test> tests;       // [trees, splits]
  std::vector<float> thresholds; // [values, trees, splits]
  std::vector<float> nanHolds;   // [trees, splits]
  std::vector<float> paths;      // [trees, splits, leaves]
  std::vector<float> wanted;     // [trees, 1, leaves]
  std::vector<float> weights;    // [trees, leaves, targets]
  std::vector<float> voted;      // [trees, leaves, targets]
};
} // namespace

// Writes tree `tree` into its slice of the matrices.
static void addTree(const Forest &forest, int64_t tree, Matrices &m) {
  struct Step {
    Forest::Next next;
    size_t depth;
    std::pair<int64_t, bool> decision; // the parent split, and its decision
  };
  SmallVector<Step> open{{forest.roots[tree], 0, {0, false}}};
  SmallVector<std::pair<int64_t, bool>> path;
  int64_t splits = 0, leaves = 0;
  while (!open.empty()) {
    Step step = open.pop_back_val();
    path.resize(step.depth);
    if (step.depth > 0)
      path.back() = step.decision;
    if (!step.next.isLeaf) {
      const Forest::Split &split = forest.splits[step.next.index];
      int64_t at = tree * m.splits + splits;
      m.features[at] = split.feature;
      m.tests[at] = split.test;
      m.nanHolds[at] = split.nanHolds;
      for (int64_t value = 0; value < m.values; ++value) // Padded by repeating the last member of the set.
        m.thresholds[value * m.trees * m.splits + at] =
            split.values[std::min<int64_t>(value, static_cast<int64_t>(split.values.size()) - 1)];
      open.push_back({split.whenFalse, step.depth + 1, {splits, false}});
      open.push_back({split.whenTrue, step.depth + 1, {splits, true}});
      ++splits;
      continue;
    }
    int64_t at = tree * m.leaves + leaves;
    m.wanted[at] = 0;
    for (auto [split, holds] : path) {
      m.paths[(tree * m.splits + split) * m.leaves + leaves] = holds ? 1 : -1;
      m.wanted[at] += holds;
    }
    for (const Forest::Vote &vote : forest.leaves[step.next.index]) {
      m.weights[at * m.targets + vote.target] = vote.weight;
      m.voted[at * m.targets + vote.target] = 1;
    }
    ++leaves;
  }
}

// nullopt, with a reason, if the matrices would be too large.
static std::optional<Matrices> matricesOf(OnnxNode &n, const Forest &forest) {
  size_t values = 1;
  for (const Forest::Split &split : forest.splits)
    values = std::max(values, split.values.size());
  Matrices m{};
  m.trees = forest.roots.size();
  m.splits = std::max<int64_t>(forest.mostSplits, 1); // A tree may consist of one leaf.
  m.leaves = forest.mostLeaves;
  m.targets = forest.targets;
  m.values = values;
  // Each factor is below 2^31; a saturating product cannot wrap.
  uint64_t cells = llvm::SaturatingMultiply<uint64_t>(m.trees, std::max(m.splits, m.targets));
  cells = llvm::SaturatingMultiply<uint64_t>(cells, std::max(m.leaves, m.values));
  if (cells > kMostForestElements)
    return n.refuse(Code::TooManyElements, "a matrix for " + Twine(m.trees) + " trees of up to " + Twine(m.splits) +
                                               " splits and " + Twine(m.leaves) + " leaves has " + Twine(cells) +
                                               " elements; " + Twine(kMostForestElements) +
                                               " are supported; --fallback=cpu runs the trees on the CPU");
  m.features.assign(m.trees * m.splits, 0);
  m.tests.assign(m.trees * m.splits, forest.splits.empty() ? Test::LessEqual : forest.splits.front().test);
  m.thresholds.assign(m.values * m.trees * m.splits, 0);
  m.nanHolds.assign(m.trees * m.splits, 0);
  m.paths.assign(m.trees * m.splits * m.leaves, 0);
  m.wanted.assign(m.trees * m.leaves, -1); // For padding leaves: sums of empty paths are 0, never -1.
  m.weights.assign(m.trees * m.leaves * m.targets, 0);
  m.voted.assign(m.trees * m.leaves * m.targets, 0);
  for (int64_t tree = 0; tree < m.trees; ++tree)
    addTree(forest, tree, m);
  return m;
}

static Expr constant(ForgeBuilder &b, ArrayRef<int64_t> shape, ArrayRef<float> values) {
  return {b, b.floats(shape, values)};
}

// 1 where the test is true, else 0; `columns` is [rows, trees, splits].
static Expr holds(ForgeBuilder &b, const Matrices &m, Test test, Expr columns) {
  int64_t size = m.trees * m.splits;
  auto values = [&](int64_t at) {
    return constant(b, {m.trees, m.splits}, ArrayRef(m.thresholds).slice(at * size, size));
  };
  switch (test) {
  case Test::LessEqual: return Expr::binary<LessEqualOp>(columns, values(0));
  case Test::Less: return Expr::binary<LessOp>(columns, values(0));
  case Test::GreaterEqual: return Expr::binary<GreaterEqualOp>(columns, values(0));
  case Test::Greater: return Expr::binary<GreaterOp>(columns, values(0));
  case Test::Equal: return Expr::binary<EqualOp>(columns, values(0));
  case Test::NotEqual: return Expr::binary<NotEqualOp>(columns, values(0));
  case Test::Member: break;
  }
  Expr found = Expr::binary<EqualOp>(columns, values(0));
  for (int64_t at = 1; at < m.values; ++at)
    found = max(found, Expr::binary<EqualOp>(columns, values(at)));
  return found;
}

// The decisions of all splits.
static Expr decide(ForgeBuilder &b, const Matrices &m, Expr columns) {
  std::optional<Expr> decisions;
  bool mixed = !llvm::all_equal(m.tests);
  for (int64_t number = 0; number < kTests; ++number) {
    Test test = static_cast<Test>(number);
    if (!llvm::is_contained(m.tests, test))
      continue;
    Expr found = holds(b, m, test, columns);
    if (mixed) {
      auto isHere = llvm::map_range(m.tests, [&](Test each) { return each == test ? 1.0f : 0.0f; });
      found = found * constant(b, {m.trees, m.splits}, std::vector<float>(isHere.begin(), isHere.end()));
    }
    decisions = decisions ? *decisions + found : found;
  }
  if (llvm::any_of(m.nanHolds, [](float flag) { return flag != 0; })) {
    Expr isNaN = Expr::binary<NotEqualOp>(columns, columns);
    decisions = max(*decisions, isNaN * constant(b, {m.trees, m.splits}, m.nanHolds));
  }
  return *decisions;
}

ForestVotes forge::runForest(OnnxNode &n, ForgeBuilder &b, const Forest &forest, Value x) {
  std::optional<Matrices> m = matricesOf(n, forest);
  if (!m)
    return {};
  int64_t rows = shapeOf(x)[0];
  Value columns = b.reshape(b.take(x, 1, m->features), {rows, m->trees, m->splits});
  Value decisions = b.transpose(decide(b, *m, {b, columns}), {1, 0, 2});
  Value sums = b.matmul(decisions, constant(b, {m->trees, m->splits, m->leaves}, m->paths));
  Value leaf = Expr::binary<EqualOp>({b, sums}, constant(b, {m->trees, 1, m->leaves}, m->wanted));
  auto votes = [&](ArrayRef<float> of) { return b.matmul(leaf, constant(b, {m->trees, m->leaves, m->targets}, of)); };
  bool complete = llvm::all_of(
      forest.leaves, [&](ArrayRef<Forest::Vote> leaf) { return static_cast<int64_t>(leaf.size()) == forest.targets; });
  return {votes(m->weights), complete ? Value() : votes(m->voted)};
}
