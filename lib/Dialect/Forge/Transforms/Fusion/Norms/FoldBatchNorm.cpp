//===- FoldBatchNorm.cpp - batch normalisation as a scale and a shift -----===//
//
// Called by --forge-device-forms. --forge-fold-weights then folds scale and shift into the convolution that computes x.
//
//     (x - mean) / deviation * weights + bias  =  x * scale + shift,
//     deviation = sqrt(variance + epsilon), scale = weights / deviation, shift = bias - mean * scale
//
// If `bias` and `mean * scale` are both infinite, the shift is NaN, where ONNX may have an infinity. Therefore it is
// computed only from weights, which are assumed to be finite; constants have to be of ordinary size
// (keepsWeightsFinite, isOrdinaryAddend). Otherwise the result is (x - mean) * scale + bias. Without an epsilon the
// deviation may be 0, and the scale infinite: then it is (x - mean) / deviation * weights + bias, as in ONNX.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Decompositions.h"
#include "Fusion/Scaling.h"

using namespace mlir;
using namespace forge;

Value forge::scaleAndShift(BatchnormOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (type.getNumElements() == 0)
    return {};
  Type element = type.getElementType(), wide = element.isF64() ? element : b.getF32Type();
  Value epsilon = scalarOf(b, wide, op.getEpsilon().convertToDouble());
  Value deviation = SqrtOp::create(b, AddOp::create(b, castTo(b, op.getRunningVar(), wide), epsilon));
  Value scale = castTo(b, op.getWeights(), wide);
  bool hasEpsilon = !op.getEpsilon().isZero();
  if (hasEpsilon)
    scale = DivideOp::create(b, scale, deviation);
  Value mean = castTo(b, op.getRunningMean(), wide), shift = castTo(b, op.getBias(), wide);
  Value x = castTo(b, op.getOperandA(), wide);
  SmallVector<int64_t> channels(type.getRank(), 1);
  channels[1] = type.getDimSize(1);
  auto perChannel = [&](Value value) { return reshaped(b, value, channels); };
  bool isShiftFinite = llvm::all_of(op->getOperands().drop_front(), isWeight) && keepsWeightsFinite(op.getWeights()) &&
                       isOrdinaryAddend(op.getRunningMean());
  if (hasEpsilon && isShiftFinite)
    shift = SubtractOp::create(b, shift, MultiplyOp::create(b, mean, scale));
  else
    x = SubtractOp::create(b, x, perChannel(mean));
  if (!hasEpsilon)
    x = DivideOp::create(b, x, perChannel(deviation));
  Value scaled = MultiplyOp::create(b, x, perChannel(scale));
  return castTo(b, AddOp::create(b, scaled, perChannel(shift)), element);
}
