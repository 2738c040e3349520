//===- Taps.h - windows of filters that become one --------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// Where the taps of a filter lie along one axis, from the place that the stride gives: from `first` to `last`, every
/// `dilation` elements; 0 for a single one.
struct Taps {
  int64_t first = 0, last = 0, dilation = 0;

  /// Those of axis 0 (height) or 1 (width).
  static Taps of(Conv2dOp op, int64_t axis);
  /// The fewest taps that are all of both, or nothing where the distances do not fit.
  static std::optional<Taps> join(Taps a, Taps b);

  bool operator==(const Taps &other) const {
    return first == other.first && last == other.last && dilation == other.dilation;
  }
  int64_t size() const { return dilation == 0 ? 1 : (last - first) / dilation + 1; }
};

/// The taps of a filter along height and width.
using FilterWindow = std::array<Taps, 2>;

FilterWindow windowOf(Conv2dOp op);
/// The smallest window that has the taps of both, or nothing where the distances do not fit.
std::optional<FilterWindow> joinedWindow(const FilterWindow &a, const FilterWindow &b);
/// `filters`, of window `own`, with zeros where `all` has other taps.
mlir::Value enlarged(mlir::OpBuilder &b, mlir::Location loc, mlir::Value filters, const FilterWindow &own,
                     const FilterWindow &all);
/// A convolution of what `like` reads, at the same places, by filters of another window, with channels first.
Conv2dOp convolutionLike(mlir::OpBuilder &b, mlir::Location loc, Conv2dOp like, mlir::Value filters, mlir::Value bias,
                         const FilterWindow &window);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H
