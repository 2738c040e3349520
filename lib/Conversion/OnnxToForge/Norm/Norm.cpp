//===- Norm.cpp - ONNX normalisations -------------------------------------===//

#include "Norm.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

Moments forge::moments(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes) {
  auto mean = [&](Value value) { return b.reduce<ReduceAvgOp>(value, axes, /*keepDims=*/true); };
  Moments result;
  result.mean = mean(x);
  result.centred = b.create<SubtractOp>(x, result.mean);
  result.variance = mean(b.create<MultiplyOp>(result.centred, result.centred));
  return result;
}

// sqrt(variance + epsilon).
static Value deviation(ForgeBuilder &b, Value variance, double epsilon) {
  return b.create<SqrtOp>(b.create<AddOp>(variance, b.scalarLike(variance, epsilon)));
}

Normalised forge::normalised(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes, double epsilon) {
  Moments m = moments(b, x, axes);
  Value root = deviation(b, m.variance, epsilon);
  return {b.create<DivideOp>(m.centred, root), root, m.mean, m.variance};
}

Normalised forge::rmsNormalised(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes, double epsilon) {
  Value root = deviation(b, b.reduce<ReduceAvgOp>(b.create<MultiplyOp>(x, x), axes, /*keepDims=*/true), epsilon);
  return {b.create<DivideOp>(x, root), root, {}, {}};
}

Value forge::scaledAndShifted(ForgeBuilder &b, Value x, Value scale, Value bias) {
  Value scaled = b.create<MultiplyOp>(x, scale);
  return bias ? b.create<AddOp>(scaled, bias) : scaled;
}

Value forge::reciprocal(ForgeBuilder &b, Value x) { return b.create<DivideOp>(b.scalarLike(x, 1), x); }

Value forge::perChannel(ForgeBuilder &b, Value value, int64_t rank) {
  return value ? b.reshape(value, sizesAlong(rank, 1, numElements(value))) : Value();
}

bool forge::checkChannels(OnnxNode &n, Value value, int64_t count, StringRef what) {
  if (shapeOf(value) == ArrayRef(count))
    return true;
  return n.refuse(Code::ShapeMismatch, what + " must have " + Twine(count) + " elements");
}

bool forge::checkFilled(OnnxNode &n, Value x, int64_t minimumRank) {
  if (rankOf(x) >= minimumRank && numElements(x) != 0)
    return true;
  return n.refuse(Code::RankWrong, "the operand must have rank " + Twine(minimumRank) + " or more and no empty axis");
}

bool forge::broadcastsTo(Value value, ArrayRef<int64_t> shape) {
  auto target = Inference{std::nullopt, ""}.broadcastShapes(shape, shapeOf(value));
  return succeeded(target) && ArrayRef(*target) == shape;
}

bool forge::checkBroadcasts(OnnxNode &n, Value value, Value x) {
  if (broadcastsTo(value, shapeOf(x)))
    return true;
  return n.refuse(Code::ShapeMismatch, "scale or bias does not broadcast to the operand");
}

Type forge::stashType(OnnxNode &n, Value x) {
  Type own = elementOf(x), type = n.floatTypeAttr("stash_type", 1);
  if (!isa<FloatType>(own))
    n.refuse(Code::IntegersUnsupported, "integers have no norm");
  if (n.failed())
    return {};
  // stash_type only widens: its default must not narrow f64 operands.
  return own.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth() ? own : type;
}

Type forge::statisticsType(ForgeBuilder &b, Value x) {
  Type own = elementOf(x);
  return own.isF16() || own.isBF16() ? b.getF32Type() : own;
}

SmallVector<int64_t> forge::axesFromAttr(OnnxNode &n, Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(n.axisAttr(x, -1), rankOf(x)));
}

void forge::registerNormOps(OnnxRegistry &registry) {
  registry.add({
      {"BatchNormalization", {1, 6, 7, 9, 14, 15}, convertBatchNormalization},
      {"LayerNormalization", {1, 17}, convertLayerNormalization},
      {"InstanceNormalization", {1, 6, 22}, convertInstanceNormalization},
      {"GroupNormalization", {18, 21}, convertGroupNormalization},
      {"RMSNormalization", {23}, convertRMSNormalization},
      {"SimplifiedLayerNormalization", {1}, convertRMSNormalization},
      {"LpNormalization", {1, 22}, convertLpNormalization},
      {"MeanVarianceNormalization", {9, 13}, convertMeanVarianceNormalization},
      {"LRN", {1, 13}, convertLRN},
      {"Softmax", {1, 11, 13}, convertSoftmax},
      {"LogSoftmax", {1, 11, 13}, convertLogSoftmax},
  });
  registry.add({{"Scaler", {1}, convertScaler}}, "ai.onnx.ml");
}
