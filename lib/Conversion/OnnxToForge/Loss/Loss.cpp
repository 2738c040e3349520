//===- Loss.cpp - ONNX losses over class labels ---------------------------===//

#include "../Norm/Norm.h"
#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

static Value sumAll(ForgeBuilder &b, Value x) {
  if (!x)
    return {};
  return b.reduce<ReduceSumOp>(b.reshape(x, {numElements(x)}), {0}, /*keepDims=*/false);
}

// NegativeLogLikelihoodLoss: minus the log probability of each label's class, weighted and reduced. The class is
// selected with a Where and a sum, which is exact even if other classes are infinite or NaN.
static Value likelihoodLoss(OnnxNode &n, ForgeBuilder &b, Value logs, Value labels, Value weights) {
  StringRef reduction = n.choiceAttr("reduction", {"mean", "sum", "none"});
  std::optional<int64_t> ignored;
  if (n.hasAttr("ignore_index"))
    ignored = n.intAttr("ignore_index");
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(logs));
  int64_t rank = shape.size();
  if (rank < 2 || llvm::is_contained(shape, 0) || !isa<IntegerType>(elementOf(labels)))
    return n.refuse(Code::RankWrong,
                    "the scores must have rank 2 or more and no empty axis, and the labels be integers");
  if (shapeOf(labels) != ArrayRef(withoutAxis(shape, 1)) || (weights && shapeOf(weights) != ArrayRef{shape[1]}))
    return n.refuse(Code::ShapeMismatch, "the labels or weights do not fit the scores");
  Value classes = b.iota(shape[1], 1, rank, elementOf(labels));
  Value isLabel = b.compare<EqualOp>(b.reshape(labels, withSize(shape, 1, 1)), classes);
  Value zero = b.scalarLike(logs, 0);
  auto pick = [&](Value x) {
    return b.reduce<ReduceSumOp>(b.create<WhereOp>(isLabel, x, zero), {1}, /*keepDims=*/false);
  };
  Value loss = b.create<MultiplyOp>(pick(logs), b.scalarLike(logs, -1)), factors;
  if (weights)
    factors = pick(b.reshape(weights, sizesAlong(rank, 1, shape[1])));
  // Otherwise no label has the number.
  if (ignored && llvm::isIntN(elementOf(labels).getIntOrFloatBitWidth(), *ignored)) {
    Value isIgnored = b.compare<EqualOp>(labels, b.scalarLike(labels, *ignored));
    Value kept = factors ? factors : b.splat(tensorType(logs).clone(shapeOf(labels)), 1);
    factors = b.create<WhereOp>(isIgnored, zero, kept);
    loss = b.create<WhereOp>(isIgnored, zero, loss);
  }
  if (factors)
    loss = b.create<MultiplyOp>(loss, factors);
  if (reduction == "none" || !loss)
    return loss;
  // The sum of 16-bit floats that a mean divides may overflow.
  Type element = elementOf(loss), wide = statisticsType(b, loss);
  Value sum = sumAll(b, b.cast(loss, wide));
  if (reduction == "mean")
    sum = b.create<DivideOp>(sum, factors ? sumAll(b, b.cast(factors, wide)) : b.scalarLike(sum, numElements(loss)));
  return b.cast(sum, element);
}

static Values convertNegativeLogLikelihoodLoss(OnnxNode &n, ForgeBuilder &b) {
  Value logs = n.input(0), labels = n.input(1), weights = n.optionalInput(2);
  return {n.failed() ? Value() : likelihoodLoss(n, b, logs, labels, weights)};
}

// SoftmaxCrossEntropyLoss (since 12, 13): NegativeLogLikelihoodLoss of logsoftmax along axis 1.
static Values convertSoftmaxCrossEntropyLoss(OnnxNode &n, ForgeBuilder &b) {
  Value scores = n.input(0), labels = n.input(1), weights = n.optionalInput(2);
  if (n.failed())
    return {};
  int64_t rank = rankOf(scores);
  if (rank < 2)
    return n.refuse(Code::RankWrong, "the scores must have rank 2 or more");
  Value logs = logSoftmax(n, b, scores, 1 - rank);
  return {logs ? likelihoodLoss(n, b, logs, labels, weights) : Value(), logs};
}

void forge::registerLossOps(OnnxRegistry &registry) {
  registry.add({
      {"NegativeLogLikelihoodLoss", {12, 13, 22}, convertNegativeLogLikelihoodLoss},
      {"SoftmaxCrossEntropyLoss", {12, 13}, convertSoftmaxCrossEntropyLoss},
  });
}
