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
/// No order of axes of the merged form has channels last. With channels last, [N, ..., C], a mean of a group is the
/// mean over its channels of their means, which is repeated for each channel.
class ChannelGroups {
public:
  /// The ops that start with `op`; none if it merges no groups, or if a value between the reshapes has another user.
  static std::optional<ChannelGroups> startingWith(ReshapeOp op, const ComputedWeights &weights);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Whether `op`, one of these, restores the channels.
  bool isEnd(mlir::Operation *op) const { return mlir::isa<ReshapeOp>(op) && op != ops.front(); }
  /// The additional cost of one mean, compared with the means of its channels, in picoseconds.
  int64_t costOfMean() const;

  /// `shape`, of a value between the reshapes, with the channels after the axes that were merged with them: [N, ...,
  /// C].
  llvm::SmallVector<int64_t> withChannelsLast(llvm::ArrayRef<int64_t> shape) const;
  /// The mean of each group, given that of each channel, [N, 1, C]; one for each channel, or for all where they are one
  /// group.
  mlir::Value meanOf(mlir::ImplicitLocOpBuilder &b, mlir::Value ofChannels) const;
  /// A weight with an element per group, [1, G, 1], with one per channel, [1, 1, C].
  mlir::Value perChannel(mlir::ImplicitLocOpBuilder &b, mlir::Value ofGroups) const;

private:
  bool collect(ReshapeOp start, const ComputedWeights &weights);
  bool takes(mlir::Operation *op, const ComputedWeights &weights) const;
  int64_t perGroup() const { return channels / groups; }

  llvm::SmallVector<mlir::Operation *> ops; ///< the reshape that joins them first
  int64_t channels = 0, groups = 0;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H
