//===- TreeEnsemble.cpp - decision trees of ai.onnx.ml --------------------===//

#include "Onnx.h"

#include "../../Reduction/Reduction.h"

#include <limits>

using namespace mlir;
using namespace forge;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

// Operand 0, [rows, features], as float32, in which onnxruntime compares integers too; float64 is Float32 on the
// device.
static Value readRows(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (n.failed())
    return {};
  Type element = elementOf(x);
  if (!element.isF32() && !element.isF64() && !element.isSignlessInteger(32) && !element.isSignlessInteger(64))
    return n.refuse(Code::OperandType, "expected an operand of float32, float64, int32 or int64");
  if (rankOf(x) != 2)
    return n.refuse(Code::RankWrong, "expected an operand of rank 2, but got rank " + Twine(rankOf(x)));
  if (shapeOf(x)[1] == 0)
    return n.refuse(Code::EmptyAxis, "the operand has no features");
  return b.cast(x, b.getF32Type());
}

enum class Aggregate : uint8_t { Average, Sum, Min, Max };
static constexpr StringRef kAggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};

// Adds a base value per target; `base` is empty if there are none.
static Expr withBase(ForgeBuilder &b, Expr scores, ArrayRef<double> base) {
  SmallVector<float> narrow(base.begin(), base.end());
  return base.empty() ? scores : scores + Expr(b, b.floats(static_cast<int64_t>(narrow.size()), narrow));
}

//===----------------------------------------------------------------------===//
// From votes to scores
//===----------------------------------------------------------------------===//

// 1 where any tree votes, else 0: [rows, targets].
static Expr anyVote(ForgeBuilder &b, const ForestVotes &votes) {
  return {b, b.reduce<ReduceMaxOp>(votes.voted, {0}, /*keepDims=*/false)};
}

// One value per row and target; 0 where no tree votes.
static Expr aggregate(ForgeBuilder &b, const ForestVotes &votes, Aggregate how) {
  Expr weights(b, votes.weights);
  if (how == Aggregate::Sum || how == Aggregate::Average) {
    Expr sum(b, b.reduce<ReduceSumOp>(weights, {0}, /*keepDims=*/false));
    return how == Aggregate::Sum || !sum ? sum : sum / static_cast<double>(shapeOf(votes.weights)[0]);
  }
  double sign = how == Aggregate::Max ? 1 : -1; // min(x) = -max(-x)
  Expr greatest = how == Aggregate::Max ? weights : -weights;
  if (votes.voted)
    greatest = select(Expr(b, votes.voted) > 0.0, greatest, -kInfinity);
  Expr found = Expr(b, b.reduce<ReduceMaxOp>(greatest, {0}, /*keepDims=*/false)) * sign;
  return votes.voted ? select(anyVote(b, votes) > 0.0, found, 0.0) : found;
}

//===----------------------------------------------------------------------===//
// Regressors
//===----------------------------------------------------------------------===//

// TreeEnsembleRegressor, and TreeEnsemble, whose attributes select by number and whose result has the operand's type:
// the scores of all targets, with base values and the post transform.
Values forge::convertTreeRegressor(OnnxNode &n, ForgeBuilder &b) {
  bool byNumber = n.opType() == "TreeEnsemble";
  Value x = readRows(n, b);
  int64_t targets = n.intAttr("n_targets", 0);
  if (targets < 1 || targets > (1 << 20))
    n.refuse(Code::AttributeUnsupported, "attribute 'n_targets' must be between 1 and 2^20, but is " + Twine(targets));
  Transform transform = readTransform(n, byNumber);
  auto how = static_cast<Aggregate>(readChoice(n, "aggregate_function", kAggregates, 1, byNumber));
  SmallVector<double> base = byNumber ? SmallVector<double>() : treeNumbers(n, "base_values");
  if (!x || n.failed())
    return {};
  std::optional<Forest> forest = byNumber ? readTreeEnsemble(n, targets) : readForest(n, "target_", targets);
  if (!forest)
    return {};
  if (!base.empty())
    checkLength(n, targets, "base_values", base.size());
  if (targets == 1 && transform != Transform::None && transform != Transform::Probit)
    n.refuse(Code::VariantUnsupported,
             "onnxruntime leaves this 'post_transform' of one target out; NONE and PROBIT are supported");
  if (forest->roots.empty())
    n.refuse(Code::AttributeMismatch, "there is no tree");
  ForestVotes votes = n.failed() ? ForestVotes() : runForest(n, b, *forest, x);
  if (!votes.weights)
    return {};
  Value scores = transformed(n, b, withBase(b, aggregate(b, votes, how), base), transform);
  return {byNumber ? b.cast(scores, elementOf(n.input(0))) : scores};
}

//===----------------------------------------------------------------------===//
// Classifiers
//===----------------------------------------------------------------------===//

// Two classes, with votes for only one of them. As in onnxruntime, a threshold on its score selects the class; if the
// votes are for class 0, the result is the complement of the score and the score.
static Values classifyByOne(OnnxNode &n, ForgeBuilder &b, const Forest &forest, Expr scores, Transform transform,
                            ArrayRef<double> base, ArrayRef<int64_t> labels) {
  bool votesForFirst = forest.leaves.front().front().target == 0;
  if (base.size() > (votesForFirst ? 1 : 0))
    return n.refuse(Code::VariantUnsupported,
                    "base values of two classes, one of which gets no vote, are not supported");
  if (votesForFirst && transform != Transform::None && transform != Transform::Logistic)
    return n.refuse(Code::VariantUnsupported,
                    "two classes, one of which gets no vote, are supported with a 'post_transform' "
                    "of NONE or LOGISTIC");
  bool isPositive = llvm::all_of(forest.leaves, [](ArrayRef<Forest::Vote> leaf) {
    return llvm::all_of(leaf, [](const Forest::Vote &vote) { return vote.weight >= 0; });
  });
  int64_t column = votesForFirst ? 0 : 1;
  Expr score(b, b.slice(scores, 1, column, column + 1));
  score = withBase(b, score, base);
  Value chosen = (score > (isPositive ? 0.5 : 0.0)).cast(b.getI32Type());
  Value label = labelsOf(n, b, chosen, labels);
  if (!votesForFirst)
    return {label, transformed(n, b, scores, transform)};
  Expr other = isPositive && transform == Transform::None ? 1.0 - score : -score;
  Expr both(b, b.concatenate({Value(other), Value(score)}, 1));
  return {label, transformed(n, b, both, transform)};
}

// Three or more classes: the largest score among classes that have votes or a base value.
static Values classifyByMost(OnnxNode &n, ForgeBuilder &b, const Forest &forest, const ForestVotes &votes, Expr scores,
                             Transform transform, ArrayRef<double> base, ArrayRef<int64_t> labels) {
  if (!base.empty())
    checkLength(n, labels.size(), "base_values", base.size());
  if (n.failed())
    return {};
  scores = withBase(b, scores, base);
  Expr ranked = scores;
  if (base.empty() && votes.voted && !llvm::all_of(forest.alwaysVoted, [](bool always) { return always; }))
    ranked = select(anyVote(b, votes) > 0.0, scores, -kInfinity);
  return {labelsOf(n, b, argMax(ranked, 1), labels), transformed(n, b, scores, transform)};
}

// Two classes that both have votes. onnxruntime's label is then not the class with the largest score, and its scores
// differ in rows without a vote for the second class: only scores are supported, if that class has a vote in every row.
static Values scoreTwo(OnnxNode &n, ForgeBuilder &b, const Forest &forest, Expr scores, Transform transform,
                       ArrayRef<double> base) {
  if (n.usesOutput(0))
    n.refuse(Code::VariantUnsupported, "two classes that both get votes: onnxruntime's label is not the top class; "
                                       "--extract-outputs compiles the scores alone, --fallback=cpu runs it there");
  else if (!forest.alwaysVoted[1])
    n.refuse(Code::VariantUnsupported, "two classes that both get votes, and rows without one for the second: "
                                       "onnxruntime's scores are then others; --fallback=cpu runs it there");
  else if (!base.empty())
    n.refuse(Code::VariantUnsupported, "base values of two classes that both get votes are not supported; "
                                       "--fallback=cpu runs it there");
  if (n.failed())
    return {};
  return {Value(), transformed(n, b, scores, transform)};
}

Values forge::convertTreeClassifier(OnnxNode &n, ForgeBuilder &b) {
  Value x = readRows(n, b);
  SmallVector<int64_t> labels = readLabels(n, "classlabels_int64s");
  Transform transform = readTransform(n, /*isNumber=*/false);
  SmallVector<double> base = treeNumbers(n, "base_values");
  if (!x || n.failed())
    return {};
  std::optional<Forest> forest = readForest(n, "class_", labels.size());
  if (!forest)
    return {};
  if (forest->roots.empty())
    return n.refuse(Code::AttributeMismatch, "there is no tree");
  int64_t first = forest->leaves.front().front().target;
  bool one = llvm::all_of(forest->leaves, [&](ArrayRef<Forest::Vote> leaf) {
    return llvm::all_of(leaf, [&](const Forest::Vote &vote) { return vote.target == first; });
  });
  ForestVotes votes = runForest(n, b, *forest, x);
  if (!votes.weights)
    return {};
  Expr scores = aggregate(b, votes, Aggregate::Sum);
  if (labels.size() == 2 && !one)
    return scoreTwo(n, b, *forest, scores, transform, base);
  return labels.size() == 2 ? classifyByOne(n, b, *forest, scores, transform, base, labels)
                            : classifyByMost(n, b, *forest, votes, scores, transform, base, labels);
}
