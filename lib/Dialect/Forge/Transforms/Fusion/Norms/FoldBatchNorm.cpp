//===- FoldBatchNorm.cpp - batch normalisation as a scale and a shift -----===//
//
// Called by --forge-device-forms. --forge-fold-weights folds the result into the convolution.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Fusion/Decompositions.h"

using namespace mlir;
using namespace forge;

Value forge::scaleAndShift(BatchnormOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (type.getNumElements() == 0)
    return {};
  Type element = type.getElementType(), wide = element.isF64() ? element : b.getF32Type();
  Value epsilon = scalarOf(b, wide, op.getEpsilon().convertToDouble());
  Value deviation = SqrtOp::create(b, AddOp::create(b, castTo(b, op.getRunningVar(), wide), epsilon));
  Value scale = DivideOp::create(b, castTo(b, op.getWeights(), wide), deviation);
  Value scaledMean = MultiplyOp::create(b, castTo(b, op.getRunningMean(), wide), scale);
  Value shift = SubtractOp::create(b, castTo(b, op.getBias(), wide), scaledMean);
  SmallVector<int64_t> channels(type.getRank(), 1);
  channels[1] = type.getDimSize(1);
  Value scaled = MultiplyOp::create(b, castTo(b, op.getOperandA(), wide), reshaped(b, scale, channels));
  return castTo(b, AddOp::create(b, scaled, reshaped(b, shift, channels)), element);
}
