//===- ChannelOrder.h - which ops compute with channels last ----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H

#include "Layout/ChannelGroups.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/AnalysisManager.h"

namespace forge {

/// The position of the channel axis of a value of rank 3 to 5: axis 1, or the last axis.
enum class Order { First, Last };

inline Order opposite(Order order) { return order == Order::First ? Order::Last : Order::First; }

/// What an op does with the order of its operands.
enum class OrderRole {
  Fixed,   ///< computes on the axes in the order of the program
  Window,  ///< a convolution, pool or resize: on the device it has channels last, whatever the program says
  Any,     ///< the same op on other axes: elementwise, concatenation, slice ...
  ToLast,  ///< the last swap of a layout permutation: one or more TransposeOps that together put channels last, as its
           ///< result is the value that the first swap reads, in the other order
  ToFirst, ///< the last swap of the inverse permutation
  Swap,    ///< rank 3, where both are one transpose
  Inner,   ///< a swap of a layout permutation that is not its last
};

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
  /// As an analysis, of a function of one block.
  ChannelOrders(mlir::Operation *function, mlir::AnalysisManager &analyses)
      : ChannelOrders(function->getRegion(0).front(), analyses.getAnalysis<ComputedWeights>()) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<ChannelOrders>() || !preserved.isPreserved<ComputedWeights>();
  }

  /// Whether another order than that of the program saves anything.
  bool isWorthIt() const { return cost < costAsIs; }
  Order of(mlir::Value value) const;
  /// The order in which `op` wants its operands.
  Order wanted(mlir::Operation *op) const;
  OrderRole role(mlir::Operation *op) const { return roles.lookup(op); }
  /// Whether `op` is the last swap of a layout permutation.
  bool isPermutation(mlir::Operation *op) const;
  /// The operand of the first swap of the layout permutation whose last swap is `last`.
  mlir::Value source(mlir::Operation *last) const;
  /// The group norm of which `op` is one of the ops; null for others.
  const ChannelGroups *groups(mlir::Operation *op) const;
  /// Whether `op` splits the channels for a shuffle, or transposes the parts.
  bool isWithinShuffle(mlir::Operation *op) const;

private:
  /// Ops that have one order together: those of a group norm, or of a shuffle of channels.
  struct Unit {
    llvm::SmallVector<mlir::Operation *> ops;
    std::optional<ChannelGroups> groups; ///< of a norm
  };
  void findUnit(ReshapeOp op);
  void addUnit(Unit unit);
  const Unit *unitOf(mlir::Operation *op) const { return unitsOfOps.lookup(op); }
  void findPermutation(TransposeOp op);
  bool isPermutationAtWindow(mlir::Operation *op) const;
  /// `op`, or the last swap of the layout permutation in which it is an inner one.
  mlir::Operation *lastSwap(mlir::Operation *op) const { return role(op) == OrderRole::Inner ? lasts.lookup(op) : op; }
  void start(mlir::Block &block);
  /// Whether the other order of `op`, or of the unit that it starts, costs less: it has that one then.
  bool improve(mlir::Operation *op);
  int64_t costOf(mlir::Value value) const;
  int64_t costAround(llvm::ArrayRef<mlir::Operation *> ops) const;

  const ComputedWeights &weights;
  llvm::DenseMap<mlir::Operation *, OrderRole> roles;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> lasts; ///< the last swap of each inner one
  llvm::DenseMap<mlir::Operation *, Order> results;
  llvm::SmallVector<std::unique_ptr<Unit>> units;
  llvm::DenseMap<mlir::Operation *, const Unit *> unitsOfOps;
  llvm::DenseSet<mlir::Operation *> movable; ///< whose order may be chosen
  int64_t cost = 0, costAsIs = 0;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
