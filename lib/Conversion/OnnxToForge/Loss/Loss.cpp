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

namespace {
// The attributes of a loss.
struct Options {
  StringRef reduction;
  std::optional<int64_t> ignored; // ignore_index
};
} // namespace

static FailureOr<Options> readOptions(OnnxNode &n, Value logs, Value labels, Value weights) {
  Options o;
  o.reduction = n.choiceAttr("reduction", {"mean", "sum", "none"});
  if (n.hasAttr("ignore_index"))
    o.ignored = n.intAttr("ignore_index", 0);
  if (n.failed())
    return failure();
  SmallVector<int64_t> shape(shapeOf(logs));
  if (shape.size() < 2 || llvm::is_contained(shape, 0) || !isa<IntegerType>(elementOf(labels)))
    return n.refuse(Code::RankWrong,
                    "the scores must have rank 2 or more and no empty axis, and the labels be integers");
  if (shapeOf(labels) != ArrayRef(withoutAxis(shape, 1)) ||
      (weights && (rankOf(weights) != 1 || shapeOf(weights)[0] != shape[1])))
    return n.refuse(Code::ShapeMismatch, "the labels or weights do not fit the scores");
  return o;
}

static Value reduced(ForgeBuilder &b, Value loss, Value factors, StringRef reduction) {
  if (reduction == "none" || !loss)
    return loss;
  Value sum = sumAll(b, loss);
  if (reduction == "sum")
    return sum;
  Value count = factors ? sumAll(b, factors) : b.scalarLike(loss, numElements(loss));
  return b.create<DivideOp>(sum, count);
}

// NegativeLogLikelihoodLoss: minus the log probability of each label's class, weighted and reduced. The class is
// selected with a Where and a sum, which is exact even if other classes are infinite or NaN.
static Value likelihoodLoss(OnnxNode &n, ForgeBuilder &b, Value logs, Value labels, Value weights) {
  FailureOr<Options> o = readOptions(n, logs, labels, weights);
  if (failed(o))
    return {};
  SmallVector<int64_t> column(shapeOf(logs)), perClass(column.size(), 1);
  perClass[1] = std::exchange(column[1], 1);
  Value isLabel =
      b.compare<EqualOp>(b.reshape(labels, column), b.iota(perClass[1], 1, column.size(), elementOf(labels)));
  Value zero = b.scalarLike(logs, 0);
  auto pick = [&](Value x) {
    return b.reduce<ReduceSumOp>(b.create<WhereOp>(isLabel, x, zero), {1}, /*keepDims=*/false);
  };
  Value loss = b.create<MultiplyOp>(pick(logs), b.scalarLike(logs, -1)), factors;
  if (weights)
    factors = pick(b.reshape(weights, perClass));
  if (o->ignored) {
    Value isIgnored = b.compare<EqualOp>(labels, b.scalarLike(labels, *o->ignored));
    Value kept = factors ? factors : b.splat(tensorType(logs).clone(shapeOf(labels)), 1);
    factors = b.create<WhereOp>(isIgnored, zero, kept);
    loss = b.create<WhereOp>(isIgnored, zero, loss);
  }
  if (factors)
    loss = b.create<MultiplyOp>(loss, factors);
  return reduced(b, loss, factors, o->reduction);
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
