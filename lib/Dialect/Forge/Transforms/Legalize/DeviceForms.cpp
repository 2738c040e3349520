//===- DeviceForms.cpp - forms that the device's compiler accepts ---------===//
//
// Replaces each op that the device's compiler refuses by ops that it accepts. DeviceLimits.inc is the table of such
// ops. For each row there is an overload of `replacement`, which returns the value that replaces the result of the op,
// or null if the device accepts the op.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Fusion/Decompositions.h"
#include "MixedTypes.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"

#define GEN_PASS_DEF_FORGEDEVICEFORMSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// The device's compiler refuses each batch normalisation. scaleAndShift() computes it by elementwise ops.
static Value replacement(BatchnormOp op, ImplicitLocOpBuilder &b) { return scaleAndShift(op, b); }

// Repeats `value` along its batch axes (all but the two trailing ones) so that they get the sizes `batches`. Axes whose
// size differs from that have size 1.
static Value repeatTo(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> batches) {
  SmallVector<int64_t> repeats;
  for (auto [to, from] : llvm::zip_first(batches, shapeOf(value)))
    repeats.push_back(to / from);
  repeats.append(2, 1);
  return shapeOf(value).drop_back(2) == batches ? value : RepeatOp::create(b, value, repeats);
}

// The left operand of `op` for a product without the bias. A bias in Float32 makes the result of 16-bit factors
// Float32. Without the bias, a factor in Float32 does.
static Value leftWithoutBias(MatmulOp op, ImplicitLocOpBuilder &b) {
  return hasTypeOfFactors(op) ? op.getOperandA() : castTo(b, op.getOperandA(), op.getType().getElementType());
}

// `product`, the result of `op` without the bias, in the shape of the result, and the bias added.
static Value resultOf(Value product, MatmulOp op, ImplicitLocOpBuilder &b) {
  product = reshaped(b, product, op.getType().getShape());
  return op.getBias() ? AddOp::create(b, product, op.getBias()) : product;
}

// The replacement has other operands than `op`, and adds the bias to the result. It replaces:
// - A right operand of rank 1, by a matrix of one column. With it, the result has an axis less than the left operand,
//   and Forge may then remove an axis of that operand, too. The device's compiler, which merges products of one left
//   operand by concatenating the columns of the right ones, fails. (--forge-legalize-types refuses the product of two
//   vectors, which has rank 0.)
// - Operands of different ranks, by operands of equal rank. Accepted is a left operand of rank 2 or more with a matrix.
// - Operands with different batch axes, by repeated ones, unless all batch axes of one operand have size 1.
// Products with operands without elements remain, because forge.reshape does not accept such operands.
static Value replacement(MatmulOp op, ImplicitLocOpBuilder &b) {
  size_t leftRank = shapeOf(op.getOperandA()).size(), rightRank = shapeOf(op.getOperandB()).size();
  bool isEmpty =
      tensorType(op.getOperandA()).getNumElements() == 0 || tensorType(op.getOperandB()).getNumElements() == 0;
  if ((rightRank == 2 && leftRank >= 2) || op.getType().getRank() == 0 || isEmpty)
    return {};
  if (rightRank == 1) {
    Value column = reshaped(b, op.getOperandB(), {shapeOf(op.getOperandB())[0], 1});
    return resultOf(MatmulOp::create(b, leftWithoutBias(op, b), column, /*bias=*/Value()), op, b);
  }
  SmallVector<int64_t> leftShape = withRank(shapeOf(op.getOperandA()), rightRank),
                       rightShape = withRank(shapeOf(op.getOperandB()), leftRank), batches;
  ArrayRef<int64_t> leftBatches = ArrayRef(leftShape).drop_back(2), rightBatches = ArrayRef(rightShape).drop_back(2);
  for (auto [leftSize, rightSize] : llvm::zip_equal(leftBatches, rightBatches))
    batches.push_back(std::max(leftSize, rightSize));
  // The device broadcasts an operand whose batch axes all have size 1.
  auto isOne = [](int64_t size) { return size == 1; };
  bool broadcasts =
      leftBatches == rightBatches || llvm::all_of(leftBatches, isOne) || llvm::all_of(rightBatches, isOne);
  if (leftRank == rightRank && broadcasts)
    return {};
  Value left = reshaped(b, leftWithoutBias(op, b), leftShape);
  Value right = reshaped(b, op.getOperandB(), rightShape);
  if (!broadcasts) {
    left = repeatTo(b, left, batches);
    right = repeatTo(b, right, batches);
  }
  // A left operand of rank 1 became a matrix, so that the product has an axis of size 1 that the result has not.
  return resultOf(MatmulOp::create(b, left, right, /*bias=*/Value()), op, b);
}

// Clones `op` with `change` applied to its operands, once to each value, and with a result of `type`.
static Value cloneWith(Operation *op, ImplicitLocOpBuilder &b, Type type, llvm::function_ref<Value(Value)> change) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, change(operand));
  Operation *copy = b.clone(*op, mapping);
  copy->setLoc(b.getLoc());
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

// The convolution `op` in Float32 between casts, if it is in float16, which the device's compiler does not accept; else
// null.
static Value convolutionInFloat32(Operation *op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  if (!type.getElementType().isF16())
    return {};
  Type wide = b.getF32Type();
  Value result = cloneWith(op, b, type.clone(wide), [&](Value value) { return castTo(b, value, wide); });
  return castTo(b, result, type.getElementType());
}

// A depthwise 1x1 convolution is a product per channel; the device's compiler refuses it in any format.
static Value replacement(Conv2dOp op, ImplicitLocOpBuilder &b) {
  Value product = channelProduct(op, b);
  return product ? product : convolutionInFloat32(op, b);
}

// Whether the device's compiler refuses these depends on neighbouring ops, which later passes change.
// --forge-isolate-outputs replaces them.
static Value replacement(ReshapeOp, ImplicitLocOpBuilder &) { return {}; }
static Value replacement(ReduceSumOp, ImplicitLocOpBuilder &) { return {}; }

// Forge computes the logarithm of the softmax, which may be 0 where the result is finite. In 16 bits, only the result
// is rounded, as by a single call. Many axes are merged to three: the device does not broadcast more than six, and
// reductions have a `dim` from -4 to 3. An operand without elements has no maximum.
static Value replacement(LogSoftmaxOp op, ImplicitLocOpBuilder &b) {
  RankedTensorType type = op.getType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = shape.size(), axis = fromFront(op.getDim(), rank), dim = 1;
  if (type.getNumElements() == 0)
    return {};
  Value x = castTo(b, op.getOperandA(), b.getF32Type());
  if (shape.size() > kMostBroadcastAxes) {
    int64_t leading = llvm::product_of(shape.take_front(axis), int64_t(1));
    x = reshaped(b, x, {leading, shape[axis], type.getNumElements() / (leading * shape[axis])});
  } else {
    dim = *reductionDim(axis, rank);
  }
  Value shifted = SubtractOp::create(b, x, ReduceMaxOp::create(b, x, dim, /*keep_dim=*/true));
  Value sum = ReduceSumOp::create(b, ExpOp::create(b, shifted), dim, /*keep_dim=*/true);
  Value result = reshaped(b, SubtractOp::create(b, shifted, LogOp::create(b, sum)), shape);
  return castTo(b, result, type.getElementType());
}

static Value replacement(Conv2dTransposeOp op, ImplicitLocOpBuilder &b) { return convolutionInFloat32(op, b); }

// Groups neighbouring axes of a result of `shape` along which the same operands, whose shapes are `operands`, are
// broadcast, so that each group can be merged into one axis. Axis i belongs to group result[i]. For [2, 3, 4, 5], the
// sum of [2, 3, 4, 5] and [1, 1, 4, 5], the groups are [0, 0, 1, 1]: only the second operand is broadcast, along axes
// 0 and 1.
static SmallVector<size_t> axisGroups(ArrayRef<SmallVector<int64_t>> operands, ArrayRef<int64_t> shape) {
  SmallVector<size_t> groups;
  std::optional<size_t> last; // The last axis with more than one element; others belong to any group.
  auto areSameBroadcast = [&](size_t i, size_t j) {
    return llvm::all_of(operands,
                        [&](ArrayRef<int64_t> from) { return (from[i] == shape[i]) == (from[j] == shape[j]); });
  };
  size_t group = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) {
      if (last && !areSameBroadcast(*last, i))
        ++group;
      last = i;
    }
    groups.push_back(group);
  }
  return groups;
}

// Merges the axes of `shape` by `groups`, the result of axisGroups: with [0, 0, 1, 1], [2, 3, 4, 5] becomes [6, 20].
static SmallVector<int64_t> mergeAxes(ArrayRef<int64_t> shape, ArrayRef<size_t> groups) {
  SmallVector<int64_t> result(groups.back() + 1, 1);
  for (auto [size, group] : llvm::zip_equal(shape, groups))
    result[group] *= size;
  return result;
}

// An elementwise op that broadcasts at a higher rank than the device does, with neighbouring axes merged along which
// the same operands are broadcast. Null for others, and if too many axes remain: the op is then unchanged. There is no
// interface of elementwise ops, so that the function is called for all ops with tile padding.
static Value replacement(TilePaddingOpInterface op, ImplicitLocOpBuilder &b) {
  if (!isElementwise(op) || op->getNumOperands() < 2)
    return {};
  RankedTensorType type = tensorType(op->getResult(0));
  size_t rank = type.getRank();
  if (rank <= kMostBroadcastAxes || type.getNumElements() == 0)
    return {};
  auto shapes = llvm::map_to_vector(op->getOperands(), [&](Value x) { return withRank(shapeOf(x), rank); });
  if (llvm::all_of(shapes, [&](ArrayRef<int64_t> shape) { return shape == type.getShape(); }))
    return {};
  SmallVector<size_t> groups = axisGroups(shapes, type.getShape());
  if (groups.back() >= kMostBroadcastAxes)
    return {};
  auto reshape = [&](Value value) {
    bool isScalar = tensorType(value).getRank() == 0;
    return isScalar ? value : reshaped(b, value, mergeAxes(withRank(shapeOf(value), rank), groups));
  };
  Value result = cloneWith(op, b, type.clone(mergeAxes(type.getShape(), groups)), reshape);
  return reshaped(b, result, type.getShape());
}

// The value that replaces the result of `op`, by the overload for its row of the table; null if there is no row, or the
// device accepts the op.
static Value replacementOf(Operation *op) {
#define DEVICE_LIMIT(OpTy, ...)                                                                                        \
  if (auto limited = dyn_cast<OpTy>(op)) {                                                                             \
    ImplicitLocOpBuilder builder(withoutTrace(op->getLoc()), op);                                                      \
    return replacement(limited, builder);                                                                              \
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
    getOperation().getBody().walk([&](Operation *op) { replace(op); });
  }

private:
  // Replaces `op` if the device's compiler refuses it, and then the new ops that it refuses, too: at rank 7, the
  // addition of a bias is a broadcast of too many axes.
  void replace(Operation *op) {
    Operation *previous = op->getPrevNode();
    Value value = replacementOf(op);
    if (!value)
      return;
    recordRewrite(RemarkPlace::of(op), op->getName().stripDialect(),
                  "written in another form: the device's compiler refuses this one");
    // The last op of the replacement computes the ONNX value of `op`, and gets its location with the trace.
    value.getDefiningOp()->setLoc(op->getLoc());
    op->getResult(0).replaceAllUsesWith(value);
    Block::iterator firstNew = previous ? std::next(previous->getIterator()) : op->getBlock()->begin();
    auto newOps = llvm::to_vector(llvm::make_pointer_range(llvm::make_range(firstNew, op->getIterator())));
    op->erase();
    llvm::for_each(newOps, [&](Operation *newOp) { replace(newOp); });
  }
};
} // namespace
