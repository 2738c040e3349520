//===- BatchNormalization.cpp - ONNX BatchNormalization -------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

Values forge::batchNormTraining(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<Value> statistics, double epsilon,
                                double momentum) {
  if (!checkFilled(n, x, 2))
    return {};
  for (Value value : statistics)
    if (!checkChannels(n, value, shapeOf(x)[1], "a statistic"))
      return {};
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> axes(
      llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [](int64_t axis) { return axis != 1; }));
  Type element = tensorType(x).getElementType(), kept = tensorType(statistics[2]).getElementType();
  Moments m = moments(b, b.cast(x, statisticsType(b, x)), axes);
  auto channels = [&](Value value) { return perChannel(b, b.cast(value, element), rank); };
  Value normal = b.cast(b.create<DivideOp>(m.centred, deviation(b, m.variance, epsilon)), element);
  Value y = b.create<AddOp>(b.create<MultiplyOp>(normal, channels(statistics[0])), channels(statistics[1]));
  auto running = [&](Value old, Value current) {
    current = b.cast(b.reshape(current, {shapeOf(x)[1]}), kept);
    return b.create<AddOp>(b.create<MultiplyOp>(old, b.scalarLike(old, momentum)),
                           b.create<MultiplyOp>(current, b.scalarLike(current, 1 - momentum)));
  };
  if (!y || !m.mean || !m.variance)
    return {};
  return {y, running(statistics[2], m.mean), running(statistics[3], m.variance)};
}

// BatchNormalization (since 1, 6, 7, 9, 14, 15) with running statistics, or with those of the batch in training mode.
Values forge::convertBatchNormalization(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("consumed_inputs");
  double momentum = n.floatAttr("momentum", 0.9); // Only for the update of the statistics in training.
  double epsilon = n.floatAttr("epsilon", 1e-5);
  Value x = n.input(0);
  Values scale;
  for (unsigned i : {1, 2, 3, 4})
    scale.push_back(n.input(i));
  if (n.since() < 7 && !n.flagAttr("is_test", false))
    n.refuse(Code::TrainingMode, "training mode (is_test = 0) is not supported");
  if (n.since() < 9 && !n.flagAttr("spatial", true))
    n.refuse(Code::AttributeUnsupported, "statistics per element (spatial = 0) are not supported");
  bool training = n.since() >= 14 && n.flagAttr("training_mode", false);
  if (n.failed())
    return {};
  if (training)
    return batchNormTraining(n, b, x, scale, epsilon, momentum);
  for (Value &statistic : scale)
    statistic = b.cast(statistic, tensorType(x).getElementType());
  return {b.create<BatchnormOp>(x, scale[0], scale[1], scale[2], scale[3], f32(epsilon))};
}
