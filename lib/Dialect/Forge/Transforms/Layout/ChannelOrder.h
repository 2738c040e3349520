//===- ChannelOrder.h - which ops compute with channels last ----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Where the channels of a value of rank 3 or 4 are: axis 1, or behind the others.
enum class Order { First, Last };

inline Order opposite(Order order) { return order == Order::First ? Order::Last : Order::First; }

/// What an op does with the order of its operands.
enum class OrderRole {
  Fixed,   ///< computes on the axes as they stand
  Window,  ///< a convolution, pool or resize: on the device it has channels last, whatever the program says
  Any,     ///< the same op on other axes: elementwise, concatenation, slice ...
  ToLast,  ///< a transpose that puts channels last: its result is its operand in the other order
  ToFirst, ///< the transpose back
  Swap,    ///< rank 3, where both are one
  Half,    ///< the first of the two transposes of ToLast and ToFirst
};

OrderRole orderRole(mlir::Operation *op, const ComputedWeights &weights);

/// Whether `value` is there in both orders for free: it is computed with the weights, or is one element.
bool isOrderless(mlir::Value value, const ComputedWeights &weights);
/// Whether channels last is the same sequence of elements as channels first.
bool keepsSequence(llvm::ArrayRef<int64_t> shape);
/// `shape`, which has channels first, with channels last.
llvm::SmallVector<int64_t> withChannelsLast(llvm::ArrayRef<int64_t> shape);
/// Where axis `axis` of a value is when its channels are last.
int64_t axisWithChannelsLast(int64_t axis, int64_t rank);

/// The order of the result of each op of a block that costs least: transposes between ops of different order, and those
/// that the device makes around windows with channels first.
class ChannelOrders {
public:
  ChannelOrders(mlir::Block &block, const ComputedWeights &weights);

  /// Whether another order than that of the program saves anything.
  bool isWorthIt() const { return cost < costAsIs; }
  Order of(mlir::Value value) const;
  /// The order in which `op` wants its operands.
  Order wanted(mlir::Operation *op) const;
  OrderRole role(mlir::Operation *op) const { return roles.lookup(op); }

private:
  void start(mlir::Block &block);
  void improve(mlir::Operation *op);
  int64_t costOf(mlir::Value value) const;
  int64_t costAround(mlir::Operation *op) const;

  const ComputedWeights &weights;
  llvm::DenseMap<mlir::Operation *, OrderRole> roles;
  llvm::DenseMap<mlir::Operation *, Order> results;
  llvm::DenseSet<mlir::Operation *> movable; ///< whose order may be chosen
  int64_t cost = 0, costAsIs = 0;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
