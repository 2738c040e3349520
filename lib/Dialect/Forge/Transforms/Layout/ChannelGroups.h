//===- ChannelGroups.h - statistics of groups of channels -------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_CHANNELGROUPS_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// What a group norm does: a reshape of [N, C, ...] joins the channels of each of G groups with the axes behind, to
/// [N, G, C / G * ...], means of the last axis and elementwise ops follow, and reshapes give back [N, C, ...].
///
/// No order of axes has channels last in the joined form. With channels last, [N, ..., C], a mean of a group is the
/// mean over its channels of their means, which is repeated for each channel.
class ChannelGroups {
public:
  /// The ops that start with `op`; none where it joins no groups, or something else reads what is between the reshapes.
  static std::optional<ChannelGroups> startingWith(ReshapeOp op, const ComputedWeights &weights);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Whether `op`, one of these, gives back the channels.
  bool isEnd(mlir::Operation *op) const { return mlir::isa<ReshapeOp>(op) && op != ops.front(); }
  /// What one mean costs beside those of the channels, in picoseconds.
  int64_t costOfMean() const;

  /// `shape`, of a value between the reshapes, with the channels behind what was joined with them: [N, ..., C].
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
