//===- ChannelGroups.cpp - statistics of groups of channels ---------------===//

#include "Layout/ChannelGroups.h"

#include "Fusion/Scaling.h"
#include "Layout/ChannelMixing.h"
#include "Layout/ChannelOrder.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"

using namespace mlir;
using namespace forge;

// A norm has about ten ops.
static constexpr size_t kMostOps = 32;
// Of a matrix that is stored for the groups.
static constexpr int64_t kMostElements = 1 << 20;

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

// Whether `op` gives [N, C, ...].
static bool givesBack(ReshapeOp op, int64_t batch, int64_t channels) {
  ArrayRef<int64_t> shape = op.getShape();
  return shape.size() >= 3 && shape.size() <= 5 && shape[0] == batch && shape[1] == channels;
}

static bool isMeanOfLastAxis(Operation *op) {
  auto mean = dyn_cast<ReduceAvgOp>(op);
  return mean && mean.getKeepDim() && fromFront(mean.getDim(), 3) == 2;
}

// Whether ops between the reshapes read `value`, a weight, as one element per group.
static bool isPerGroup(Value value, int64_t groups) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return tensorType(value).getNumElements() == 1 ||
         (shape.size() >= 2 && shape.size() <= 3 && tensorType(value).getNumElements() == groups &&
          shape[shape.size() - 2] == groups);
}

bool ChannelGroups::takes(Operation *op, const ComputedWeights &weights) const {
  if (op->getNumResults() != 1 || !tensorType(op->getResult(0)).getElementType().isF32() ||
      tensorType(op->getResult(0)).getRank() != 3 || !(isElementwise(op) || isMeanOfLastAxis(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isOrderless(operand, weights) ? isPerGroup(operand, groups)
                                         : llvm::is_contained(ops, operand.getDefiningOp());
  });
}

bool ChannelGroups::collect(ReshapeOp start, const ComputedWeights &weights) {
  ops.push_back(start);
  llvm::SmallDenseSet<Operation *> pending;
  auto add = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      pending.insert(user);
  };
  bool hasMean = false, hasEnd = false;
  // In the order of the block, so that operands are known.
  add(start);
  while (!pending.empty() && ops.size() < kMostOps) {
    Operation *op = *llvm::min_element(pending, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    pending.erase(op);
    auto end = dyn_cast<ReshapeOp>(op);
    if (end ? !givesBack(end, start.getShape()[0], channels) : !takes(op, weights))
      return false;
    // Zeros of the matrix are no zeros times what is not finite: a mean of one group comes into the others then.
    if (end && groups > 1 && !areChannelsMixed(end))
      return false;
    ops.push_back(op);
    if (end)
      hasEnd = true;
    else
      add(op);
    hasMean |= isa<ReduceAvgOp>(op);
  }
  return pending.empty() && hasMean && hasEnd;
}

std::optional<ChannelGroups> ChannelGroups::startingWith(ReshapeOp op, const ComputedWeights &weights) {
  ArrayRef<int64_t> from = shapeOf(op.getOperandA()), to = op.getShape();
  if (from.size() < 3 || from.size() > 5 || to.size() != 3 || from[0] != to[0] ||
      !op.getType().getElementType().isF32())
    return std::nullopt;
  if (op.getType().getNumElements() == 0 || to[1] >= from[1] || from[1] % to[1] != 0 ||
      isOrderless(op.getOperandA(), weights))
    return std::nullopt;
  ChannelGroups result;
  result.channels = from[1];
  result.groups = to[1];
  if (result.channels > kMostElements / result.groups)
    return std::nullopt;
  return result.collect(op, weights) ? std::optional(std::move(result)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// With channels last
//===----------------------------------------------------------------------===//

static int64_t bytesOf(ArrayRef<int64_t> shape) { return denseBytes(shape, 32); }

bool ChannelGroups::isOneMatrix() const {
  return channels <= kMostElements / channels &&
         bytesOf({channels, channels}) <= kKernelBytes + 2 * bytesOf({channels, groups});
}

int64_t ChannelGroups::costOfMean() const {
  if (groups == 1)
    return kKernelBytes;
  if (isOneMatrix())
    return kKernelBytes + bytesOf({channels, channels});
  return 2 * (kKernelBytes + bytesOf({channels, groups}));
}

SmallVector<int64_t> ChannelGroups::withChannelsLast(ArrayRef<int64_t> shape) const {
  // A mean of the last axis has one element there.
  if (shape[2] == 1)
    return {shape[0], 1, groups == 1 ? 1 : channels};
  return {shape[0], shape[2] / perGroup(), channels};
}

// A matrix with `value` where row / rowsPerGroup is column / columnsPerGroup.
static Value groupMatrix(ImplicitLocOpBuilder &b, int64_t rows, int64_t rowsPerGroup, int64_t columns,
                         int64_t columnsPerGroup, float value) {
  SmallVector<float> numbers(rows * columns, 0);
  for (int64_t row = 0; row < rows; ++row)
    std::fill_n(numbers.begin() + row * columns + row / rowsPerGroup * columnsPerGroup, columnsPerGroup, value);
  return ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({rows, columns}, b.getF32Type()), ArrayRef(numbers)));
}

Value ChannelGroups::meanOf(ImplicitLocOpBuilder &b, Value ofChannels) const {
  int64_t size = perGroup();
  if (groups == 1)
    return ReduceAvgOp::create(b, ofChannels, int64_t(-1), true);
  float part = 1.0f / static_cast<float>(size);
  if (isOneMatrix())
    return MatmulOp::create(b, ofChannels, groupMatrix(b, channels, size, channels, size, part), Value());
  Value means = MatmulOp::create(b, ofChannels, groupMatrix(b, channels, size, groups, 1, part), Value());
  return MatmulOp::create(b, means, groupMatrix(b, groups, 1, channels, size, 1), Value());
}

Value ChannelGroups::perChannel(ImplicitLocOpBuilder &b, Value ofGroups) const {
  RankedTensorType type = tensorType(ofGroups);
  if (type.getNumElements() == 1)
    return ofGroups;
  Value row = reshaped(b, b.getLoc(), ofGroups, {1, 1, groups});
  SmallVector<int64_t> shape{1, 1, channels};
  return RepeatInterleaveOp::create(b, type.clone(shape), row, perGroup(), int64_t(-1));
}
