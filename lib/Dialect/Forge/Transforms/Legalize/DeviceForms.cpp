//===- DeviceForms.cpp - forms that the device's compiler accepts ---------===//

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEDEVICEFORMSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

static Value castTo(ImplicitLocOpBuilder &b, Value value, Type element) {
  if (tensorType(value).getElementType() == element)
    return value;
  return CastOp::create(b, value, element);
}

static Value reshapeTo(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value : ReshapeOp::create(b, value, shape);
}

// x * factor + offset. Both depend on weights alone in most models, so the device computes them once. In the 16-bit
// types the sum could lose most digits of two large terms: everything is f32 then, as it is in Batchnorm.
static Value form(BatchnormOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (type.getNumElements() == 0)
    return {};
  Type element = type.getElementType(), wide = element.isF64() ? element : b.getF32Type();
  auto widened = [&](Value value) { return castTo(b, value, wide); };
  auto scalar = RankedTensorType::get({}, wide);
  Value epsilon = ConstantOp::create(b, scalar, splatAttr(scalar, op.getEpsilon().convertToDouble()));
  Value deviation = SqrtOp::create(b, AddOp::create(b, widened(op.getRunningVar()), epsilon));
  Value factor = DivideOp::create(b, widened(op.getWeights()), deviation);
  Value shift = MultiplyOp::create(b, widened(op.getRunningMean()), factor);
  Value offset = SubtractOp::create(b, widened(op.getBias()), shift);
  SmallVector<int64_t> channels(type.getRank(), 1);
  channels[1] = type.getDimSize(1);
  Value scaled = MultiplyOp::create(b, widened(op.getOperandA()), reshapeTo(b, factor, channels));
  return castTo(b, AddOp::create(b, scaled, reshapeTo(b, offset, channels)), element);
}

static Value form(MatmulOp op, ImplicitLocOpBuilder &b) {
  Value left = op.getOperandA(), right = op.getOperandB();
  ArrayRef<int64_t> rightShape = shapeOf(right);
  int64_t rank = rightShape.size();
  if (rank < 2 || op.getType().getNumElements() == 0)
    return {};
  SmallVector<int64_t> shape(shapeOf(left)), batch(op.getType().getShape().drop_back(shape.size() == 1 ? 1 : 2));
  if (static_cast<int64_t>(shape.size()) < rank)
    shape.insert(shape.begin(), rank - shape.size(), 1);
  SmallVector<int64_t> repeats(shape.size(), 1);
  bool bothRepeat = false;
  for (auto [i, size] : llvm::enumerate(batch)) {
    int64_t fromEnd = batch.size() - i + 2;
    repeats[i] = size / shape[i];
    bothRepeat |= fromEnd > rank || rightShape[rank - fromEnd] != size;
  }
  bool leftRepeats = llvm::any_of(repeats, [](int64_t n) { return n != 1; });
  if (shape.size() == shapeOf(left).size() && !(leftRepeats && bothRepeat))
    return {};
  left = reshapeTo(b, left, shape);
  if (leftRepeats && bothRepeat)
    left = RepeatOp::create(b, left, repeats);
  // A vector became a matrix of one row, which the result does not have.
  Value product = reshapeTo(b, MatmulOp::create(b, left, right, Value()), op.getType().getShape());
  return op.getBias() ? AddOp::create(b, product, op.getBias()) : product;
}

// The value in the place of the op's result, null for an op that the device takes as it is.
static Value formOf(Operation *op, ImplicitLocOpBuilder &b) {
#define DEVICE_LIMIT(OpTy, limit, reason, replacement)                                                                 \
  if (auto limited = dyn_cast<OpTy>(op))                                                                               \
    return form(limited, b);
#include "Legalize/DeviceLimits.inc"
#undef DEVICE_LIMIT
  return {};
}

namespace {
struct ForgeDeviceFormsPass : forge::impl::ForgeDeviceFormsPassBase<ForgeDeviceFormsPass> {
  void runOnOperation() override {
    if (isHostFunction(getOperation()))
      return;
    getOperation().walk([](Operation *op) {
      ImplicitLocOpBuilder builder(unmarked(op->getLoc()), op);
      Value value = formOf(op, builder);
      if (!value)
        return;
      // The last op of the form makes what the op made.
      value.getDefiningOp()->setLoc(op->getLoc());
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    });
  }
};
} // namespace
