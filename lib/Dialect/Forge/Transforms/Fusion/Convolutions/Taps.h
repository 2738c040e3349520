//===- Taps.h - kernel positions of merged convolutions ---------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The kernel positions (taps) of a filter along one axis, from `first` to `last` in steps of `dilation`, which is 0
/// for a single tap. Output element i reads the pixels i * stride + tap. A 3x3 filter with padding 1 has the taps -1,
/// 0, 1.
struct Taps {
  int64_t first = 0, last = 0, dilation = 0;

  bool operator==(const Taps &other) const {
    return first == other.first && last == other.last && dilation == other.dilation;
  }
  int64_t size() const { return dilation == 0 ? 1 : (last - first) / dilation + 1; }
};

/// The taps of a filter along height and width.
using FilterWindow = std::array<Taps, 2>;

/// The window of a convolution with channels first.
FilterWindow windowOf(Conv2dOp op);
/// The smallest window of evenly spaced taps that contains both. None if there are taps of one between two taps of the
/// other along an axis, which would have to be closer to each other then.
std::optional<FilterWindow> unionWindow(const FilterWindow &a, const FilterWindow &b);
/// Pads `filters`, [out, in, height, width], with zeros from the window `from` to the window `to`, which contains it.
mlir::Value enlarged(mlir::OpBuilder &b, mlir::Location loc, mlir::Value filters, const FilterWindow &from,
                     const FilterWindow &to);
/// A convolution with the operand, stride and groups of `like`, whose channels are first, but with filters of another
/// window that contains that of `like`. The padding is such that the result has the same height and width.
Conv2dOp convolutionLike(mlir::OpBuilder &b, mlir::Location loc, Conv2dOp like, mlir::Value filters, mlir::Value bias,
                         const FilterWindow &window);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_CONVOLUTIONS_TAPS_H
