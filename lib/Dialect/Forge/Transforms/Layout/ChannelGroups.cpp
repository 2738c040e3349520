//===- ChannelGroups.cpp - statistics of groups of channels ---------------===//
//
// Finds group norms, and computes their means with channels last. ChannelOrder.h describes the class.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Layout/ChannelOrder.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"

using namespace mlir;
using namespace forge;

// The largest number of ops of a norm; usually there are about ten.
static constexpr size_t kMostOps = 32;

// Whether `op` reshapes to [`batch`, `channels`, ...], with the rank of a value that has channels.
static bool restoresChannels(ReshapeOp op, int64_t batch, int64_t channels) {
  ArrayRef<int64_t> shape = op.getShape();
  return shape.size() >= 3 && shape.size() <= 5 && shape[0] == batch && shape[1] == channels;
}

// Whether `op`, which has an operand of rank 3, computes means of its trailing axis, and keeps that axis.
static bool isMeanOfLastAxis(Operation *op) {
  auto mean = dyn_cast<ReduceAvgOp>(op);
  return mean && mean.getKeepDim() && fromFront(mean.getDim(), 3) == 2;
}

// Whether `value` has one element; or one for each group, and broadcasts to [N, G, rest] along the groups.
static bool isPerGroup(Value value, int64_t groups) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return tensorType(value).getNumElements() == 1 ||
         (shape.size() >= 2 && shape.size() <= 3 && tensorType(value).getNumElements() == groups &&
          shape[shape.size() - 2] == groups);
}

// All values between the reshapes have rank 3, [N, G, ...]. Float32 only: with 16 bits, the means of the channels would
// be rounded before meanOf() computes those of the groups.
bool ChannelGroups::accepts(Operation *op, const ComputedWeights &weights) const {
  if (op->getNumResults() != 1 || !tensorType(op->getResult(0)).getElementType().isF32() ||
      tensorType(op->getResult(0)).getRank() != 3 || !(isElementwise(op) || isMeanOfLastAxis(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (isOrderless(operand, weights))
      return isPerGroup(operand, groups);
    // Not the result of a reshape at the end, which has the channels again.
    Operation *producer = operand.getDefiningOp();
    return producer == ops.front() || (llvm::is_contained(ops, producer) && !isa<ReshapeOp>(producer));
  });
}

// Follows the users of `start` up to reshapes to [N, C, ...]. All of them have to be reshapes at the end, or acceptable
// ops; at least one has to be a mean, because without statistics of groups there is no need to treat the ops together.
bool ChannelGroups::collect(ReshapeOp start, const ComputedWeights &weights) {
  ops.push_back(start);
  llvm::SmallDenseSet<Operation *> pending;
  auto addUsers = [&](Operation *op) { pending.insert(op->user_begin(), op->user_end()); };
  bool hasMean = false, hasEnd = false;
  // In program order, so that the operands of an op are in `ops` before it is visited.
  addUsers(start);
  while (!pending.empty() && ops.size() < kMostOps) {
    Operation *op = *llvm::min_element(pending, isBefore);
    pending.erase(op);
    auto end = dyn_cast<ReshapeOp>(op);
    if (end ? !restoresChannels(end, start.getShape()[0], channels) : !accepts(op, weights))
      return false;
    ops.push_back(op);
    if (end)
      hasEnd = true;
    else
      addUsers(op);
    hasMean |= isa<ReduceAvgOp>(op);
  }
  return pending.empty() && hasMean && hasEnd;
}

// Matches the reshape that merges the channels of each group, and then the ops after it (collect).
std::optional<ChannelGroups> ChannelGroups::startingWith(ReshapeOp op, const ComputedWeights &weights) {
  // [N, C, ...] -> [N, G, rest]. Both have as many elements, so that the rest of a group is that of C / G channels.
  ArrayRef<int64_t> from = shapeOf(op.getOperandA()), to = op.getShape();
  bool mergesChannels = from.size() >= 3 && from.size() <= 5 && to.size() == 3 && from[0] == to[0] && to[1] < from[1] &&
                        from[1] % to[1] == 0;
  // Float32 only, as in accepts(). A weight has no order that could be chosen.
  if (!mergesChannels || !op.getType().getElementType().isF32() || isOrderless(op.getOperandA(), weights))
    return std::nullopt;
  ChannelGroups result;
  result.channels = from[1];
  result.groups = to[1];
  return result.collect(op, weights) ? std::optional(std::move(result)) : std::nullopt;
}

// A mean with channels last adds a second mean, over the channels, and for several groups also a reshape and a repeat
// (meanOf). A norm saves two reshapes, of the image to groups and back. It has two means, so that each mean saves one.
int64_t ChannelGroups::costOfMean() const {
  OpCost added;
  added.addKernels(groups == 1 ? 1 : 3);
  return std::max<int64_t>(0, added.time - costOf(ops.front(), DeviceLayout()).time);
}

// [N, G, C / G * pixels] -> [N, pixels, C]. A trailing axis of size 1 is that of a mean, because a group has at least
// two channels: [N, G, 1] -> [N, 1, C], or [N, 1, 1] for one group.
SmallVector<int64_t> ChannelGroups::withChannelsLast(ArrayRef<int64_t> shape) const {
  if (shape[2] == 1)
    return {shape[0], 1, groups == 1 ? 1 : channels};
  return {shape[0], shape[2] / channelsPerGroup(), channels};
}

// For several groups: [N, 1, C] -> [N, 1, G, C / G] -> means [N, 1, G] -> repeated to [N, 1, C]. Not computed as a
// product with an averaging matrix: if one group is infinite, 0 * infinity would make all means NaN.
Value ChannelGroups::meanOf(ImplicitLocOpBuilder &b, Value ofChannels) const {
  if (groups == 1)
    return ReduceAvgOp::create(b, ofChannels, int64_t(-1), /*keep_dim=*/true);
  int64_t batch = shapeOf(ofChannels)[0];
  Value grouped = reshaped(b, ofChannels, {batch, 1, groups, channelsPerGroup()});
  Value means = ReduceAvgOp::create(b, grouped, int64_t(-1), /*keep_dim=*/false);
  return RepeatInterleaveOp::create(b, tensorType(ofChannels), means, channelsPerGroup(), int64_t(-1));
}

// [1, G, 1] -> [1, 1, G] -> [1, 1, C], in which the element of a group is repeated for each of its channels.
Value ChannelGroups::perChannel(ImplicitLocOpBuilder &b, Value ofGroups) const {
  RankedTensorType type = tensorType(ofGroups);
  if (type.getNumElements() == 1)
    return ofGroups;
  Value row = reshaped(b, ofGroups, {1, 1, groups});
  return RepeatInterleaveOp::create(b, type.clone({1, 1, channels}), row, channelsPerGroup(), int64_t(-1));
}
