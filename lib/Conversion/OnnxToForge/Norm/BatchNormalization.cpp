//===- BatchNormalization.cpp - ONNX BatchNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

// BatchNormalization in training mode: uses the statistics of the batch, and updates the running ones. `statistics` are
// scale, bias, mean and variance.
static Values batchNormTraining(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<Value> statistics, double epsilon,
                                double momentum) {
  if (!checkFilled(n, x, 2))
    return {};
  for (Value value : statistics)
    if (!checkChannels(n, value, shapeOf(x)[1], "a statistic"))
      return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes = withoutAxis(allAxes(rank), 1);
  // In a 16-bit type, a scale that is given in f32, or the variance of the batch, could overflow.
  Type wide = statisticsType(b, x);
  Normalised norm = normalised(b, b.cast(x, wide), axes, epsilon);
  auto channels = [&](Value value) { return perChannel(b, b.cast(value, wide), rank); };
  Value y = b.cast(scaledAndShifted(b, norm.result, channels(statistics[0]), channels(statistics[1])), elementOf(x));
  auto running = [&](Value old, Value current) {
    Type kept = elementOf(old);
    current = b.reshape(current, {shapeOf(x)[1]});
    old = b.cast(old, wide);
    return b.cast(b.create<AddOp>(b.create<MultiplyOp>(old, b.scalarLike(old, momentum)),
                                  b.create<MultiplyOp>(current, b.scalarLike(current, 1 - momentum))),
                  kept);
  };
  if (!y || !norm.mean || !norm.variance)
    return {};
  return {y, running(statistics[2], norm.mean), running(statistics[3], norm.variance)};
}

// BatchNormalization (since 1, 6, 7, 9, 14, 15), with running statistics or in training mode.
Values forge::convertBatchNormalization(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double momentum = n.floatAttr("momentum", 0.9); // Used in training mode only.
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0);
  Values statistics{n.input(1), n.input(2), n.input(3), n.input(4)};
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse(Code::TrainingMode, "training mode (is_test = 0) is not supported");
  if (n.since() < 9 && !n.flagAttr("spatial", true))
    n.refuse(Code::AttributeUnsupported, "statistics per element (spatial = 0) are not supported");
  // In versions 7 and 9, outputs other than Y ask for training mode.
  bool training = n.since() >= 14 ? n.flagAttr("training_mode", false) : n.since() >= 7 && n.hasOutput(1);
  if (n.failed())
    return {};
  if (training)
    return batchNormTraining(n, b, x, statistics, epsilon, momentum);
  // In a 16-bit type, statistics that are given in f32 could overflow.
  Type element = elementOf(x);
  bool hasOneType = llvm::all_of(statistics, [&](Value value) { return elementOf(value) == element; });
  Type wide = hasOneType ? element : statisticsType(b, x);
  for (Value &statistic : statistics)
    statistic = b.cast(statistic, wide);
  Value result =
      b.create<BatchnormOp>(b.cast(x, wide), statistics[0], statistics[1], statistics[2], statistics[3], f32(epsilon));
  return {b.cast(result, element)};
}
