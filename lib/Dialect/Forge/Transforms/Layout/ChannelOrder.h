//===- ChannelOrder.h - which ops compute with channels last ----*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/AnalysisManager.h"

namespace forge {

/// The position of the channel axis of a value of rank 3 to 5: axis 1, or the last axis.
enum class Order { First, Last };

inline Order opposite(Order order) { return order == Order::First ? Order::Last : Order::First; }

/// How an op depends on the order of its operands.
enum class OrderRole {
  Fixed,   ///< computes on the axes in the order of the program, channels first
  Window,  ///< a convolution, pool or resize, which the device always computes with channels last
  Any,     ///< works with any order of axes: elementwise ops, concatenations, slices ...
  ToLast,  ///< the last op of a layout permutation: one or more TransposeOps (swaps) that together permute the operand
           ///< of the first one from channels first to channels last
  ToFirst, ///< the last swap of the inverse permutation
  ToBoth,  ///< a transpose at rank 3, which is both ToLast and ToFirst
  Inner,   ///< a swap of a layout permutation that is not its last
};

/// Whether `value` can be had in both orders at no cost: it is a weight, or has one element.
bool isOrderless(mlir::Value value, const ComputedWeights &weights);
/// Whether the permutation to channels last does not change the row-major sequence of elements of a tensor of `shape`,
/// which has channels first. A reshape then computes the permutation.
bool keepsSequence(llvm::ArrayRef<int64_t> shape);
/// Permutes `shape` from channels first to channels last: [N, C, ...] -> [N, ..., C].
llvm::SmallVector<int64_t> withChannelsLast(llvm::ArrayRef<int64_t> shape);
/// The inverse permutation: [N, ..., C] -> [N, C, ...].
llvm::SmallVector<int64_t> withChannelsFirst(llvm::ArrayRef<int64_t> shape);
/// The axis that axis `axis` becomes in the permutation to channels last. At rank 4: 0 -> 0, 1 -> 3, 2 -> 1, 3 -> 2.
int64_t axisWithChannelsLast(int64_t axis, int64_t rank);

/// The ops of a group norm: a reshape of [N, C, ...] merges the channels of each of G groups with the axes after them,
/// to [N, G, C / G * ...]; means of the trailing axis and elementwise ops follow; reshapes restore [N, C, ...].
///
/// The merged shape cannot be permuted to channels last, because the channels are part of the trailing axis. With
/// channels last, [N, ..., C], the mean of a group is the mean of the means of its channels, repeated for each channel.
class ChannelGroups {
public:
  /// Matches the group norm whose first reshape is `op`; none if there is none, or if a value in between has other
  /// users.
  static std::optional<ChannelGroups> startingWith(ReshapeOp op, const ComputedWeights &weights);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Whether `op`, one of getOps(), is a reshape that restores the channels.
  bool isEnd(mlir::Operation *op) const { return mlir::isa<ReshapeOp>(op) && op != ops.front(); }
  /// The cost in picoseconds of computing the mean of each group from the means of the channels, minus that of the
  /// reshape that is saved.
  int64_t costOfMean() const;

  /// The shape with channels last of a value between the reshapes whose shape in the program is `shape`:
  /// [N, G, C / G * pixels] becomes [N, pixels, C]. A mean, [N, G, 1], becomes the result of meanOf().
  llvm::SmallVector<int64_t> withChannelsLast(llvm::ArrayRef<int64_t> shape) const;
  /// Computes the mean of each group from those of the channels, [N, 1, C]. The result is [N, 1, C], with the mean of
  /// its group for each channel; or [N, 1, 1] if there is one group.
  mlir::Value meanOf(mlir::ImplicitLocOpBuilder &b, mlir::Value ofChannels) const;
  /// Repeats a weight with one element per group, [1, G, 1], to one element per channel, [1, 1, C].
  mlir::Value perChannel(mlir::ImplicitLocOpBuilder &b, mlir::Value ofGroups) const;

private:
  /// Adds the ops from `start` to the reshapes that restore the channels. Returns false if they are no group norm.
  bool collect(ReshapeOp start, const ComputedWeights &weights);
  /// Whether `op` can be computed with channels last: a mean of each group or an elementwise op, whose operands are ops
  /// of the norm, or weights with one element or one element per group.
  bool accepts(mlir::Operation *op, const ComputedWeights &weights) const;
  int64_t channelsPerGroup() const { return channels / groups; }

  llvm::SmallVector<mlir::Operation *> ops; ///< the first one is the reshape that merges the channels
  int64_t channels = 0, groups = 0;
};

/// Chooses the order of the result of each op of a block, with the lowest cost of transposes: those between ops of
/// different order, and those that the device inserts around windows with channels first.
class ChannelOrders {
public:
  ChannelOrders(mlir::Block &block, const ComputedWeights &weights);
  /// As an MLIR analysis of a function of one block.
  ChannelOrders(mlir::Operation *function, mlir::AnalysisManager &analyses)
      : ChannelOrders(function->getRegion(0).front(), analyses.getAnalysis<ComputedWeights>()) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<ChannelOrders>() || !preserved.isPreserved<ComputedWeights>();
  }

  /// Whether the chosen orders cost less than those of the program.
  bool isWorthIt() const { return cost < costAsIs; }
  /// The chosen order of `value`; channels first for arguments and for values without a choice.
  Order of(mlir::Value value) const { return results.lookup(value.getDefiningOp()); }
  /// The order that `op` reads its operands in, weights excepted.
  Order operandOrder(mlir::Operation *op) const;
  OrderRole role(mlir::Operation *op) const { return roles.lookup(op); }
  /// Whether `op` is the last swap of a layout permutation.
  bool endsPermutation(mlir::Operation *op) const;
  /// The operand of the first swap of the layout permutation whose last swap is `last`.
  mlir::Value permutedValue(mlir::Operation *last) const;
  /// The group norm of which `op` is one of the ops; null for others.
  const ChannelGroups *groupNormOf(mlir::Operation *op) const;
  /// Whether `op` splits the channels for a shuffle, or transposes the parts.
  bool isWithinShuffle(mlir::Operation *op) const;

private:
  /// Ops that must have the same order: those of a group norm, or of a channel shuffle.
  struct Unit {
    llvm::SmallVector<mlir::Operation *> ops;
    std::optional<ChannelGroups> groups; ///< only for a group norm
  };
  /// Sets the role of each op.
  void findRoles(mlir::Block &block);
  /// Adds the group norm or the channel shuffle that starts with `op`, if there is one.
  void findUnit(ReshapeOp op);
  void addUnit(Unit unit);
  const Unit *unitOf(mlir::Operation *op) const { return unitsOfOps.lookup(op); }
  /// Sets the roles of the swaps of the layout permutation that ends with `op`, if there is one.
  void findPermutation(TransposeOp op);
  bool endsPermutationAtWindow(mlir::Operation *op) const;
  /// `op`, or the last swap of the layout permutation in which it is an inner one.
  mlir::Operation *lastSwap(mlir::Operation *op) const { return role(op) == OrderRole::Inner ? lasts.lookup(op) : op; }
  /// Makes the initial choice, which improveAll() then improves locally.
  void chooseInitialOrders(mlir::Block &block);
  /// Chooses the initial order of the result of `op`, after those of its operands.
  void chooseInitialOrder(mlir::Operation *op);
  /// Changes the order of `op`, or of the unit that it starts, if that costs less. Returns whether it did.
  bool improve(mlir::Operation *op);
  void improveAll(llvm::ArrayRef<mlir::Operation *> ops);
  /// The time, in picoseconds, of the transposes of `op` in the order of the program.
  int64_t costInProgram(mlir::Operation *op) const;
  /// The time, in picoseconds, that the chosen order of `value` costs.
  int64_t costOf(mlir::Value value) const;
  int64_t costAround(llvm::ArrayRef<mlir::Operation *> ops) const;

  const ComputedWeights &weights;
  llvm::DenseMap<mlir::Operation *, OrderRole> roles;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> lasts; ///< the last swap of each inner one
  llvm::DenseMap<mlir::Operation *, Order> results;
  llvm::SmallVector<std::unique_ptr<Unit>> units;
  llvm::DenseMap<mlir::Operation *, const Unit *> unitsOfOps;
  llvm::DenseSet<mlir::Operation *> movable; ///< ops whose order improveAll() may change
  int64_t cost = 0, costAsIs = 0;
};

/// Sinks reshapes across elementwise ops, in programs with channels last, up to an op that undoes them.
void populateReshapeMotion(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELORDER_H
