//===- ChannelGroups.h - statistics of groups of channels -------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

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
  /// The cost in picoseconds of computing the mean of each group from the means of the channels.
  int64_t costOfMean() const;

  /// `shape`, the shape of a value between the reshapes, with channels last: [N, ..., C].
  llvm::SmallVector<int64_t> withChannelsLast(llvm::ArrayRef<int64_t> shape) const;
  /// Computes the mean of each group from those of the channels, [N, 1, C]. The result has one element per channel, or
  /// a single one if there is one group.
  mlir::Value meanOf(mlir::ImplicitLocOpBuilder &b, mlir::Value ofChannels) const;
  /// Repeats a weight with one element per group, [1, G, 1], to one element per channel, [1, 1, C].
  mlir::Value perChannel(mlir::ImplicitLocOpBuilder &b, mlir::Value ofGroups) const;

private:
  /// Adds the ops from `start` to the reshapes that restore the channels. Returns false if they are no group norm.
  bool collect(ReshapeOp start, const ComputedWeights &weights);
  /// Whether `op` can be computed with channels last: a mean of each group or an elementwise op, whose operands are ops
  /// of the norm, or weights with one element or one element per group.
  bool accepts(mlir::Operation *op, const ComputedWeights &weights) const;
  int64_t perGroup() const { return channels / groups; }

  llvm::SmallVector<mlir::Operation *> ops; ///< the first one is the reshape that merges the channels
  int64_t channels = 0, groups = 0;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H
