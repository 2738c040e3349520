//===- ChannelMixing.cpp - whether readers mix channels -------------------===//

#include "Join/ChannelMixing.h"

#include "forge/Dialect/Forge/IR/IndexMap.h"

using namespace mlir;
using namespace forge;

// Ops between an image and the products that read it.
static constexpr size_t kMostOps = 32;

// A function such as Relu or Sigmoid makes numbers of infinities; times zero they are NaN.
bool forge::keepsInfinities(Operation *op) { return isa<AddOp, SubtractOp, MultiplyOp>(op); }

// Where the result of `op` has the channels that are on `axis` of its first operand; none where that is not known.
static std::optional<int64_t> axisBehind(Operation *op, int64_t axis) {
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
  int64_t rank = from.size();
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transposedAxis(transpose, axis);
  if (auto joined = dyn_cast<ConcatenateOp>(op))
    return fromFront(joined.getAxis(), rank) == axis ? std::optional(axis) : std::nullopt;
  bool stays = false;
  if (isa<ReshapeOp>(op))
    stays = axis == 1 && to.size() >= 2 && from.take_front(2) == to.take_front(2);
  else if (auto mean = dyn_cast<ReduceAvgOp>(op))
    stays = mean.getKeepDim() && fromFront(mean.getDim(), rank) != axis;
  else if (isa<AvgPool2dOp>(op))
    stays = axis == 1;
  else
    stays = keepsInfinities(op) &&
            llvm::any_of(op->getOperands(), [&](Value operand) { return shapeOf(operand) == to; }) &&
            to.size() == from.size() && to[axis] == from[axis];
  return stays ? std::optional(axis) : std::nullopt;
}

// Whether each element of the result depends on all channels of the first operand, which are on `axis`.
static bool mixes(Operation *op, int64_t axis) {
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return conv.getGroups() == 1 && axis == (conv.getChannelLast() ? 3 : 1);
  if (auto conv = dyn_cast<Conv2dTransposeOp>(op))
    return conv.getGroups() == 1 && axis == (conv.getChannelLast() ? 3 : 1);
  return isa<MatmulOp>(op) && axis == tensorType(op->getOperand(0)).getRank() - 1;
}

bool forge::areChannelsMixed(Value image) {
  SmallVector<std::pair<Value, int64_t>> pending{{image, 1}};
  for (size_t at = 0; at < pending.size(); ++at) {
    auto [value, axis] = pending[at];
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (use.getOperandNumber() == 0 && mixes(user, axis))
        continue;
      bool isKnown = user->getNumResults() == 1 && pending.size() < kMostOps &&
                     tensorType(user->getOperand(0)).getRank() == tensorType(value).getRank();
      std::optional<int64_t> behind = isKnown ? axisBehind(user, axis) : std::nullopt;
      if (!behind)
        return false;
      pending.emplace_back(user->getResult(0), *behind);
    }
  }
  return true;
}
