//===- IsolateOutputs.cpp - identities that Forge needs -------------------===//
//
// Inserts identities, so that each output has a call of its own, and Forge does not fuse ops into others with another
// result. They cost the device nothing: Forge removes them after the passes for which they are needed.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Requirements.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

#define GEN_PASS_DEF_FORGEISOLATEOUTPUTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Whether Forge makes the addend of `sum`, conv2d(x, W) + addend, the bias of the convolution, although it is none.
// Forge does so if the convolution is the first operand, has no bias and no other user, and the addend is broadcast.
// The addend is a bias if it has one element per channel, and the convolution, the addend and the sum have one type.
static bool isAddendTakenForBias(AddOp sum) {
  auto conv = sum.getOperandA().getDefiningOp<Conv2dOp>();
  SmallVector<int64_t> addend = withRank(shapeOf(sum.getOperandB()), sum.getType().getRank());
  if (!conv || conv.getBias() || !conv->hasOneUse() || ArrayRef(addend) == sum.getType().getShape())
    return false;
  SmallVector<int64_t> biasShape(conv.getType().getRank(), 1);
  biasShape[conv.getChannelLast() ? 3 : 1] = shapeOf(conv.getWeights())[0];
  bool isBias = addend == biasShape && sum.getType() == conv.getType() &&
                sum.getType().getElementType() == tensorType(sum.getOperandB()).getElementType();
  return !isBias;
}

// Whether Forge may move slices of one element along the axis `dim` before `reshape`, which adds an axis. Forge makes
// them slices of the axis that is split in two. That is right for the first of the two axes: if [6, 4] becomes
// [2, 3, 4], [i:i+1] is [3i:3i+3] of the operand. It is right for the second one if the first one has size 1. If no
// axis is split, Forge does not move slices.
static bool mayMoveSlicesBefore(ReshapeOp reshape, int64_t dim) {
  ArrayRef<int64_t> from = shapeOf(reshape.getOperandA()), to = reshape.getType().getShape();
  // Leading axes that are equal are not split.
  int64_t axis = std::mismatch(from.begin(), from.end(), to.begin()).first - from.begin();
  bool splitsAxis = axis < int64_t(from.size()) && to[axis] * to[axis + 1] == from[axis];
  return !splitsAxis || dim == axis || (dim == axis + 1 && to[axis] == 1);
}

// The axis, from the front, along which all users of `reshape` are slices of one element, as many as it has; else none.
static std::optional<int64_t> axisOfSlices(ReshapeOp reshape) {
  std::optional<int64_t> axis;
  int64_t count = 0;
  for (Operation *user : reshape->getUsers()) {
    auto slice = dyn_cast<IndexOp>(user);
    if (!slice || slice.getStop() - slice.getStart() != 1 || slice.getStride() != 1)
      return std::nullopt;
    int64_t dim = fromFront(slice.getDim(), reshape.getType().getRank());
    if (axis.value_or(dim) != dim)
      return std::nullopt;
    axis = dim;
    ++count;
  }
  return axis && count == shapeOf(reshape)[*axis] ? axis : std::nullopt;
}

// Whether Forge moves slices of the result of `reshape` before it although it may not, or crashes. Forge looks for a
// reshape that adds an axis, and has slices of one element as users (axisOfSlices). It moves these if the only user of
// each is a reshape that removes an axis, and crashes if the only user of one is an output.
static bool areSlicesMovedWrongly(ReshapeOp reshape) {
  int64_t rank = reshape.getType().getRank();
  bool addsAxis = tensorType(reshape.getOperandA()).getRank() + 1 == rank;
  std::optional<int64_t> axis = addsAxis ? axisOfSlices(reshape) : std::nullopt;
  if (!axis)
    return false;
  auto onlyUserOf = [](Operation *slice) { return slice->hasOneUse() ? *slice->user_begin() : nullptr; };
  auto isOutput = [&](Operation *slice) { return isa_and_nonnull<func::ReturnOp>(onlyUserOf(slice)); };
  auto isReshaped = [&](Operation *slice) {
    auto removal = dyn_cast_or_null<ReshapeOp>(onlyUserOf(slice));
    return removal && removal.getType().getRank() + 1 == rank;
  };
  return llvm::any_of(reshape->getUsers(), isOutput) ||
         (llvm::all_of(reshape->getUsers(), isReshaped) && !mayMoveSlicesBefore(reshape, *axis));
}

// Whether Forge replaces `op` by other calls before it removes identities. It keeps elementwise ops, identities, and
// reshapes that do more than add or remove leading axes of size 1.
static bool isReplaced(Operation *op) {
  if (!isPrintedAsCall(op) || isElementwise(op) || isa<IdentityOp>(op))
    return false;
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return true;
  ArrayRef<int64_t> from = shapeOf(reshape.getOperandA()), to = reshape.getType().getShape();
  return withRank(from, to.size()) == withRank(to, from.size());
}

// If Forge replaces an operand, it removes leading axes of it until its rank is that of the user's result. A reduction
// of the operand then has another result, or Forge crashes.
static bool losesAxis(Operation *op) {
  return isa<ReduceSumOp, ReduceAvgOp, ReduceMaxOp, ArgmaxOp>(op) && isReplaced(op->getOperand(0).getDefiningOp()) &&
         tensorType(op->getResult(0)).getRank() < tensorType(op->getOperand(0)).getRank();
}

// What computes weights is evaluated when the weights file is written, and Forge does not see it.
Value forge::valueToIsolate(Operation *op, const ComputedWeights &weights) {
  if (weights.contains(op))
    return {};
  if (auto sum = dyn_cast<AddOp>(op); sum && isAddendTakenForBias(sum))
    return sum.getOperandA();
  if (losesAxis(op) && !weights.contains(op->getOperand(0).getDefiningOp()))
    return op->getOperand(0);
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && areSlicesMovedWrongly(reshape) ? reshape.getResult() : Value();
}

namespace {
struct ForgeIsolateOutputsPass : forge::impl::ForgeIsolateOutputsPassBase<ForgeIsolateOutputsPass>, ReportingPass {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    getOperation().walk([&](func::ReturnOp terminator) { isolateOutputs(terminator); });
    ComputedWeights weights(getOperation().front()); // Identities do not change these.
    // Outputs have their calls by now, on which it depends what Forge fuses.
    getOperation().walk([&](Operation *op) {
      Value value = valueToIsolate(op, weights);
      if (!value)
        return;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfterValue(value);
      Value identity = identityOf(builder, withoutTrace(value.getLoc()), value);
      value.replaceAllUsesExcept(identity, identity.getDefiningOp());
      recordRewrite(
          RemarkPlace::of(op), "ops-kept-apart",
          isa<AddOp>(op) ? "the device's compiler would make the addend the bias of a convolution, which it is not"
          : isa<ReshapeOp>(op) ? "the device's compiler would move slices of the result before the reshape"
                               : "the device's compiler would remove an axis of the operand before the reduction");
    });
  }

private:
  // Inserts an identity for each output that is an input, a weight, a constant, or the same value as an output before:
  // a Forge module cannot return these.
  void isolateOutputs(func::ReturnOp terminator) {
    OpBuilder builder(terminator);
    llvm::SmallPtrSet<Operation *, 8> returned;
    for (OpOperand &operand : terminator->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (isPrintedAsCall(producer) && returned.insert(producer).second)
        continue;
      if (!isa<RankedTensorType>(operand.get().getType())) // Functions on the host have types of the torch dialect.
        continue;
      operand.set(identityOf(builder, operand.get().getLoc(), operand.get()));
      count("outputs-isolated");
    }
  }

  static Value identityOf(OpBuilder &builder, Location loc, Value value) {
    return IdentityOp::create(builder, loc, value.getType(), value, /*unsqueeze=*/StringAttr(),
                              /*unsqueeze_dim=*/IntegerAttr());
  }
};
} // namespace
