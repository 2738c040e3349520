//===- ChannelMixing.cpp - whether users mix channels ---------------------===//

#include "Join/ChannelMixing.h"

#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"

using namespace mlir;
using namespace forge;

// The largest number of ops between an image and the products that depend on it.
static constexpr size_t kMostOps = 32;

// Functions such as Relu and Sigmoid do not: they map infinities to finite values.
bool forge::keepsInfinities(Operation *op) { return isa<AddOp, SubtractOp, MultiplyOp>(op); }

// The axis of the user's result that corresponds to the channel axis `axis` of `use`; none if there is none, or if the
// user maps infinities to finite values.
static std::optional<int64_t> channelsAfter(OpOperand &use, int64_t axis) {
  Operation *op = use.getOwner();
  bool keeps = isa<TransposeOp, ReshapeOp, ConcatenateOp, ReduceAvgOp, AvgPool2dOp>(op) || keepsInfinities(op);
  std::optional<int64_t> result = keeps ? pairedAxis(use, axis, /*toResult=*/true) : std::nullopt;
  bool hasAll = result && (isa<ConcatenateOp>(op) || shapeOf(op->getResult(0))[*result] == shapeOf(use.get())[axis]);
  return hasAll ? result : std::nullopt;
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
      bool isKnown = user->getNumResults() == 1 && pending.size() < kMostOps;
      std::optional<int64_t> result = isKnown ? channelsAfter(use, axis) : std::nullopt;
      if (!result)
        return false;
      pending.emplace_back(user->getResult(0), *result);
    }
  }
  return true;
}
