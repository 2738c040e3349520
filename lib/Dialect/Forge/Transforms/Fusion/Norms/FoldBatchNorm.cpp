//===- FoldBatchNorm.cpp - batch normalisation as a scale and a shift -----===//

#include "Fusion/Norms/FoldBatchNorm.h"

#include "Casts.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"

using namespace mlir;
using namespace forge;

Value forge::scaleAndShift(BatchnormOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (type.getNumElements() == 0)
    return {};
  Type element = type.getElementType(), wide = element.isF64() ? element : b.getF32Type();
  auto scalar = RankedTensorType::get({}, wide);
  Value epsilon = ConstantOp::create(b, scalar, splatAttr(scalar, op.getEpsilon().convertToDouble()));
  Value deviation = SqrtOp::create(b, AddOp::create(b, castTo(b, op.getRunningVar(), wide), epsilon));
  Value factor = DivideOp::create(b, castTo(b, op.getWeights(), wide), deviation);
  Value shift = MultiplyOp::create(b, castTo(b, op.getRunningMean(), wide), factor);
  Value offset = SubtractOp::create(b, castTo(b, op.getBias(), wide), shift);
  SmallVector<int64_t> channels(type.getRank(), 1);
  channels[1] = type.getDimSize(1);
  Value scaled = MultiplyOp::create(b, castTo(b, op.getOperandA(), wide), reshapeTo(b, factor, channels));
  return castTo(b, AddOp::create(b, scaled, reshapeTo(b, offset, channels)), element);
}
