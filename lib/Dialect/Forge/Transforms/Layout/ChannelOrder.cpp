//===- ChannelOrder.cpp - which ops compute with channels last ------------===//
//
// Chooses between channels first and channels last for each value. ChannelOrder.h describes the class ChannelOrders;
// ChannelsLast.cpp rewrites the program.
//
//===----------------------------------------------------------------------===//

#include "Layout/ChannelOrder.h"

#include "Layout/Regions.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/PixelRows.h"

using namespace mlir;
using namespace forge;

// The largest number of uses that are examined each time the cost of a value is computed.
static constexpr unsigned kMostUses = 64;

// An axis of size 1 moves without a change of the sequence: the channels, or all axes that they move past.
bool forge::keepsSequence(ArrayRef<int64_t> shape) {
  return shape[1] == 1 || llvm::all_of(shape.drop_front(2), [](int64_t size) { return size == 1; });
}

// [N, C, ...] -> [N, ..., C]
SmallVector<int64_t> forge::withChannelsLast(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  std::rotate(result.begin() + 1, result.begin() + 2, result.end());
  return result;
}

// [N, ..., C] -> [N, C, ...]
SmallVector<int64_t> forge::withChannelsFirst(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  std::rotate(result.begin() + 1, result.end() - 1, result.end());
  return result;
}

// N stays axis 0, C becomes the last axis, and each spatial axis moves forward by one.
int64_t forge::axisWithChannelsLast(int64_t axis, int64_t rank) {
  return axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1;
}

bool forge::isOrderless(Value value, const ComputedWeights &weights) {
  Operation *producer = value.getDefiningOp();
  return tensorType(value).getNumElements() == 1 || isa_and_nonnull<ParameterOp, ConstantOp>(producer) ||
         weights.contains(producer);
}

// Whether `value` has a rank at which axis 1 may be that of channels, [N, C, L] to [N, C, D, H, W], and is not empty.
static bool hasChannels(Value value) {
  int64_t rank = tensorType(value).getRank();
  return rank >= 3 && rank <= 5 && tensorType(value).getNumElements() > 0;
}

// The chain of transposes that ends with `op`, from `op` backwards, with as many as a layout permutation of this rank
// has, one per spatial axis. Each but `op` is used by the next one only. Empty if the chain is shorter.
static SmallVector<TransposeOp> swapsOf(TransposeOp op) {
  SmallVector<TransposeOp> swaps{op};
  for (int64_t count = op.getType().getRank() - 2; static_cast<int64_t>(swaps.size()) < count;) {
    auto previous = swaps.back().getOperandA().getDefiningOp<TransposeOp>();
    if (!previous || !previous->hasOneUse())
      return {};
    swaps.push_back(previous);
  }
  return swaps;
}

// The role of the last of `swaps`, a result of swapsOf() that is not empty, by the permutation that they compute
// together. Fixed if that is no layout permutation.
static OrderRole roleOfPermutation(MutableArrayRef<TransposeOp> swaps) {
  // Axis i of the result is axis order[i] of the operand.
  int64_t rank = swaps.front().getType().getRank();
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> toLast = withChannelsLast(order), toFirst = withChannelsFirst(order);
  for (TransposeOp swap : llvm::reverse(swaps))
    std::swap(order[fromFront(swap.getDim0(), rank)], order[fromFront(swap.getDim1(), rank)]);
  if (order == toLast)
    return rank == 3 ? OrderRole::ToBoth : OrderRole::ToLast;
  return order == toFirst ? OrderRole::ToFirst : OrderRole::Fixed;
}

// Whether `op`, whose operands have channels, can also be computed with channels last, after moveAxes() in
// ChannelsLast.cpp has changed its attributes, such as the axis of a concatenation.
static bool canHaveChannelsLast(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    // With channels last, [N, C, H, W] -> [N, C, H * W] is [N, H, W, C] -> [N, H * W, C]. N and C may not change.
    ArrayRef<int64_t> from = shapeOf(reshape.getOperandA()), to = reshape.getShape();
    return from.size() >= 3 && to.size() >= 3 && from.take_front(2) == to.take_front(2);
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    // The attribute channel_last makes a pad leave out the trailing axis. Two values pad one axis, and four pad two,
    // which at rank 3 would include the channels. Volumes (rank 5) are left out.
    int64_t rank = pad.getType().getRank();
    return !pad.getChannelLast() && (rank == 4 || (rank == 3 && pad.getPad().size() == 2));
  }
  // Additional values would make new leading axes.
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return repeat.getRepeats().size() == shapeOf(repeat.getOperandA()).size();
  // A reduction that removes its axis has a result of another rank.
  if (auto axisOp = dyn_cast<AxisOpInterface>(op))
    return axisOp.keepsAxis();
  return isa<IdentityOp>(op) || isElementwise(op);
}

// The role of an op that is no transpose and no computed weight. Fixed: ops without channels, window ops that have
// channels last already, and those of an empty image, all elements of which are padding: it cannot be reshaped.
static OrderRole roleOf(Operation *op, const ComputedWeights &weights) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || !hasChannels(op->getResult(0)))
    return OrderRole::Fixed;
  if (isa<Conv2dOp, Conv2dTransposeOp, MaxPool2dOp, AvgPool2dOp, Resize2dOp, Upsample2dOp>(op) &&
      channelsLast(op) == false && hasChannels(op->getOperand(0)))
    return OrderRole::Window;
  int64_t rank = tensorType(op->getResult(0)).getRank();
  bool readsChannels = false;
  for (Value operand : op->getOperands()) {
    if (isOrderless(operand, weights))
      continue;
    // Operands of a lower rank would have to be reshaped before they are transposed.
    if (!hasChannels(operand) || (!isa<ReshapeOp>(op) && tensorType(operand).getRank() != rank))
      return OrderRole::Fixed;
    readsChannels = true;
  }
  return readsChannels && canHaveChannelsLast(op) ? OrderRole::Any : OrderRole::Fixed;
}

// Matches a channel shuffle that begins with `op`: [N, C, ...] -> reshape [N, G, C / G, ...] -> transpose
// [N, C / G, G, ...] -> reshape [N, C, ...]. Returns these ops in program order; empty if there is no shuffle. The
// image has at most rank 4, because the values between the reshapes have one axis more, and an order is chosen up to
// rank 5.
static SmallVector<Operation *> shuffleFrom(ReshapeOp op) {
  ArrayRef<int64_t> image = shapeOf(op.getOperandA()), groups = op.getShape();
  auto swap = op->hasOneUse() ? dyn_cast<TransposeOp>(*op->user_begin()) : TransposeOp();
  auto join = swap && swap->hasOneUse() ? dyn_cast<ReshapeOp>(*swap->user_begin()) : ReshapeOp();
  bool splitsChannels = image.size() >= 3 && image.size() <= 4 && groups.size() == image.size() + 1 &&
                        groups[0] == image[0] && groups.drop_front(3) == image.drop_front(2);
  int64_t rank = groups.size();
  bool swapsGroups = swapsAxes(swap, /*outer=*/1 - rank, /*inner=*/2 - rank); // axes 1 and 2
  if (!splitsChannels || !swapsGroups || !join || join.getShape() != image)
    return {};
  return {op, swap, join};
}

// An op belongs to one unit at most. Of two with a common op, such as a sum of two group norms, the first one is added.
void ChannelOrders::addUnit(Unit unit) {
  if (llvm::any_of(unit.ops, [&](Operation *op) { return unitOf(op) != nullptr; }))
    return;
  units.push_back(std::make_unique<Unit>(std::move(unit)));
  for (Operation *op : units.back()->ops)
    unitsOfOps[op] = units.back().get();
}

// The ops of a channel shuffle, or of a group norm, have shapes that are no permutation of an image: they can be
// computed with channels last only if all of them are.
void ChannelOrders::findUnit(ReshapeOp op) {
  if (SmallVector<Operation *> shuffle = shuffleFrom(op); !shuffle.empty())
    return addUnit({shuffle, std::nullopt});
  if (std::optional<ChannelGroups> groups = ChannelGroups::startingWith(op, weights))
    addUnit({SmallVector<Operation *>(groups->getOps()), groups});
}

const ChannelGroups *ChannelOrders::groupNormOf(Operation *op) const {
  const Unit *unit = unitOf(op);
  return unit && unit->groups ? &*unit->groups : nullptr;
}

// A unit without groups is a shuffle. Its last op is not within it: the result has the shape of the image again.
bool ChannelOrders::isWithinShuffle(Operation *op) const {
  const Unit *unit = unitOf(op);
  return unit && !unit->groups && op != unit->ops.back();
}

// Gives `op` the role of the layout permutation whose last swap it is, and the role Inner to the swaps before it.
void ChannelOrders::findPermutation(TransposeOp op) {
  SmallVector<TransposeOp> swaps = swapsOf(op);
  // An op has one role: the last swap of one permutation cannot be an inner swap of another.
  if (swaps.empty() || llvm::any_of(llvm::drop_begin(swaps), [&](TransposeOp swap) { return endsPermutation(swap); }))
    return;
  roles[op] = roleOfPermutation(swaps);
  if (roles[op] == OrderRole::Fixed)
    return;
  for (TransposeOp swap : llvm::drop_begin(swaps)) {
    roles[swap] = OrderRole::Inner;
    lasts[swap] = op;
  }
}

bool ChannelOrders::endsPermutation(Operation *op) const {
  return llvm::is_contained({OrderRole::ToLast, OrderRole::ToFirst, OrderRole::ToBoth}, role(op));
}

// Follows the operands from the last swap of a layout permutation over its inner swaps.
Value ChannelOrders::permutedValue(Operation *last) const {
  Value value = last->getOperand(0);
  while (value.getDefiningOp() && lasts.lookup(value.getDefiningOp()) == last)
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

// The order in which `op` will read its operands, by its role and the order that was chosen for its result.
Order ChannelOrders::operandOrder(Operation *op) const {
  switch (role(op)) {
  case OrderRole::Fixed:
  case OrderRole::Inner: return Order::First;
  case OrderRole::Window: return Order::Last;
  case OrderRole::Any: return results.lookup(op);
  case OrderRole::ToLast:
  case OrderRole::ToFirst:
  case OrderRole::ToBoth:
    // The permutation is removed: its operand, in one order, is its result in the other order.
    return opposite(results.lookup(op));
  }
  llvm_unreachable("unknown role");
}

// The time of a transpose of `value` from channels first to channels last, or back. If that is a reshape of the same
// sequence of elements, only the launch of a kernel counts.
static int64_t transposeTime(Value value) {
  OpCost cost;
  if (keepsSequence(shapeOf(value)))
    cost.addKernels(1);
  else
    cost.addMove(tensorType(value), tensorType(value).clone(withChannelsLast(shapeOf(value))));
  return cost.time;
}

// The time of one transpose, which all users that read the other order share; 0 if there are none. For the mean of a
// group norm, the time that meanOf() adds.
int64_t ChannelOrders::costOf(Value value) const {
  // The cost of a layout permutation is that of its operand, whose user is the last swap (lastSwap). The values between
  // the swaps have none.
  Operation *producer = value.getDefiningOp();
  if (!hasChannels(value) || isOrderless(value, weights) || role(producer) == OrderRole::Inner)
    return 0;
  Order order = of(value);
  if (order == Order::Last && isa_and_nonnull<ReduceAvgOp>(producer) && groupNormOf(producer))
    return groupNormOf(producer)->costOfMean();
  auto needsTranspose = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    // Only the image of a convolution changes its order, not the weights.
    bool isWeight = role(user) == OrderRole::Window && use.getOperandNumber() != 0;
    // A reshape reads either order if both are the same sequence of elements.
    bool readsBothOrders = isa<ReshapeOp>(user) && keepsSequence(shapeOf(value));
    return !isWeight && !readsBothOrders && operandOrder(lastSwap(user)) != order;
  };
  for (auto [use, number] : llvm::zip(value.getUses(), llvm::seq(kMostUses)))
    if (needsTranspose(use))
      return transposeTime(value);
  return 0;
}

// The cost of the operands and results of `ops`: no other value costs more or less if these ops change their order.
int64_t ChannelOrders::costAround(ArrayRef<Operation *> ops) const {
  llvm::SmallSetVector<Value, 4> values;
  for (Operation *op : ops) {
    values.insert(op->getResult(0));
    if (endsPermutation(op))
      values.insert(permutedValue(op));
    else
      values.insert_range(op->getOperands());
  }
  int64_t sum = 0;
  for (Value value : values)
    sum = addCounts(sum, costOf(value));
  return sum;
}

// Tries the other order, and keeps it if the operands and results of the ops then cost less (costAround).
bool ChannelOrders::improve(Operation *op) {
  ArrayRef<Operation *> ops = unitOf(op) ? ArrayRef(unitOf(op)->ops) : ArrayRef(op);
  auto flip = [&] {
    for (Operation *each : ops)
      results[each] = opposite(results.lookup(each));
  };
  int64_t before = costAround(ops);
  flip();
  bool isBetter = costAround(ops) < before;
  if (!isBetter)
    flip();
  return isBetter;
}

// Whether `op` ends a layout permutation next to a window op that has channels last already. Permutations of volumes
// count as such: convolutions and pools of volumes are computed on slices, which are reshaped to images with channels
// last, so that a reshape is between the permutation and the window op.
bool ChannelOrders::endsPermutationAtWindow(Operation *op) const {
  auto isWindow = [](Operation *other) { return channelsLast(other) == true; };
  return endsPermutation(op) && (tensorType(op->getResult(0)).getRank() == 5 ||
                                 isWindow(permutedValue(op).getDefiningOp()) || llvm::any_of(op->getUsers(), isWindow));
}

// The initial choice: ops that are connected with a window op have channels last, unless chooseInitialOrder() decides
// otherwise.
void ChannelOrders::chooseInitialOrders(Block &block) {
  auto hasChoice = [&](Operation *op) { return role(op) != OrderRole::Fixed; };
  auto isAtWindow = [&](Operation *op) { return role(op) == OrderRole::Window || endsPermutationAtWindow(op); };
  for (const ConnectedOps &ops : connectedOps(block, hasChoice, [](OpOperand &) { return true; }))
    if (llvm::any_of(ops, isAtWindow))
      for (Operation *op : ops)
        chooseInitialOrder(op);
}

// The initial order of the result of `op`, by its role. For a permutation, First means the result as it is in the
// program. The order of an op in `movable` may be changed later.
void ChannelOrders::chooseInitialOrder(Operation *op) {
  // For arguments and inner swaps no order is chosen: of() returns First for them. An op that reads one starts with
  // channels last, as the window op with which it is connected has.
  auto isOrderlessOrFirst = [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    bool isChosen = producer && role(producer) != OrderRole::Inner;
    return isOrderless(operand, weights) || (isChosen && of(operand) == Order::First);
  };
  switch (role(op)) {
  case OrderRole::Fixed:
  case OrderRole::Inner: return;
  case OrderRole::Window: results[op] = Order::Last; return;
  case OrderRole::Any:
    results[op] = llvm::all_of(op->getOperands(), isOrderlessOrFirst) ? Order::First : Order::Last;
    // The order of a unit changes with its first op.
    if (!unitOf(op) || unitOf(op)->ops.front() == op)
      movable.insert(op);
    return;
  // A permutation is removed: its operand in one order is its result in the other order (operandOrder). The program
  // computes [N, C, ...] from [N, ..., C], which is the result with channels last.
  case OrderRole::ToFirst: results[op] = Order::Last; return;
  // The program computes [N, ..., C], which is the operand with channels last.
  case OrderRole::ToLast: results[op] = Order::First; return;
  // At rank 3, both of these hold.
  case OrderRole::ToBoth: results[op] = Order::First; movable.insert(op);
  }
}

// Transposes are Fixed unless findPermutation() gives them another role.
void ChannelOrders::findRoles(Block &block) {
  for (Operation &op : block) {
    if (weights.contains(&op))
      continue;
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      findUnit(reshape);
    roles[&op] = unitOf(&op) ? OrderRole::Any : roleOf(&op, weights);
    if (auto transpose = dyn_cast<TransposeOp>(op); transpose && !unitOf(&op) && hasChannels(transpose))
      findPermutation(transpose);
  }
}

// What the program costs: the transposes of the device around window ops with channels first, and layout permutations,
// whose time is estimated as that of one transpose of the side with channels first.
int64_t ChannelOrders::costInProgram(Operation *op) const {
  if (role(op) == OrderRole::Window)
    return addCounts(transposeTime(op->getOperand(0)), transposeTime(op->getResult(0)));
  if (!endsPermutation(op))
    return 0;
  return transposeTime(role(op) == OrderRole::ToFirst ? op->getResult(0) : permutedValue(op));
}

// Changes the orders of single ops and units as long as that costs less, in a few sweeps in alternating directions.
void ChannelOrders::improveAll(ArrayRef<Operation *> ops) {
  auto order = llvm::filter_to_vector(ops, [&](Operation *op) { return movable.contains(op); });
  constexpr int kSweeps = 4;
  bool improved = true;
  for (int sweep = 0; sweep < kSweeps && improved; ++sweep) {
    improved = false;
    for (Operation *op : order)
      improved |= improve(op);
    std::reverse(order.begin(), order.end());
  }
}

// Chooses all orders, and adds up what they cost (`cost`) and what the program costs (`costAsIs`).
ChannelOrders::ChannelOrders(Block &block, const ComputedWeights &weights) : weights(weights) {
  findRoles(block);
  chooseInitialOrders(block);
  if (results.empty())
    return;
  SmallVector<Operation *> ops(llvm::make_pointer_range(block));
  // chooseInitialOrders() has chosen the orders of the ops that are connected with a window op (that of a layout
  // permutation at its last swap). All others compute in the order of the program.
  for (Operation *op : ops) {
    bool hasOrder = results.contains(lastSwap(op));
    if (!hasOrder)
      roles[op] = OrderRole::Fixed;
    costAsIs = addCounts(costAsIs, costInProgram(op));
  }
  improveAll(ops);
  for (BlockArgument argument : block.getArguments())
    cost = addCounts(cost, costOf(argument));
  for (Operation *op : ops)
    if (op->getNumResults() == 1)
      cost = addCounts(cost, costOf(op->getResult(0)));
}
