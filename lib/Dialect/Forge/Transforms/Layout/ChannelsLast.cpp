//===- ChannelsLast.cpp - channels behind the spatial axes ----------------===//

#include "DeadOps.h"
#include "Layout/ChannelOrder.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGECHANNELSLASTPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

static Value transposed(ImplicitLocOpBuilder &b, Value value, int64_t dim0, int64_t dim1) {
  return TransposeOp::create(b, value, dim0, dim1);
}

static SmallVector<int64_t> withChannelsFirst(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  std::rotate(result.begin() + 1, result.end() - 1, result.end());
  return result;
}

// `value`, which has the other order, in `order`.
static Value turned(ImplicitLocOpBuilder &b, Value value, Order order) {
  RankedTensorType type = tensorType(value);
  bool toLast = order == Order::Last;
  SmallVector<int64_t> shape = toLast ? withChannelsLast(type.getShape()) : withChannelsFirst(type.getShape());
  if (keepsSequence(toLast ? type.getShape() : ArrayRef(shape)))
    return ReshapeOp::create(b, type.clone(shape), value, shape);
  if (type.getRank() == 3)
    return transposed(b, value, -2, -1);
  return toLast ? transposed(b, transposed(b, value, -3, -2), -2, -1)
                : transposed(b, transposed(b, value, -2, -1), -3, -2);
}

namespace {
/// Rewrites a block in its order. `forms` has each value of the program in the orders in which it is there by now.
class ChannelsLastRewriter {
public:
  ChannelsLastRewriter(const ChannelOrders &orders, const ComputedWeights &weights)
      : orders(orders), weights(weights) {}

  void rewrite(Operation *op);

private:
  struct Forms {
    Value first, last;
  };
  Value &form(Value value, Order order);
  Value in(Value value, Order order);
  Value inProgramOrder(Value value) { return forms.contains(value) ? in(value, Order::First) : value; }
  Value weightWithChannelsLast(Value value, int64_t rank, Operation *user);
  void rewriteAny(Operation *op);
  void setLast(Operation *op);

  const ChannelOrders &orders;
  const ComputedWeights &weights;
  DenseMap<Value, Forms> forms;
};
} // namespace

Value &ChannelsLastRewriter::form(Value value, Order order) {
  auto [entry, isNew] = forms.try_emplace(value, Forms{value, {}});
  return order == Order::First ? entry->second.first : entry->second.last;
}

Value ChannelsLastRewriter::in(Value value, Order order) {
  if (Value known = form(value, order))
    return known;
  Value other = form(value, opposite(order));
  ImplicitLocOpBuilder builder(withoutTrace(other.getLoc()), other.getContext());
  builder.setInsertionPointAfterValue(other);
  return form(value, order) = turned(builder, other, order);
}

// The one result of `op` has channels last from now on.
void ChannelsLastRewriter::setLast(Operation *op) {
  Value result = op->getResult(0);
  int64_t rank = tensorType(result).getRank();
  result.setType(tensorType(result).clone(withChannelsLast(shapeOf(result))));
  forms[result] = {{}, result};
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    axes.push_back(axisWithChannelsLast(axis, rank));
  traceAxes(op, axes);
}

Value ChannelsLastRewriter::weightWithChannelsLast(Value value, int64_t rank, Operation *user) {
  RankedTensorType type = tensorType(value);
  if (type.getNumElements() == 1)
    return value;
  ImplicitLocOpBuilder builder(withoutTrace(value.getLoc()), user);
  SmallVector<int64_t> shape(rank - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
      auto last = type.clone(withChannelsLast(shape));
      return ConstantOp::create(builder, last, splat.resizeSplat(last));
    }
  if (type.getRank() < rank)
    value = ReshapeOp::create(builder, type.clone(shape), value, shape);
  return turned(builder, value, Order::Last);
}

// The axes that an op names, for channels last.
static void moveAxes(Operation *op, int64_t rank) {
  Builder builder(op->getContext());
  for (StringRef name : {"dim", "axis"})
    if (auto axis = op->getAttrOfType<IntegerAttr>(name)) {
      int64_t moved = axisWithChannelsLast(fromFront(axis.getInt(), rank), rank);
      op->setAttr(name, builder.getI64IntegerAttr(moved - rank));
    }
  llvm::TypeSwitch<Operation *>(op)
      .Case([](PadOp pad) { pad.setChannelLast(true); })
      .Case([](RepeatOp repeat) { repeat.setRepeats(withChannelsLast(repeat.getRepeats())); })
      .Case([](ReshapeOp reshape) { reshape.setShape(withChannelsLast(reshape.getShape())); });
}

void ChannelsLastRewriter::rewriteAny(Operation *op) {
  Order order = orders.of(op->getResult(0));
  int64_t rank = tensorType(op->getResult(0)).getRank();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isOrderless(operand.get(), weights))
      operand.set(in(operand.get(), order));
    else if (order == Order::Last)
      operand.set(weightWithChannelsLast(operand.get(), rank, op));
  }
  if (order == Order::First)
    return;
  moveAxes(op, rank);
  setLast(op);
}

void ChannelsLastRewriter::rewrite(Operation *op) {
  switch (orders.role(op)) {
  case OrderRole::Any: return rewriteAny(op);
  case OrderRole::Window:
    for (OpOperand &operand : llvm::drop_begin(op->getOpOperands()))
      operand.set(inProgramOrder(operand.get()));
    op->setOperand(0, in(op->getOperand(0), Order::Last));
    op->setAttr("channel_last", BoolAttr::get(op->getContext(), true));
    return setLast(op);
  case OrderRole::Half: return; // Dead when the second one has been read.
  case OrderRole::ToLast:
  case OrderRole::ToFirst:
  case OrderRole::Swap: {
    Value source = op->getOperand(0);
    if (orders.role(op) != OrderRole::Swap)
      source = source.getDefiningOp<TransposeOp>().getOperandA();
    Order order = orders.of(op->getResult(0));
    Value same = in(source, opposite(order));
    forms[op->getResult(0)] = order == Order::First ? Forms{same, {}} : Forms{{}, same};
    return;
  }
  case OrderRole::Fixed:
    for (OpOperand &operand : op->getOpOperands()) {
      auto known = forms.find(operand.get());
      bool reshapes = known != forms.end() && isa<ReshapeOp>(op) && !known->second.first &&
                      keepsSequence(withChannelsFirst(shapeOf(known->second.last)));
      operand.set(reshapes ? known->second.last : inProgramOrder(operand.get()));
    }
  }
}

namespace {
struct ForgeChannelsLastPass : forge::impl::ForgeChannelsLastPassBase<ForgeChannelsLastPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func) || func.isExternal() || !llvm::hasSingleElement(func.getBody()))
      return;
    Block &block = func.front();
    ComputedWeights weights(block);
    ChannelOrders orders(block, weights);
    if (!orders.isWorthIt())
      return;
    ChannelsLastRewriter rewriter(orders, weights);
    for (Operation *op : llvm::map_to_vector(block, [](Operation &op) { return &op; })) {
      rewriter.rewrite(op);
      if (orders.role(op) == OrderRole::Window)
        did(RemarkPlace::of(op), "windows-with-channels-last");
    }
    eraseDeadOps(block);
  }
};
} // namespace
