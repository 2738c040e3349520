//===- DeviceForms.cpp - forms that the device's compiler accepts ---------===//

#include "Legalize/ChannelProduct.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

namespace {
/// A norm as x * factor + offset, of one element per channel. Both depend on weights alone in most models, so the
/// device computes them once.
struct ChannelForm {
  Value factor, offset;
};
} // namespace

// In `element`, in which also the product and the sum are computed.
static ChannelForm channelForm(BatchnormOp op, ImplicitLocOpBuilder &b, Type element) {
  auto scalar = RankedTensorType::get({}, element);
  Value epsilon = ConstantOp::create(b, scalar, splatAttr(scalar, op.getEpsilon().convertToDouble()));
  Value deviation = SqrtOp::create(b, AddOp::create(b, castTo(b, op.getRunningVar(), element), epsilon));
  Value factor = DivideOp::create(b, castTo(b, op.getWeights(), element), deviation);
  Value shift = MultiplyOp::create(b, castTo(b, op.getRunningMean(), element), factor);
  return {factor, SubtractOp::create(b, castTo(b, op.getBias(), element), shift)};
}

static bool isWeight(Value value) { return isa_and_nonnull<ParameterOp, ConstantOp>(value.getDefiningOp()); }

// `convolution` with the norm of its result in its weights, whose axis `axis` has the channels.
template <typename OpTy>
static Value foldedInto(OpTy convolution, int64_t axis, BatchnormOp norm, ImplicitLocOpBuilder &b) {
  ArrayRef<int64_t> channels = shapeOf(norm.getWeights());
  auto [factor, offset] = channelForm(norm, b, norm.getType().getElementType());
  SmallVector<int64_t> shape(4, 1);
  shape[axis] = channels[0];
  Value weights = MultiplyOp::create(b, convolution.getWeights(), reshapeTo(b, factor, shape));
  if (Value bias = convolution.getBias())
    offset = AddOp::create(b, MultiplyOp::create(b, reshapeTo(b, bias, channels), factor), offset);
  auto copy = cast<OpTy>(b.clone(*convolution));
  copy->setLoc(b.getLoc());
  copy.getWeightsMutable().assign(weights);
  copy.getBiasMutable().assign(offset);
  return copy;
}

// The convolution before the norm, with the norm in it; null where there is none, another op reads its result, or the
// products with its weights would be computed in each run. Products of 16-bit weights would be rounded.
static Value foldNorm(BatchnormOp norm, ImplicitLocOpBuilder &b) {
  Value x = norm.getOperandA();
  if (!x.hasOneUse() || !norm.getType().getElementType().isF32() ||
      !llvm::all_of(norm.getOperands().drop_front(), isWeight))
    return {};
  auto conv = x.getDefiningOp<Conv2dOp>();
  if (conv && !conv.getChannelLast() && isWeight(conv.getWeights()))
    return foldedInto(conv, 0, norm, b);
  auto transpose = x.getDefiningOp<Conv2dTransposeOp>();
  if (transpose && !transpose.getChannelLast() && transpose.getGroups() == 1 && isWeight(transpose.getWeights()))
    return foldedInto(transpose, 1, norm, b);
  return {};
}

// In the 16-bit types the sum could lose most digits of two large terms: it is computed in f32, as in Batchnorm.
static Value form(BatchnormOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (type.getNumElements() == 0)
    return {};
  if (Value folded = foldNorm(op, b))
    return folded;
  Type element = type.getElementType(), wide = element.isF64() ? element : b.getF32Type();
  auto [factor, offset] = channelForm(op, b, wide);
  SmallVector<int64_t> channels(type.getRank(), 1);
  channels[1] = type.getDimSize(1);
  Value scaled = MultiplyOp::create(b, castTo(b, op.getOperandA(), wide), reshapeTo(b, factor, channels));
  return castTo(b, AddOp::create(b, scaled, reshapeTo(b, offset, channels)), element);
}

static SmallVector<int64_t> withRank(ArrayRef<int64_t> shape, size_t rank) {
  SmallVector<int64_t> result(rank > shape.size() ? rank - shape.size() : 0, 1);
  llvm::append_range(result, shape);
  return result;
}

// `value` with its batches, all axes but the last two, repeated to `batches`.
static Value repeatTo(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> batches) {
  SmallVector<int64_t> repeats;
  for (auto [to, from] : llvm::zip_first(batches, shapeOf(value)))
    repeats.push_back(to / from);
  repeats.append(2, 1);
  return shapeOf(value).drop_back(2) == batches ? value : RepeatOp::create(b, value, repeats);
}

static Value form(MatmulOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  size_t leftRank = shapeOf(op.getOperandA()).size(), rightRank = shapeOf(op.getOperandB()).size();
  if (rightRank < 2 || (rightRank == 2 && leftRank >= 2) || type.getNumElements() == 0)
    return {};
  SmallVector<int64_t> left = withRank(shapeOf(op.getOperandA()), rightRank),
                       right = withRank(shapeOf(op.getOperandB()), leftRank), batches;
  for (auto [m, n] : llvm::zip_equal(ArrayRef(left).drop_back(2), ArrayRef(right).drop_back(2)))
    batches.push_back(std::max(m, n));
  // One side may be repeated as a whole.
  auto isWhole = [](ArrayRef<int64_t> side) {
    return llvm::all_of(side.drop_back(2), [](int64_t n) { return n == 1; });
  };
  bool isLegal = isWhole(left) || isWhole(right) || ArrayRef(left).drop_back(2) == ArrayRef(right).drop_back(2);
  if (leftRank == rightRank && isLegal)
    return {};
  Value a = reshapeTo(b, op.getOperandA(), left), c = reshapeTo(b, op.getOperandB(), right);
  if (!isLegal) {
    a = repeatTo(b, a, batches);
    c = repeatTo(b, c, batches);
  }
  // A vector became a matrix of one row, which the result does not have.
  Value product = reshapeTo(b, MatmulOp::create(b, a, c, Value()), type.getShape());
  return op.getBias() ? AddOp::create(b, product, op.getBias()) : product;
}

// A copy of `op` with operands that `change` gives, and the result type that follows.
static Value changed(Operation *op, ImplicitLocOpBuilder &b, Type type, llvm::function_ref<Value(Value)> change) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, change(operand));
  Operation *copy = b.clone(*op, mapping);
  copy->setLoc(b.getLoc());
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

template <typename OpTy>
static Value convolutionInFloat32(OpTy op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  if (!type.getElementType().isF16())
    return {};
  Type wide = b.getF32Type();
  Value result = changed(op, b, type.clone(wide), [&](Value value) { return castTo(b, value, wide); });
  return castTo(b, result, type.getElementType());
}

static Value form(Conv2dOp op, ImplicitLocOpBuilder &b) {
  Value product = channelProduct(op, b);
  return product ? product : convolutionInFloat32(op, b);
}

static Value form(Conv2dTransposeOp op, ImplicitLocOpBuilder &b) { return convolutionInFloat32(op, b); }

// Axis i of a result of `shape` becomes axis groups[i]: neighbours for which the same operands are repeated are one.
static SmallVector<size_t> axisGroups(ArrayRef<SmallVector<int64_t>> operands, ArrayRef<int64_t> shape) {
  SmallVector<size_t> groups;
  std::optional<size_t> last; // The last axis with more than one element; others belong to any group.
  auto alike = [&](size_t i, size_t j) {
    return llvm::all_of(operands,
                        [&](ArrayRef<int64_t> from) { return (from[i] == shape[i]) == (from[j] == shape[j]); });
  };
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t group = groups.empty() ? 0 : groups.back();
    if (shape[i] != 1) {
      group += last && !alike(i, *last);
      last = i;
    }
    groups.push_back(group);
  }
  return groups;
}

static SmallVector<int64_t> grouped(ArrayRef<int64_t> shape, ArrayRef<size_t> groups) {
  SmallVector<int64_t> result(groups.back() + 1, 1);
  for (auto [size, group] : llvm::zip_equal(shape, groups))
    result[group] *= size;
  return result;
}

// What broadcasts is told from other elementwise ops by its operands alone.
static Value form(TilePaddingOpInterface op, ImplicitLocOpBuilder &b) {
  bool isElementwise =
      llvm::is_contained({TilePaddingRow::Elementwise, TilePaddingRow::IntegerDivision}, op.getTilePaddingRow());
  if (!isElementwise || op->getNumOperands() < 2)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  size_t rank = type.getRank();
  if (rank <= kMostBroadcastAxes || type.getNumElements() == 0)
    return {};
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value operand : op->getOperands())
    shapes.push_back(withRank(shapeOf(operand), rank));
  if (llvm::all_of(shapes, [&](ArrayRef<int64_t> shape) { return shape == type.getShape(); }))
    return {};
  SmallVector<size_t> groups = axisGroups(shapes, type.getShape());
  if (groups.back() >= kMostBroadcastAxes)
    return {};
  auto reshape = [&](Value value) {
    bool isScalar = tensorType(value).getRank() == 0;
    return isScalar ? value : reshapeTo(b, value, grouped(withRank(shapeOf(value), rank), groups));
  };
  Value result = changed(op, b, type.clone(grouped(type.getShape(), groups)), reshape);
  return reshapeTo(b, result, type.getShape());
}

// The value in the place of the op's result, null for an op that the device takes as it is.
static Value formOf(Operation *op) {
#define DEVICE_LIMIT(OpTy, name, limit, reason, replacement)                                                           \
  if (auto limited = dyn_cast<OpTy>(op)) {                                                                             \
    ImplicitLocOpBuilder builder(withoutTrace(op->getLoc()), op);                                                      \
    return form(limited, builder);                                                                                     \
  }
#include "Legalize/DeviceLimits.inc"
#undef DEVICE_LIMIT
  return {};
}

namespace {
struct ForgeDeviceFormsPass : forge::impl::ForgeDeviceFormsPassBase<ForgeDeviceFormsPass>, ReportingPass {
  void runOnOperation() override {
    if (isHostFunction(getOperation()))
      return;
    getOperation().walk([&](Operation *op) {
      Value value = formOf(op);
      if (!value)
        return;
      did(RemarkPlace::of(op), op->getName().stripDialect(),
          "written in another form: the device's compiler refuses this one");
      // The last op of the form makes what the op made.
      value.getDefiningOp()->setLoc(op->getLoc());
      op->getResult(0).replaceAllUsesWith(value);
      Operation *producer = op->getOperand(0).getDefiningOp();
      op->erase();
      // A convolution that has a copy with a norm in its weights.
      if (producer && isOpTriviallyDead(producer))
        producer->erase();
    });
  }
};
} // namespace
