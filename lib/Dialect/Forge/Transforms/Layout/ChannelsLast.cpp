//===- ChannelsLast.cpp - channels after the spatial axes -----------------===//
//
// The device computes convolutions and pools with channels last. ChannelOrders chooses, for each value, whether it has
// channels first or last, and this pass rewrites the program to these orders:
//
//     conv2d(%x : [N, C, H, W])  ->  conv2d(permute(%x) : [N, H, W, C]) channel_last
//
// Here, `permute` denotes transposes of two axes each. They are inserted only where the order of a value differs
// from the one that a user reads. A trace (Location.h) records which ONNX value a result holds, and in which order.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "DeadOps.h"
#include "Layout/ChannelOrder.h"
#include "llvm/ADT/TypeSwitch.h"

#define GEN_PASS_DEF_FORGECHANNELSLASTPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Permutes `value`, which has the other order, to `order`: by one reshape if the sequence of elements does not change;
// else by transposes, each of which moves the channels past one spatial axis: [N, C, H, W], [N, H, C, W], [N, H, W, C].
static Value permuted(ImplicitLocOpBuilder &b, Value value, Order order) {
  RankedTensorType type = tensorType(value);
  bool toLast = order == Order::Last;
  SmallVector<int64_t> shape = toLast ? withChannelsLast(type.getShape()) : withChannelsFirst(type.getShape());
  ArrayRef<int64_t> shapeWithChannelsFirst = toLast ? type.getShape() : ArrayRef(shape);
  if (keepsSequence(shapeWithChannelsFirst))
    return ReshapeOp::create(b, value, shape);
  for (int64_t i = 0, rank = type.getRank(), swaps = rank - 2; i < swaps; ++i) {
    int64_t axis = toLast ? 1 + i : rank - 2 - i; // Swapped with the next one.
    value = TransposeOp::create(b, value, axis - rank, axis + 1 - rank);
  }
  return value;
}

// Records the axes of the ONNX value of `op`, whose result has channels last. `axes` are those that were recorded for
// the result with channels first (tracedAxes); none if they are the axes of the result.
static void traceChannelsLast(Operation *op, SmallVector<int64_t> axes) {
  int64_t rank = tensorType(op->getResult(0)).getRank();
  if (axes.empty())
    llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  // The axes of a value that was reshaped to another rank are not those of the result.
  if (static_cast<int64_t>(axes.size()) != rank)
    return op->setLoc(withoutTrace(op->getLoc()));
  for (int64_t &axis : axes)
    axis = axisWithChannelsLast(axis, rank);
  traceAxes(op, axes);
}

// Traces `value`, which has channels last and replaces the result of `op`, to the ONNX value of `op`. Leaves it as it
// is if it has a trace, or is one of several results: an op has a single record of its axes, which would be wrong for
// the other ONNX values.
static void takePermutedTrace(Value value, Operation *op) {
  auto result = dyn_cast<OpResult>(value);
  if (!result || result.getOwner()->getNumResults() != 1 || !tracedValues(result.getLoc()).empty())
    return;
  for (TracedName traced : tracedValues(op->getLoc()))
    traceValue(result, traced);
  traceChannelsLast(result.getOwner(), tracedAxes(op->getLoc()));
}

// Rewrites the attributes of `op` that name or list axes for operands and results of rank `rank` with channels last.
static void moveAxes(Operation *op, int64_t rank) {
  if (auto axisOp = dyn_cast<AxisOpInterface>(op))
    // At ranks up to 5, a reduction accepts each axis in the notation of reductionDim(), and other ops do as well.
    axisOp.setWorkAxis(*reductionDim(axisWithChannelsLast(axisOp.getWorkAxis(), rank), rank));
  llvm::TypeSwitch<Operation *>(op)
      .Case([](PadOp pad) { pad.setChannelLast(true); })
      .Case([](RepeatOp repeat) { repeat.setRepeats(withChannelsLast(repeat.getRepeats())); })
      .Case([](ReshapeOp reshape) { reshape.setShape(withChannelsLast(reshape.getShape())); });
}

namespace {
/// Rewrites the ops of a block, from the first to the last, to the order of channels that ChannelOrders chose.
/// `equivalents` maps a value of the program to its equivalents with channels first and with channels last, as far as
/// they exist. A value without an entry is as in the program, with channels first.
class ChannelsLastRewriter {
public:
  ChannelsLastRewriter(const ChannelOrders &orders, const ComputedWeights &weights)
      : orders(orders), weights(weights) {}

  /// Rewrites `op` by its role (ChannelOrder.h):
  /// - Any: rewriteAny().
  /// - Window: the image and the result have channels last; other operands are unchanged.
  /// - Inner: dead once the last swap of its layout permutation has been rewritten.
  /// - ToLast, ToFirst, ToBoth: a layout permutation is removed, because its result is its source in the other order.
  /// - Fixed: operands are as in the program. A reshape may use channels last, if that is the same sequence of elements
  ///   and no equivalent with channels first exists.
  void rewrite(Operation *op) {
    switch (orders.role(op)) {
    case OrderRole::Any: return rewriteAny(op);
    case OrderRole::Window:
      for (OpOperand &operand : llvm::drop_begin(op->getOpOperands()))
        operand.set(inProgramOrder(operand.get()));
      op->setOperand(0, inOrder(op->getOperand(0), Order::Last));
      op->setAttr("channel_last", BoolAttr::get(op->getContext(), true));
      return setLast(op);
    case OrderRole::Inner: return;
    case OrderRole::ToLast:
    case OrderRole::ToFirst:
    case OrderRole::ToBoth: {
      Order order = orders.of(op->getResult(0));
      Value same = inOrder(orders.permutedValue(op), opposite(order));
      if (order == Order::Last)
        takePermutedTrace(same, op);
      equivalents[op->getResult(0)] = order == Order::First ? Equivalents{same, {}} : Equivalents{{}, same};
      return;
    }
    case OrderRole::Fixed:
      for (OpOperand &operand : op->getOpOperands()) {
        auto known = equivalents.find(operand.get());
        bool mayReadLast = known != equivalents.end() && isa<ReshapeOp>(op) && !known->second.first &&
                           keepsSequence(withChannelsFirst(shapeOf(known->second.last)));
        operand.set(mayReadLast ? known->second.last : inProgramOrder(operand.get()));
      }
    }
  }

private:
  struct Equivalents {
    Value first, last;
  };

  /// The equivalent of `value` in `order`, which is null if it does not exist yet. Adds an entry, in which `value`
  /// itself is the equivalent with channels first, if there is none.
  Value &equivalent(Value value, Order order) {
    auto [entry, isNew] = equivalents.try_emplace(value, Equivalents{value, {}});
    return order == Order::First ? entry->second.first : entry->second.last;
  }

  /// `value` in `order`. If it exists in the other order only, it is permuted right after its definition.
  Value inOrder(Value value, Order order) {
    if (Value known = equivalent(value, order))
      return known;
    Value other = equivalent(value, opposite(order));
    ImplicitLocOpBuilder builder(withoutTrace(other.getLoc()), other.getContext());
    builder.setInsertionPointAfterValue(other);
    return equivalent(value, order) = permuted(builder, other, order);
  }

  /// `value` for a user that computes in the order of the program, in which the channels, if any, are first.
  Value inProgramOrder(Value value) { return equivalents.contains(value) ? inOrder(value, Order::First) : value; }

  /// The equivalent with channels last of `value`, a weight or a single element that `user` broadcasts to rank `rank`:
  /// [C, 1, 1] becomes [1, 1, 1, C] for rank 4. A splat gets its new shape without an op.
  Value weightWithChannelsLast(Value value, int64_t rank, Operation *user) {
    RankedTensorType type = tensorType(value);
    if (type.getNumElements() == 1)
      return value;
    ImplicitLocOpBuilder builder(withoutTrace(value.getLoc()), user);
    SmallVector<int64_t> shape = withRank(type.getShape(), rank);
    if (auto constant = value.getDefiningOp<ConstantOp>())
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
        auto last = type.clone(withChannelsLast(shape));
        return ConstantOp::create(builder, last, splat.resizeSplat(last));
      }
    return permuted(builder, reshaped(builder, value, shape), Order::Last);
  }

  /// Rewrites an op that works with any order of axes: its operands and its result get the chosen order. Within a group
  /// norm or a channel shuffle, the shape with channels last is no permutation of the one in the program, except for
  /// the reshapes at their end, whose results are images.
  void rewriteAny(Operation *op) {
    Order order = orders.of(op->getResult(0));
    if (const ChannelGroups *norm = orders.groupNormOf(op); norm && order == Order::Last && !norm->isEnd(op))
      return rewriteGrouped(op, *norm);
    if (order == Order::Last && orders.isWithinShuffle(op))
      return rewriteShuffled(op);
    int64_t rank = tensorType(op->getResult(0)).getRank();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isOrderless(operand.get(), weights))
        operand.set(inOrder(operand.get(), order));
      else if (order == Order::Last)
        operand.set(weightWithChannelsLast(operand.get(), rank, op));
    }
    if (order == Order::Last) {
      moveAxes(op, rank);
      setLast(op);
    }
  }

  /// Rewrites an op of a group norm to channels last, except for the reshapes at its end. The result is no permutation
  /// of the ONNX value, so that it loses its trace. A mean is that of the pixels of each channel, [N, pixels, C] to
  /// [N, 1, C]; meanOf() then computes the means of the groups.
  void rewriteGrouped(Operation *op, const ChannelGroups &groups) {
    ImplicitLocOpBuilder builder(withoutTrace(op->getLoc()), op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(isOrderless(operand.get(), weights) ? groups.perChannel(builder, operand.get())
                                                      : inOrder(operand.get(), Order::Last));
    op->setLoc(builder.getLoc());
    Value result = op->getResult(0);
    RankedTensorType type = tensorType(result);
    SmallVector<int64_t> shape = groups.withChannelsLast(type.getShape());
    if (auto mean = dyn_cast<ReduceAvgOp>(op)) {
      mean.setDim(-2);
      shape.back() = shapeOf(mean.getOperandA()).back();
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      reshape.setShape(shape);
    }
    result.setType(type.clone(shape));
    builder.setInsertionPointAfter(op);
    equivalents[result] = {{}, isa<ReduceAvgOp>(op) ? groups.meanOf(builder, result) : result};
  }

  /// Rewrites the first two ops of a channel shuffle to channels last: the reshape to [N, G, C / G, ...] becomes one to
  /// [N, ..., G, C / G], and the transpose of G and C / G one of the trailing axes.
  void rewriteShuffled(Operation *op) {
    op->setOperand(0, inOrder(op->getOperand(0), Order::Last));
    Value result = op->getResult(0);
    SmallVector<int64_t> shape(shapeOf(result));
    std::rotate(shape.begin() + 1, shape.begin() + 3, shape.end());
    if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      reshape.setShape(shape);
    } else {
      auto transpose = cast<TransposeOp>(op);
      transpose.setDim0(-2);
      transpose.setDim1(-1);
    }
    op->setLoc(withoutTrace(op->getLoc()));
    result.setType(tensorType(result).clone(shape));
    equivalents[result] = {{}, result};
  }

  /// The result of `op` now has channels last: sets its type and its trace, and registers it in `equivalents`.
  void setLast(Operation *op) {
    Value result = op->getResult(0);
    result.setType(tensorType(result).clone(withChannelsLast(shapeOf(result))));
    equivalents[result] = {{}, result};
    traceChannelsLast(op, tracedAxes(op->getLoc()));
  }

  const ChannelOrders &orders;
  const ComputedWeights &weights;
  DenseMap<Value, Equivalents> equivalents;
};

struct ForgeChannelsLastPass : forge::impl::ForgeChannelsLastPassBase<ForgeChannelsLastPass>, ReportingPass {
  void runOnOperation() override {
    Block *block = deviceBlock(getOperation());
    if (!block)
      return;
    const auto &orders = getAnalysis<ChannelOrders>();
    if (!orders.isWorthIt() || !mayRewrite(getOperation(), "channels-put-last")) {
      markAllAnalysesPreserved();
      return;
    }
    ChannelsLastRewriter rewriter(orders, getAnalysis<ComputedWeights>());
    for (Operation *op : llvm::map_to_vector(*block, [](Operation &op) { return &op; })) {
      rewriter.rewrite(op);
      if (orders.role(op) == OrderRole::Window)
        recordRewrite(RemarkPlace::of(op), "windows-with-channels-last");
    }
    eraseDeadOps(*block);
    // With channels last, some reshapes before elementwise ops need no kernel if they are right before a convolution or
    // are undone by a later reshape: they are sunk across these ops (ReshapeMotion.cpp).
    RewritePatternSet patterns(&getContext());
    populateReshapeMotion(patterns);
    if (failed(rewriteGreedily(*this, getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
